// Slack's mrkdwn, tokens and entities to elements.

import { codeBlock, h, link } from "./dom.js";
import { withEmoji } from "./emoji.js";
import { channelOf, nameOf, store } from "./store.js";

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };
export const decode = (text) => text.replace(/&(lt|gt|amp);/g, (entity) => ENTITIES[entity]);

// What stands between angle brackets: a person, a channel, a call to everyone, or a link.
export function token(inside) {
  const [target, label] = inside.split(/\|(.*)/s);
  if (target.startsWith("@")) {
    const mine = target.slice(1) === store.user ? " mention-me" : "";
    return h("span", { class: `mention${mine}` }, `@${nameOf(target.slice(1))}`);
  }
  if (target.startsWith("#")) return h("span", { class: "mention" }, `#${label || channelOf(target.slice(1))?.name || target.slice(1)}`);
  if (target.startsWith("!date^")) return h("span", {}, decode(label || target));
  if (target.startsWith("!")) return h("span", { class: "mention mention-me" }, label ? decode(label) : `@${target.slice(1)}`);
  return link(decode(target), decode(label || target));
}

const INLINE = new RegExp([
  "`([^`\\n]+)`",
  "<([^<>\\n]+)>",
  "(?<![\\w*])\\*(?=\\S)([^*\\n]*?\\S)\\*(?![\\w*])",
  "(?<![\\w_])_(?=\\S)([^_\\n]*?\\S)_(?![\\w_])",
  "(?<![\\w~])~(?=\\S)([^~\\n]*?\\S)~(?![\\w~])",
  "(\\n)",
].join("|"), "g");

function inline(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    nodes.push(withEmoji(decode(text.slice(end, match.index))));
    const [, code, inside, bold, italic, struck] = match;
    if (code) nodes.push(h("code", {}, decode(code)));
    else if (inside) nodes.push(token(inside));
    else if (bold) nodes.push(h("strong", {}, inline(bold)));
    else if (italic) nodes.push(h("em", {}, inline(italic)));
    else if (struck) nodes.push(h("s", {}, inline(struck)));
    else nodes.push(h("br"));
    end = match.index + match[0].length;
  }
  nodes.push(withEmoji(decode(text.slice(end))));
  return nodes;
}

function quotesAndLines(text) {
  return text.split(/((?:^|\n)(?:&gt;[^\n]*(?:\n|$))+)/).filter(Boolean).map((part) =>
    /^\n?&gt;/.test(part) ? h("blockquote", {}, inline(part.trim().replace(/^&gt; ?/gm, ""))) : inline(part));
}

export function mrkdwn(text) {
  return text.split(/```([\s\S]+?)```/).map((part, index) =>
    index % 2 ? codeBlock(decode(part.replace(/^\n|\n$/g, ""))) : quotesAndLines(part));
}

// A text object of Block Kit.
export function textObject(text) {
  if (!text) return [];
  return text.type === "mrkdwn" ? mrkdwn(text.text) : [withEmoji(text.text)];
}
