// The control API as functions; a refusal becomes an Error with the server's sentence.

async function answered(response) {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.message || `The workspace answered ${response.status}.`);
  return body;
}

function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return fetch(`/control/${path}`, { method: "POST", headers, body: JSON.stringify(body) }).then(answered);
}

function form(fields, files) {
  const body = new FormData();
  for (const [key, value] of Object.entries(fields)) if (value) body.append(key, value);
  for (const file of files) body.append("files", file, file.name);
  return body;
}

export const getState = () => fetch("/control/state").then(answered);

export const getMessages = (channel) =>
  fetch(`/control/messages?channel=${encodeURIComponent(channel)}`).then(answered).then((body) => body.messages);

export function postMessage(channel, user, text, threadTs, files) {
  const fields = { channel, user, text, thread_ts: threadTs };
  if (!files.length) return post("messages", fields);
  return fetch("/control/messages", { method: "POST", body: form(fields, files) }).then(answered);
}

export const runCommand = (channel, user, command, text) => post("commands", { channel, user, command, text });

export const operate = (where, user, actionId, value) => post("actions", { ...where, user, action_id: actionId, value });

export const getView = (id) => fetch(`/control/views/${encodeURIComponent(id)}`).then(answered);

export function submitView(id, user, values, files) {
  const body = form({ user, values: JSON.stringify(values) }, files);
  return fetch(`/control/views/${encodeURIComponent(id)}/submit`, { method: "POST", body }).then(answered);
}

export const closeView = (id, user) => post(`views/${encodeURIComponent(id)}/close`, { user });
