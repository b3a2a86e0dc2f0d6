// What one can do with a message: react, reply, edit, delete, copy its link, choose one of the app's shortcuts.

import { deleteMessage, runShortcut } from "./api.js";
import { confirmed } from "./confirm.js";
import { h, toast } from "./dom.js";
import { icon } from "./icons.js";
import { openMenu } from "./popup.js";
import { pickReaction } from "./reactions.js";
import { bot, changed, store } from "./store.js";

export function openThread(message) {
  store.thread = message.thread_ts || message.ts;
  changed();
}

export function startEditing(message, inThread) {
  store.editing = { ts: message.ts, inThread, draft: null };
  changed();
}

async function remove(message) {
  const agreed = await confirmed({ title: "Delete this message?", text: "It disappears for everyone. This cannot be undone.", yes: "Delete", danger: true });
  if (agreed) deleteMessage(message, store.user).catch((error) => toast(error.message));
}

async function shortcut(message, callbackId) {
  try {
    const { ack } = await runShortcut(message, store.user, callbackId);
    if (ack === null) toast("The app did not answer in time.");
  } catch (error) {
    toast(error.message);
  }
}

function copyLink(message) {
  const thread = message.thread_ts ? `?thread_ts=${message.thread_ts}&cid=${message.channel}` : "";
  const link = `${location.origin}/archives/${message.channel}/p${message.ts.replace(".", "")}${thread}`;
  navigator.clipboard.writeText(link).then(() => toast("Link copied."), () => toast(link));
}

function choices(message, inThread) {
  const own = message.user === store.user && message.subtype !== "tombstone";
  return [
    own && { label: "Edit message", run: () => startEditing(message, inThread) },
    { label: "Copy link", run: () => copyLink(message) },
    ...Object.entries(store.shortcuts).map(([id, name]) => ({ label: `${name} (${bot().name})`, run: () => shortcut(message, id) })),
    own && { label: "Delete message", danger: true, run: () => remove(message) },
  ].filter(Boolean);
}

export function toolbar(message, { inThread }) {
  const button = (label, shape, run, menu) => h("button", {
    type: "button", class: "icon-button", title: label, "aria-label": label, "data-key": shape, "aria-haspopup": menu ? "menu" : null, onclick: run,
  }, icon(shape));
  return h("div", { class: "toolbar" },
    button("Add reaction", "smile", (event) => pickReaction(event.currentTarget, message), true),
    !inThread && button("Reply in thread", "reply", () => openThread(message)),
    button("More actions", "more", (event) => openMenu(event.currentTarget, "Actions for this message", choices(message, inThread)), true));
}
