// Who one acts as, and where one can write.

import { h, replace } from "./dom.js";
import { avatar } from "./messages.js";
import { bot, choose, store } from "./store.js";

function role(user) {
  if (user.is_admin) return "admin";
  if (user.is_restricted) return "guest";
  return user.is_stranger ? "another organisation" : "member";
}

function personPicker() {
  const people = [...store.users.values()].filter((user) => !user.is_bot);
  const pick = h("select", { id: "act-as", onchange: (event) => choose({ user: event.target.value, thread: null, awaited: null }) },
    people.map((user) => h("option", { value: user.id, selected: user.id === store.user }, user.real_name)));
  return h("div", { class: "act-as" }, h("label", { htmlFor: "act-as" }, `You act as (${role(store.users.get(store.user))})`), h("div", { class: "act-as-row" }, avatar(store.user), pick));
}

function entry(channel) {
  const open = () => choose({ channel: channel.id, thread: null, awaited: null });
  const isCurrent = channel.id === store.channel;
  const label = channel.is_im ? [avatar(store.botUser), bot().name] : [h("span", { class: "hash" }, "#"), channel.name];
  const note = channel.is_im || channel.is_member ? null : h("span", { class: "entry-note" }, "without the bot");
  const shared = channel.is_ext_shared ? h("span", { class: "entry-note" }, "shared") : null;
  return h("button", { type: "button", class: "entry", "aria-current": isCurrent ? "page" : null, onclick: open, "data-channel": channel.id }, label, note, shared);
}

let look = "";

// Drawn only when something in it has changed, so that an open list of people stays open.
export function drawSidebar(place) {
  const now = JSON.stringify([store.user, store.channel, store.connections, store.channels]);
  if (now === look) return;
  look = now;
  const mine = store.channels.filter((channel) => channel.members.includes(store.user));
  const connected = store.connections > 0;
  replace(place,
    h("h1", {}, "Local workspace"),
    personPicker(),
    h("h2", {}, "Channels"), h("div", { class: "entries" }, mine.filter((channel) => !channel.is_im).map(entry)),
    mine.some((channel) => channel.is_im) && [h("h2", {}, "Direct messages"), h("div", { class: "entries" }, mine.filter((channel) => channel.is_im).map(entry))],
    h("p", { class: `link-state${connected ? " on" : ""}`, role: "status" }, connected ? `${bot().name} is connected` : `${bot().name} is not connected yet`));
}
