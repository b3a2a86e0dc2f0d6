// Messages to list items.

import { operate } from "./api.js";
import { renderBlocks } from "./blocks.js";
import { h, toast } from "./dom.js";
import { icon } from "./icons.js";
import { mrkdwn } from "./mrkdwn.js";
import { bot, changed, nameOf, store, visible } from "./store.js";

const CLOCK = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });
const FULL = new Intl.DateTimeFormat([], { dateStyle: "full", timeStyle: "medium" });
const TOGETHER_S = 300;

export function avatar(user) {
  const letters = (store.users.get(user)?.real_name || "?").split(" ").map((word) => word[0]).slice(0, 2).join("").toUpperCase();
  const shade = user === store.botUser ? "bot" : [...user].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 5;
  return h("span", { class: `avatar avatar-${shade}`, "aria-hidden": "true" }, letters);
}

function when(ts) {
  const date = new Date(parseFloat(ts) * 1000);
  return h("time", { dateTime: date.toISOString(), title: FULL.format(date) }, CLOCK.format(date));
}

function fileChip(file) {
  const kilobytes = file.size < 1024 ? `${file.size} B` : `${Math.round(file.size / 1024)} KB`;
  return h("a", { class: "file", href: `/control/files/${encodeURIComponent(file.id)}`, download: file.name }, icon("clip"), file.name, h("span", { class: "muted" }, kilobytes));
}

function body(message) {
  const act = (element, value) =>
    operate({ channel: message.channel, ts: message.ts }, store.user, element.action_id, value)
      .then(({ ack }) => { if (ack === null) toast("The app did not answer in time."); })
      .catch((error) => toast(error.message));
  const content = message.bot_id && message.blocks.length ? renderBlocks(message.blocks, act) : message.text && h("div", { class: "text" }, mrkdwn(message.text));
  return [content, message.edited && h("span", { class: "muted edited" }, "(edited)"),
    message.files && h("div", { class: "files" }, message.files.map(fileChip))];
}

export function statusLine(channel, threadTs) {
  const status = store.status.get(`${channel}:${threadTs}`);
  if (!status) return null;
  const text = status.loading[0] || `${bot().name} ${status.text}`;
  return h("div", { class: "status", role: "status" }, h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), text);
}

function threadLink(message) {
  if (!message.reply_count) return null;
  const open = () => { store.thread = message.ts; changed(); };
  return h("button", { type: "button", class: "thread-link", onclick: open },
    message.reply_users.slice(0, 3).map(avatar), message.reply_count === 1 ? "1 reply" : `${message.reply_count} replies`);
}

function replyButton(message) {
  const open = () => { store.thread = message.ts; changed(); };
  return h("button", { type: "button", class: "hover-action", title: "Reply in thread", onclick: open }, "Reply in thread");
}

function messageItem(message, { inThread, joined }) {
  const only = message.ephemeral_to ? h("p", { class: "only-you" }, "Only visible to you") : null;
  const quiet = message.subtype === "channel_join" || message.subtype === "tombstone" ? " quiet" : "";
  const isBot = message.user === store.botUser;
  const head = h("div", { class: "message-head" }, h("strong", {}, nameOf(message.user)), isBot && h("span", { class: "badge" }, "APP"), when(message.ts));
  return h("article", { class: `message${message.ephemeral_to ? " ephemeral" : ""}${joined ? " joined" : ""}${quiet}`, id: `${inThread ? "t" : "m"}-${message.ts}` },
    joined ? h("span", { class: "gutter" }, when(message.ts)) : avatar(message.user),
    h("div", { class: "message-body" }, only, joined ? null : head, body(message),
      inThread ? null : [threadLink(message), statusLine(message.channel, message.ts)]),
    inThread || message.ephemeral_to ? null : replyButton(message));
}

// Whether a message follows on from the one before it, so that its author need not be named again.
function followsOn(message, before) {
  return Boolean(before) && before.user === message.user && before.ephemeral_to === message.ephemeral_to
    && !before.reply_count && message.ts - before.ts < TOGETHER_S;
}

// A drawing of a list of messages that makes anew only the items that have changed.
export function makeItems({ inThread }) {
  let made = new Map();
  return (messages) => {
    const kept = new Map();
    messages.forEach((message, index) => {
      const joined = followsOn(message, messages[index - 1]);
      const status = store.status.get(`${message.channel}:${message.ts}`);
      const look = JSON.stringify([message, joined, status, store.user]);
      const before = made.get(message.ts);
      kept.set(message.ts, before?.look === look ? before : { look, node: messageItem(message, { inThread, joined }) });
    });
    made = kept;
    return [...kept.values()].map(({ node }) => node);
  };
}

const all = () => (store.messages.get(store.channel) || []).filter(visible);

export const channelMessages = () => all().filter((message) => !message.thread_ts || message.thread_ts === message.ts || message.subtype === "thread_broadcast");

export const threadMessages = () => all().filter((message) => message.ts === store.thread || message.thread_ts === store.thread);
