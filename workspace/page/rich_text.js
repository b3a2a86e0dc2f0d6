// The parts of a rich_text block to elements.

import { codeBlock, h, link } from "./dom.js";
import { drawn } from "./emoji.js";
import { dateOf } from "./person.js";
import { channelOf, nameOf, store } from "./store.js";

const mention = (text, toMe) => h("span", { class: `mention${toMe ? " mention-me" : ""}` }, text);

const PARTS = {
  rich_text_section: (part) => h("div", {}, inner(part)),
  rich_text_preformatted: (part) => codeBlock(inner(part)),
  rich_text_quote: (part) => h("blockquote", {}, inner(part)),
  rich_text_list: (part) => h(part.style === "ordered" ? "ol" : "ul", { class: part.indent ? `indent-${Math.min(part.indent, 5)}` : "", start: part.offset ? part.offset + 1 : null },
    part.elements.map((item) => h("li", {}, richPart(item)))),
  user: (part) => mention(`@${nameOf(part.user_id)}`, part.user_id === store.user),
  usergroup: (part) => mention(`@${store.userGroups.find((group) => group.id === part.usergroup_id)?.handle || part.usergroup_id}`, true),
  channel: (part) => mention(`#${channelOf(part.channel_id)?.name || part.channel_id}`),
  broadcast: (part) => mention(`@${part.range}`, true),
  emoji: (part) => drawn(part.name),
  link: (part) => styled(link(part.url, part.text || part.url), part.style),
  date: (part) => h("time", { dateTime: dateOf(part.timestamp).toISOString() }, part.fallback || dateOf(part.timestamp).toLocaleString()),
  color: (part) => h("code", {}, part.value),
  text: (part) => styled(part.text.split("\n").flatMap((line, index) => (index ? [h("br"), line] : [line])), part.style),
};
const TAGS = { code: "code", bold: "strong", italic: "em", strike: "s", underline: "u" };

function styled(content, style = {}) {
  return Object.entries(TAGS).reduce((node, [key, tag]) => (style[key] ? h(tag, {}, node) : node), content);
}

const inner = (part) => part.elements.map(richPart);

export function richPart(part) {
  return PARTS[part.type] ? PARTS[part.type](part) : h("span", {}, part.text || "");
}
