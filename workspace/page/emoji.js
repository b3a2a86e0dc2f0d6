// The emoji that the page can draw, with the names Slack has for them.

import { h } from "./dom.js";
import { icon } from "./icons.js";

// Drawn by the page itself, so that they look alike on every machine; these are offered for reactions.
const DRAWN = {
  "+1": "up", "-1": "down", white_check_mark: "check", eyes: "eyes", heart: "heart", tada: "tada", question: "question", bulb: "bulb",
};
// Drawn as well, where they stand in a text.
const IN_TEXT = {
  ...DRAWN, x: "close", hourglass_flowing_sand: "clock", arrows_counterclockwise: "turn", heavy_minus_sign: "minus", no_entry_sign: "stop",
};
const ALIASES = { thumbsup: "+1", thumbsdown: "-1" };
const CHARACTERS = {
  white_check_mark: "✅", x: "❌", warning: "⚠️", "+1": "👍", thumbsup: "👍", "-1": "👎", thumbsdown: "👎", wave: "👋", eyes: "👀", heart: "❤️",
  hourglass_flowing_sand: "⏳", mag: "🔍", page_facing_up: "📄", books: "📚", bulb: "💡", tada: "🎉", lock: "🔒", wastebasket: "🗑️", question: "❓",
};

export const REACTIONS = Object.keys(DRAWN);

export const spoken = (name) => name.replace("+1", "thumbs up").replace("-1", "thumbs down").replaceAll("_", " ");

export function drawn(name) {
  const shape = DRAWN[ALIASES[name] || name];
  return shape ? icon(shape, `emoji emoji-${shape}`) : h("span", { class: "emoji-text" }, CHARACTERS[name] || `:${name}:`);
}

function inText(name) {
  const shape = IN_TEXT[ALIASES[name] || name];
  return shape ? h("span", { role: "img", "aria-label": spoken(name) }, icon(shape, `emoji emoji-${shape}`)) : CHARACTERS[name] || `:${name}:`;
}

// The text with its emoji, as nodes.
export const withEmoji = (text) => text.split(/:([a-z0-9_+-]+):/).map((part, index) => (index % 2 ? inText(part) : part));
