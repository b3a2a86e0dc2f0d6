// The control API as functions; a refusal becomes an Error with the server's sentence.

async function answered(response) {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.message || `The workspace answered ${response.status}.`);
  return body;
}

function send(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  return fetch(`/control/${path}`, { method, headers, body: JSON.stringify(body) }).then(answered);
}

const post = (path, body) => send("POST", path, body);

function form(fields, files) {
  const body = new FormData();
  for (const [key, value] of Object.entries(fields)) if (value) body.append(key, value);
  for (const file of files) body.append("files", file, file.name);
  return body;
}

const get = (path) => fetch(`/control/${path}`).then(answered);

export const getState = () => get("state");

export const getMessages = (channel) => get(`messages?channel=${encodeURIComponent(channel)}`).then((body) => body.messages);

export function postMessage(channel, user, text, threadTs, files) {
  const fields = { channel, user, text, thread_ts: threadTs };
  if (!files.length) return post("messages", fields);
  return fetch("/control/messages", { method: "POST", body: form(fields, files) }).then(answered);
}

export const editMessage = (message, user, text) => send("PATCH", `messages/${message.channel}/${message.ts}`, { user, text });

export const deleteMessage = (message, user) => send("DELETE", `messages/${message.channel}/${message.ts}`, { user });

export function changeReaction(message, user, name, wanted) {
  return send(wanted ? "POST" : "DELETE", "reactions", { channel: message.channel, ts: message.ts, user, name });
}

export const runCommand = (channel, user, command, text) => post("commands", { channel, user, command, text });

export function runShortcut(message, user, callbackId) {
  return post("shortcuts", { channel: message.channel, ts: message.ts, user, callback_id: callbackId });
}

export const operate = (where, user, actionId, value) => post("actions", { ...where, user, action_id: actionId, value });

export function submitView(id, user, values, files) {
  const body = form({ user, values: JSON.stringify(values) }, files);
  return fetch(`/control/views/${encodeURIComponent(id)}/submit`, { method: "POST", body }).then(answered);
}

export function suggestions(id, user, actionId, value) {
  return post(`views/${encodeURIComponent(id)}/suggestions`, { user, action_id: actionId, value }).then((body) => body.options);
}

export const closeView = (id, user, all) => post(`views/${encodeURIComponent(id)}/close`, { user, all });

export const openHome = (user, tab) => post("home", { user, tab });

export const getHome = (user) => get(`home?user=${encodeURIComponent(user)}`).then((body) => body.view);

export const getTraffic = () => get("traffic").then((body) => body.entries);

export const getTrafficEntry = (number) => get(`traffic/${number}`);
