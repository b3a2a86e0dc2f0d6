// Reactions under a message, and the small set to choose from.

import { changeReaction } from "./api.js";
import { h, toast } from "./dom.js";
import { drawn, REACTIONS, spoken } from "./emoji.js";
import { icon } from "./icons.js";
import { openMenu } from "./popup.js";
import { nameOf, store } from "./store.js";

const mineIn = (message, name) => (message.reactions || []).some((reaction) => reaction.name === name && reaction.users.includes(store.user));

export function toggle(message, name) {
  changeReaction(message, store.user, name, !mineIn(message, name)).catch((error) => toast(error.message));
}

export function pickReaction(anchor, message) {
  openMenu(anchor, "Choose a reaction", REACTIONS.map((name) => (
    { label: spoken(name), content: drawn(name), run: () => toggle(message, name) })), "grid");
}

function chip(message, reaction) {
  const who = reaction.users.map(nameOf).join(", ");
  return h("button", {
    type: "button", class: "reaction", "aria-pressed": String(reaction.users.includes(store.user)), title: `${who}: ${spoken(reaction.name)}`,
    "aria-label": `${spoken(reaction.name)}, ${reaction.count}: ${who}`, "data-key": `reaction-${reaction.name}`, onclick: () => toggle(message, reaction.name),
  }, drawn(reaction.name), h("span", {}, String(reaction.count)));
}

export function reactionRow(message) {
  if (!message.reactions) return null;
  return h("div", { class: "reactions" }, message.reactions.map((reaction) => chip(message, reaction)),
    h("button", { type: "button", class: "reaction reaction-more", "aria-label": "Add another reaction", "data-key": "react-more", "aria-haspopup": "menu", onclick: (event) => pickReaction(event.currentTarget, message) }, icon("plus")));
}
