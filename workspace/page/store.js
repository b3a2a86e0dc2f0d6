// What the page knows of the workspace, kept up to date by the server's events.

import { getMessages, getState } from "./api.js";

export const store = {
  channels: [], users: new Map(), messages: new Map(), status: new Map(),
  botUser: "", hints: [], connections: 0, openViews: [],
  user: sessionStorage.getItem("user") || "U0ALICE",
  channel: sessionStorage.getItem("channel") || "C0GENERAL",
  thread: null, awaited: null,
};

const listeners = { change: () => {}, view: () => {} };
let drawing = false;

export function listen(onChange, onView) {
  Object.assign(listeners, { change: onChange, view: onView });
}

export function changed() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => { drawing = false; listeners.change(); });
}

export const bot = () => store.users.get(store.botUser);
export const nameOf = (user) => store.users.get(user)?.profile.display_name || user;
export const channelOf = (id) => store.channels.find((channel) => channel.id === id);
export const current = () => channelOf(store.channel);
export const visible = (message) => !message.ephemeral_to || message.ephemeral_to === store.user;

export function choose(changes) {
  Object.assign(store, changes);
  if (!current()?.members.includes(store.user)) {
    store.channel = (store.channels.find((channel) => channel.members.includes(store.user)) || {}).id;
  }
  sessionStorage.setItem("user", store.user);
  sessionStorage.setItem("channel", store.channel);
  return ensureMessages(store.channel).then(changed);
}

// What happens in a channel while its messages are on their way is kept, and applied once they are here.
const arriving = new Map();

async function ensureMessages(channel) {
  if (!channel || store.messages.has(channel)) return;
  const missed = [];
  arriving.set(channel, missed);
  const messages = await getMessages(channel);
  if (arriving.get(channel) !== missed) return;
  arriving.delete(channel);
  store.messages.set(channel, messages);
  missed.forEach((event) => HANDLERS[event.type](event));
}

async function load() {
  const state = await getState();
  store.channels = state.channels;
  store.users = new Map(state.users.map((user) => [user.id, user]));
  store.botUser = state.bot_user;
  store.hints = state.hints;
  store.connections = state.connections;
  store.openViews = state.open_views;
  store.status = new Map(Object.entries(state.status).map(
    ([key, text]) => [key, { text, loading: state.loading_messages[key] || [] }]));
  store.messages.clear();
  if (!store.users.has(store.user)) store.user = "U0ALICE";
  await choose({});
  listeners.view({ type: "views_loaded" });
}

export function connect() {
  const feed = new EventSource("/control/events");
  feed.onopen = () => load();
  feed.onmessage = (event) => take(JSON.parse(event.data));
}

function take(event) {
  const missed = arriving.get(event.message?.channel || event.channel);
  if (missed && event.type.startsWith("message")) missed.push(event);
  else HANDLERS[event.type]?.(event);
  changed();
}

function put(message) {
  const list = store.messages.get(message.channel);
  if (!list) return;
  const at = list.findIndex((known) => known.ts === message.ts);
  if (at >= 0) list[at] = message;
  else list.push(message);
}

// The thread of what one has just posted opens by itself once the bot stirs in it, or has already.
export function awaitAnswer(channel, threadTs) {
  store.awaited = threadTs;
  const answered = (store.messages.get(channel) || []).some((message) => message.thread_ts === threadTs && message.bot_id && visible(message));
  if (answered || store.status.has(`${channel}:${threadTs}`)) showAwaitedThread(channel, threadTs);
  changed();
}

function showAwaitedThread(channel, threadTs) {
  if (channel === store.channel && threadTs === store.awaited) {
    store.thread = threadTs;
    store.awaited = null;
  }
}

const HANDLERS = {
  message: ({ message }) => {
    // A channel that the page has not heard of was made by this message.
    if (!channelOf(message.channel)) { load(); return; }
    put(message);
    if (message.thread_ts && message.bot_id && visible(message)) showAwaitedThread(message.channel, message.thread_ts);
  },
  message_changed: ({ message }) => put(message),
  message_deleted: ({ channel, ts }) => {
    const list = store.messages.get(channel);
    if (list) store.messages.set(channel, list.filter((message) => message.ts !== ts));
  },
  status: ({ channel, thread_ts: threadTs, text, loading_messages: loading = [], life_s: lifeSeconds }) => {
    const key = `${channel}:${threadTs}`;
    if (!text) { store.status.delete(key); return; }
    const status = { text, loading };
    store.status.set(key, status);
    setTimeout(() => { if (store.status.get(key) === status) { store.status.delete(key); changed(); } }, lifeSeconds * 1000);
    showAwaitedThread(channel, threadTs);
  },
  connections: ({ connections }) => { store.connections = connections; },
  member: ({ channel, user }) => {
    const members = channelOf(channel)?.members;
    if (members && !members.includes(user)) members.push(user);
  },
  settings: ({ hints }) => { store.hints = hints; },
  reset: () => { store.thread = null; load(); },
  view_opened: (event) => { store.openViews.push({ view: event.view, user: event.user }); listeners.view(event); },
  view_updated: (event) => listeners.view(event),
  view_closed: (event) => {
    store.openViews = store.openViews.filter((open) => (event.all ? open.user !== event.user : open.view !== event.view));
    listeners.view(event);
  },
};
