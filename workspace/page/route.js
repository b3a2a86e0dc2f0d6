// A message's permalink: the place it names is opened, and the message is pointed out.

import { byId } from "./dom.js";
import { on } from "./feed.js";
import { channelOf, choose, store } from "./store.js";

const SHOWN_MS = 2500;

async function go() {
  const [id, ts, thread] = location.hash.slice(1).split("/").map(decodeURIComponent);
  const channel = channelOf(id);
  if (!channel) return;
  history.replaceState(null, "", location.pathname);
  const user = channel.members.includes(store.user) ? store.user : channel.members.find((member) => !store.users.get(member)?.is_bot);
  await choose({ user, channel: id, thread: thread || null });
  requestAnimationFrame(() => requestAnimationFrame(() => point(byId(thread ? `t-${ts}` : `m-${ts}`))));
}

function point(item) {
  if (!item) return;
  item.scrollIntoView({ block: "center" });
  item.classList.add("pointed-out");
  setTimeout(() => item.classList.remove("pointed-out"), SHOWN_MS);
}

on("loaded", go);
window.addEventListener("hashchange", go);
