// How people and times look.

import { h } from "./dom.js";
import { store } from "./store.js";

const CLOCK = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });
const BRIEF = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const FULL = new Intl.DateTimeFormat([], { dateStyle: "full", timeStyle: "medium" });
const DAY = new Intl.DateTimeFormat([], { weekday: "long", day: "numeric", month: "long" });

export const dateOf = (ts) => new Date(parseFloat(ts) * 1000);

export function avatar(user) {
  const letters = (store.users.get(user)?.real_name || "?").split(" ").map((word) => word[0]).slice(0, 2).join("").toUpperCase();
  const shade = user === store.botUser ? "bot" : [...user].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 5;
  return h("span", { class: `avatar avatar-${shade}`, "aria-hidden": "true" }, letters);
}

export function when(ts, { brief = false } = {}) {
  const date = dateOf(ts);
  return h("time", { dateTime: date.toISOString(), title: FULL.format(date) }, (brief ? BRIEF : CLOCK).format(date));
}

export function day(ts) {
  const date = dateOf(ts);
  return date.toDateString() === new Date().toDateString() ? "Today" : DAY.format(date);
}
