// The panes of the conversation and of the thread, drawn anew when something has changed.

import { byId, h, reconcile, replace } from "./dom.js";
import { isHome, tabs } from "./home.js";
import { icon } from "./icons.js";
import { channelMessages, makeItems, statusLine, threadMessages } from "./messages.js";
import { titleOf, toggleDrawer } from "./sidebar.js";
import { bot, changed, nameOf, store } from "./store.js";

const channelItems = makeItems({ inThread: false });
const threadItems = makeItems({ inThread: true });
const NEAR_BOTTOM_PX = 60;
const drawn = { place: "", thread: null, header: "", threadHeader: "" };

function purpose(channel) {
  if (channel.is_im) return "Direct messages: no need to mention anyone";
  if (channel.is_mpim) return "Direct messages of several people";
  return channel.purpose.value || `${channel.members.length} members`;
}

function drawHeader(channel) {
  const look = JSON.stringify([store.user, channel.id, channel.members, store.tab]);
  if (look === drawn.header) return;
  drawn.header = look;
  const sign = channel.is_im || channel.is_mpim ? "" : channel.is_private ? "Private: " : "# ";
  replace(byId("channel-header"),
    h("button", { type: "button", class: "icon-button", id: "menu-button", "aria-label": "Channels and people", "aria-expanded": "false", "aria-controls": "sidebar", onclick: () => toggleDrawer() }, icon("menu")),
    h("div", { class: "pane-title" }, h("h2", {}, `${sign}${titleOf(channel)}`), h("p", {}, purpose(channel))), channel.is_im && tabs());
}

function hints(channel) {
  const given = store.hints.length ? store.hints : [`@${bot().name} how many days of leave do I get?`];
  const mention = new RegExp(`^@${bot().name}\\s+`, "i");
  return given.map((hint) => (channel.is_im ? hint.replace(mention, "") : hint));
}

function welcome(channel, fill) {
  if (!channel.members.includes(store.botUser)) {
    return h("div", { class: "welcome" }, h("h3", {}, `${bot().name} is not in this channel`),
      h("p", {}, "What is written here does not reach it. Go to another channel, or write to it directly."));
  }
  return h("div", { class: "welcome" }, h("h3", {}, channel.is_im ? `Ask ${bot().name} anything` : `Ask in #${titleOf(channel)}`),
    h("p", {}, channel.is_im ? "Only the two of you read this. " : `Mention @${bot().name} and ask; the answer comes in a thread. `, "Try:"),
    h("div", { class: "hints" }, hints(channel).map((hint) =>
      h("button", { type: "button", class: "hint-button", onclick: () => fill(hint) }, hint))));
}

// Gives the focus back to what was drawn anew while it had it.
function keepingFocus(draw) {
  const held = document.activeElement;
  const item = held?.closest?.(".message")?.id;
  draw();
  if (!item || held.isConnected) return;
  const again = byId(item);
  (again?.querySelector(`[data-key="${CSS.escape(held.dataset.key || "")}"]`) || again)?.focus({ preventScroll: true });
}

const isAtBottom = (place) => place.scrollHeight - place.scrollTop - place.clientHeight < NEAR_BOTTOM_PX;

function toEnd(place) {
  // Of a message too long for the pane, its beginning comes first.
  const last = place.lastElementChild;
  place.scrollTop = last && last.offsetHeight > place.clientHeight ? last.offsetTop - place.offsetTop : place.scrollHeight;
}

// Keeps the newest message in sight for somebody who was reading at the bottom.
function drawList(place, nodes, { jump }) {
  const atBottom = isAtBottom(place);
  keepingFocus(() => reconcile(place, nodes.filter(Boolean)));
  if (atBottom || jump) toEnd(place);
}

// The same when the pane gets smaller, because another opens beside it or the box below grows.
export function stayAtEnd(place) {
  let reading = true;
  place.addEventListener("scroll", () => { reading = isAtBottom(place); });
  new ResizeObserver(() => { if (reading) toEnd(place); }).observe(place);
}

export function drawConversation(channel, composer) {
  drawHeader(channel);
  const place = `${store.user} ${store.channel}`;
  byId("home").hidden = !isHome();
  byId("channel-messages").hidden = isHome();
  byId("channel-composer").hidden = isHome();
  const messages = channelMessages();
  const known = store.messages.has(channel.id);
  if (known) drawList(byId("channel-messages"), messages.length ? channelItems(messages) : [welcome(channel, composer.fill)], { jump: drawn.place !== place });
  else reconcile(byId("channel-messages"), []);
  if (known) drawn.place = place;
}

export function closeThread() {
  const opener = byId(`m-${store.thread}`)?.querySelector(".thread-link");
  store.thread = null;
  changed();
  (opener || byId("channel-messages")).focus();
}

// The messages of the open thread, drawn; none when it is closed.
export function drawThread() {
  const messages = threadMessages();
  byId("thread").hidden = !messages.length;
  document.body.classList.toggle("thread-open", messages.length > 0);
  if (!messages.length) { drawn.thread = null; return messages; }
  const look = `${store.thread} ${messages[0].user}`;
  if (look !== drawn.threadHeader) {
    drawn.threadHeader = look;
    replace(byId("thread-header"), h("div", { class: "pane-title" }, h("h2", {}, "Thread"), h("p", {}, `started by ${nameOf(messages[0].user)}`)),
      h("button", { type: "button", class: "icon-button", "aria-label": "Close thread", onclick: closeThread }, icon("close")));
  }
  drawList(byId("thread-messages"), [...threadItems(messages), statusLine(store.channel, store.thread)], { jump: drawn.thread !== store.thread });
  drawn.thread = store.thread;
  return messages;
}
