// What each person has read: how far in every channel and thread, kept in this browser.

import { on } from "./feed.js";
import { changed, current, mine, store } from "./store.js";

const KEY = "read";
let marks = JSON.parse(localStorage.getItem(KEY) || "{}");

const markOf = (place) => parseFloat(marks[store.user]?.[place] || "0");

function mark(place, ts) {
  if (parseFloat(ts) <= markOf(place)) return;
  changed();
  marks = { ...marks, [store.user]: { ...marks[store.user], [place]: ts } };
  localStorage.setItem(KEY, JSON.stringify(marks));
}

export function isUnread(channel) {
  return Boolean(channel.latest) && channel.latest.user !== store.user && parseFloat(channel.latest.ts) > markOf(channel.id);
}

// Whether a thread has replies that the person has not had open.
export function hasNewReplies(parent) {
  return parent.reply_users.some((user) => user !== store.user) && parseFloat(parent.latest_reply) > markOf(`${parent.channel}:${parent.ts}`);
}

// What is on screen is read.
export function markRead(threadMessages) {
  if (document.hidden) return;
  const latest = current()?.latest;
  if (latest && store.tab === "messages") mark(store.channel, latest.ts);
  if (threadMessages.length) mark(`${store.channel}:${store.thread}`, threadMessages.at(-1).ts);
}

export function showUnreadInTitle() {
  const count = mine().filter(isUnread).length;
  document.title = `${count ? `(${count}) ` : ""}Local workspace`;
}

let place = "";

// Whoever opens a channel sees a line above what is new in it.
on("chosen", () => {
  const now = `${store.user} ${store.channel}`;
  if (now === place) return;
  place = now;
  const channel = current();
  store.newAfter = channel && isUnread(channel) && markOf(channel.id) ? markOf(channel.id) : null;
});
