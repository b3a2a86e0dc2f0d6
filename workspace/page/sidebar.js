// Who one acts as, and where one can write.

import { byId, h, replace } from "./dom.js";
import { icon } from "./icons.js";
import { avatar } from "./person.js";
import { bot, choose, mine, nameOf, store } from "./store.js";
import { toggleTraffic } from "./traffic.js";
import { isUnread } from "./unread.js";

function role(user) {
  if (user.is_admin) return "admin";
  if (user.is_restricted) return "guest";
  return user.is_stranger ? "another organisation" : "member";
}

export function titleOf(channel) {
  if (channel.is_im) return bot().name;
  if (channel.is_mpim) return channel.members.filter((user) => user !== store.user).map(nameOf).join(", ");
  return channel.name;
}

function personPicker() {
  const people = [...store.users.values()].filter((user) => !user.is_bot);
  const pick = h("select", { id: "act-as", onchange: (event) => choose({ user: event.target.value, thread: null, awaited: null, editing: null }) },
    people.map((user) => h("option", { value: user.id, selected: user.id === store.user }, user.real_name)));
  return h("div", { class: "act-as" }, h("label", { htmlFor: "act-as" }, `You act as (${role(store.users.get(store.user))})`), h("div", { class: "act-as-row" }, avatar(store.user), pick));
}

function picture(channel) {
  if (channel.is_im) return avatar(store.botUser);
  if (channel.is_mpim) return h("span", { class: "avatar avatar-group", "aria-hidden": "true" }, String(channel.members.length - 1));
  return channel.is_private ? h("span", { class: "hash" }, icon("lock")) : h("span", { class: "hash" }, "#");
}

export function open(channel) {
  toggleDrawer(false);
  return choose({ channel: channel.id, thread: null, awaited: null, editing: null });
}

function entry(channel) {
  const isCurrent = channel.id === store.channel;
  const unread = !isCurrent && isUnread(channel);
  const withBot = channel.members.includes(store.botUser);
  return h("button", { type: "button", class: `entry${unread ? " unread" : ""}`, "aria-current": isCurrent ? "page" : null, onclick: () => open(channel), "data-channel": channel.id },
    picture(channel), h("span", { class: "entry-name" }, titleOf(channel)), !withBot && h("span", { class: "entry-note" }, "without the bot"),
    channel.is_ext_shared && h("span", { class: "entry-note" }, "shared"), unread && h("span", { class: "unread-dot" }, h("span", { class: "only-read" }, "unread")));
}

const section = (title, channels) => channels.length > 0 && [h("h2", {}, title), h("div", { class: "entries" }, channels.map(entry))];

function foot() {
  const connected = store.connections > 0;
  const state = !store.online ? "Reconnecting to the workspace…" : connected ? `${bot().name} is connected` : `${bot().name} is not connected yet`;
  return h("div", { class: "sidebar-foot" },
    h("button", { type: "button", class: "entry", id: "traffic-toggle", "aria-expanded": String(Boolean(store.traffic)), "aria-controls": "traffic", onclick: () => { toggleDrawer(false); toggleTraffic(); } }, h("span", { class: "hash" }, icon("traffic")), "Traffic"),
    h("p", { class: `link-state${connected && store.online ? " on" : ""}`, role: "status" }, state));
}

let look = "";

// Drawn only when something in it has changed, so that an open list of people stays open.
export function drawSidebar(place) {
  const channels = mine();
  const now = JSON.stringify([store.user, store.channel, store.connections, store.online, store.traffic, channels.map((channel) => [channel.id, channel.members, isUnread(channel)])]);
  if (now === look) return;
  look = now;
  const focused = place.contains(document.activeElement) ? document.activeElement.id || document.activeElement.dataset.channel : null;
  const direct = (channel) => channel.is_im || channel.is_mpim;
  replace(place, h("h1", {}, "Local workspace"), personPicker(),
    section("Channels", channels.filter((channel) => !direct(channel))), section("Direct messages", channels.filter(direct)), foot());
  if (focused) (byId(focused) || place.querySelector(`[data-channel="${focused}"]`))?.focus();
}

// On a narrow screen the sidebar comes in from the side.
export function toggleDrawer(wanted = !document.body.classList.contains("drawer-open")) {
  const was = document.body.classList.contains("drawer-open");
  document.body.classList.toggle("drawer-open", wanted);
  byId("menu-button")?.setAttribute("aria-expanded", String(wanted));
  if (wanted) byId("act-as").focus();
  else if (was) byId("menu-button")?.focus();
}

// The channel above or below the current one.
export function step(by) {
  const channels = mine();
  const at = channels.findIndex((channel) => channel.id === store.channel);
  open(channels[(at + by + channels.length) % channels.length]);
}
