// Messages to list items.

import { operate } from "./api.js";
import { renderBlocks } from "./blocks.js";
import { h, toast } from "./dom.js";
import { editor } from "./editing.js";
import { icon } from "./icons.js";
import { openThread, toolbar } from "./message_actions.js";
import { mrkdwn } from "./mrkdwn.js";
import { avatar, day, when } from "./person.js";
import { reactionRow } from "./reactions.js";
import { bot, dismiss, nameOf, store, visible } from "./store.js";
import { hasNewReplies } from "./unread.js";

const TOGETHER_S = 300;
const QUIET = /^(channel|group)_(join|leave)$|^tombstone$/;

function fileChip(file) {
  const size = file.size < 1024 ? `${file.size} B` : file.size < 1024 * 1024 ? `${Math.round(file.size / 1024)} KB` : `${(file.size / 1024 / 1024).toFixed(1)} MB`;
  return h("a", { class: "file", href: `/control/files/${encodeURIComponent(file.id)}`, download: file.name }, icon("clip"), h("span", { class: "file-name" }, file.name), h("span", { class: "muted" }, size));
}

function body(message) {
  const act = (element, value) =>
    operate({ channel: message.channel, ts: message.ts }, store.user, element.action_id, value)
      .then(({ ack }) => { if (ack === null) toast("The app did not answer in time."); })
      .catch((error) => toast(error.message));
  const content = message.bot_id && message.blocks.length ? renderBlocks(message.blocks, act, `${message.ts} ${store.user}`)
    : message.text && h("div", { class: "text" }, mrkdwn(message.text));
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
  const count = message.reply_count === 1 ? "1 reply" : `${message.reply_count} replies`;
  return h("button", { type: "button", class: "thread-link", "data-key": "thread", onclick: () => openThread(message) },
    message.reply_users.slice(0, 3).map(avatar), count, hasNewReplies(message) && h("span", { class: "new-badge" }, "new"));
}

function onlyYou(message) {
  return h("p", { class: "only-you" }, "Only visible to you",
    h("button", { type: "button", class: "link-button", onclick: () => dismiss(message) }, "Dismiss"));
}

function messageItem(message, { inThread, joined, editing }) {
  const quiet = QUIET.test(message.subtype || "");
  const isBot = message.user === store.botUser;
  const head = h("div", { class: "message-head" }, h("strong", {}, nameOf(message.user)), isBot && h("span", { class: "badge" }, "APP"), when(message.ts));
  return h("article", {
    class: `message${message.ephemeral_to ? " ephemeral" : ""}${joined ? " joined" : ""}${quiet ? " quiet" : ""}${editing ? " editing" : ""}`,
    id: `${inThread ? "t" : "m"}-${message.ts}`, tabIndex: -1,
  },
  joined ? h("span", { class: "gutter" }, when(message.ts, { brief: true })) : avatar(message.user),
  h("div", { class: "message-body" }, message.ephemeral_to && onlyYou(message), joined ? null : head,
    editing ? editor(message) : [body(message), reactionRow(message)],
    inThread ? null : [threadLink(message), statusLine(message.channel, message.ts)]),
  message.ephemeral_to || editing ? null : toolbar(message, { inThread }));
}

// Whether a message follows on from the one before it, so that its author need not be named again.
function followsOn(message, before) {
  return Boolean(before) && before.user === message.user && before.ephemeral_to === message.ephemeral_to
    && !before.reply_count && message.ts - before.ts < TOGETHER_S;
}

// The line above a message that is the first of its day, or the first that is new.
function dividerAbove(message, before) {
  const isNew = (one) => store.newAfter && one && one.ts > store.newAfter && one.user !== store.user;
  if (isNew(message) && !isNew(before)) return { text: "New", class: "divider divider-new" };
  if (!before || day(before.ts) !== day(message.ts)) return { text: day(message.ts), class: "divider" };
  return null;
}

// A drawing of a list of messages that makes anew only the items that have changed.
export function makeItems({ inThread }) {
  let made = new Map();
  return (messages) => {
    const kept = new Map();
    const keep = (key, look, make) => {
      const before = made.get(key);
      kept.set(key, before?.look === look ? before : { look, node: make() });
    };
    messages.forEach((message, index) => {
      const before = messages[index - 1];
      const divider = inThread ? null : dividerAbove(message, before);
      if (divider) keep(`above ${message.ts}`, divider.text, () => h("div", { class: divider.class }, h("span", {}, divider.text)));
      const joined = !divider && followsOn(message, before);
      const editing = store.editing?.ts === message.ts && store.editing.inThread === inThread;
      const status = store.status.get(`${message.channel}:${message.ts}`);
      const isNew = !inThread && message.reply_count && hasNewReplies(message);
      const look = JSON.stringify([editing || message, joined, status, store.user, editing, isNew, store.shortcuts]);
      keep(message.ts, look, () => messageItem(message, { inThread, joined, editing }));
    });
    made = kept;
    return [...kept.values()].map(({ node }) => node);
  };
}

const all = () => (store.messages.get(store.channel) || []).filter(visible);

export const channelMessages = () => all().filter((message) => !message.thread_ts || message.thread_ts === message.ts || message.subtype === "thread_broadcast");

export const threadMessages = () => (store.thread ? all().filter((message) => message.ts === store.thread || message.thread_ts === store.thread) : []);
