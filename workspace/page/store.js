// What the page knows of the workspace, kept up to date by the server's events.

import { getMessages, getState } from "./api.js";
import { follow, hand, on } from "./feed.js";

export const store = {
  channels: [], users: new Map(), userGroups: [], shortcuts: {}, messages: new Map(), status: new Map(),
  botUser: "", hints: [], connections: 0, openViews: [], online: true,
  user: sessionStorage.getItem("user") || "U0ALICE",
  channel: sessionStorage.getItem("channel") || "C0GENERAL",
  thread: null, awaited: null, tab: "messages", editing: null, newAfter: null,
};

let draw = () => {};
let drawing = false;

export function changed() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => { drawing = false; draw(); });
}

export const bot = () => store.users.get(store.botUser);
export const nameOf = (user) => store.users.get(user)?.profile.display_name || user;
export const channelOf = (id) => store.channels.find((channel) => channel.id === id);
export const current = () => channelOf(store.channel);
export const mine = () => store.channels.filter((channel) => channel.members.includes(store.user));

const dismissed = new Set(JSON.parse(sessionStorage.getItem("dismissed") || "[]"));

export const visible = (message) => !message.ephemeral_to || (message.ephemeral_to === store.user && !dismissed.has(message.ts));

export function dismiss(message) {
  dismissed.add(message.ts);
  sessionStorage.setItem("dismissed", JSON.stringify([...dismissed]));
  changed();
}

function stayInside() {
  if (!current()?.members.includes(store.user)) store.channel = mine()[0]?.id;
}

export function choose(changes) {
  Object.assign(store, changes);
  stayInside();
  sessionStorage.setItem("user", store.user);
  sessionStorage.setItem("channel", store.channel);
  hand({ type: "chosen" });
  return ensureMessages(store.channel).catch(() => {}).then(changed);
}

// What happens in a channel while its messages are on their way is kept, and applied once they are here.
const arriving = new Map();

async function ensureMessages(channel, { again = false } = {}) {
  if (!channel || (store.messages.has(channel) && !again)) return;
  const missed = [];
  arriving.set(channel, missed);
  const messages = await getMessages(channel);
  if (arriving.get(channel) !== missed) return;
  arriving.delete(channel);
  store.messages.set(channel, messages);
  missed.forEach(take);
}

function takeState(state) {
  store.channels = state.channels;
  store.users = new Map(state.users.map((user) => [user.id, user]));
  store.userGroups = state.user_groups;
  store.shortcuts = state.shortcuts;
  store.botUser = state.bot_user;
  store.hints = state.hints;
  store.connections = state.connections;
  store.openViews = state.open_views;
  store.status = new Map(Object.entries(state.status).map(
    ([key, text]) => [key, { text, loading: state.loading_messages[key] || [] }]));
  if (!store.users.has(store.user)) store.user = "U0ALICE";
  stayInside();
}

// Everything anew; what is on screen stays there until what takes its place has come.
async function load() {
  try {
    takeState(await getState());
    [...store.messages.keys()].forEach((id) => { if (id !== store.channel) store.messages.delete(id); });
    await ensureMessages(store.channel, { again: true });
    await choose({});
  } catch {
    return;  // the stream has been lost again; it will call back
  }
  hand({ type: "loaded" });
}

export function connect(onDraw) {
  draw = onDraw;
  follow(() => { store.online = true; load(); }, () => { store.online = false; changed(); });
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
  if (channel === store.channel && threadTs === store.awaited) Object.assign(store, { thread: threadTs, awaited: null });
}

const HANDLERS = {
  message: ({ message }) => {
    const channel = channelOf(message.channel);
    // A channel that the page has not heard of was made by this message.
    if (!channel) { load(); return; }
    put(message);
    if (visible(message)) channel.latest = { ts: message.ts, user: message.user };
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
  channel: ({ channel }) => { if (!channelOf(channel.id)) store.channels.push({ ...channel, latest: null }); },
  member: ({ channel: id, user, joined }) => {
    const channel = channelOf(id);
    if (!channel) return;
    channel.members = [...channel.members.filter((member) => member !== user), ...(joined ? [user] : [])];
    if (user === store.botUser) channel.is_member = joined;
    if (user === store.user && !joined && id === store.channel) choose({ thread: null });
  },
  settings: ({ hints, shortcuts }) => { Object.assign(store, { hints, shortcuts }); },
  reset: () => { Object.assign(store, { thread: null, editing: null, newAfter: null }); load(); },
  view_opened: ({ view, user, body }) => { store.openViews.push({ view, user, body }); },
  view_updated: ({ view, body }) => { store.openViews = store.openViews.map((open) => (open.view === view ? { ...open, body } : open)); },
  view_closed: ({ view, user, all }) => {
    store.openViews = store.openViews.filter((open) => (all ? open.user !== user : open.view !== view));
  },
};

function take(event) {
  const missed = arriving.get(event.message?.channel || event.channel);
  if (missed && event.type.startsWith("message")) missed.push(event);
  else HANDLERS[event.type](event);
  changed();
}

Object.keys(HANDLERS).forEach((type) => on(type, take));
