// The emoji that the page can draw, with the names Slack has for them.

import { h } from "./dom.js";
import { icon } from "./icons.js";

// Drawn by the page itself, so that they look alike on every machine; these are offered for reactions.
const DRAWN = {
  "+1": "up", "-1": "down", white_check_mark: "check", eyes: "eyes", heart: "heart", tada: "tada", question: "question", bulb: "bulb",
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

export const withEmoji = (text) => text.replace(/:([a-z0-9_+-]+):/g, (whole, name) => CHARACTERS[name] || whole);
