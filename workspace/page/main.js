// Puts the page together and draws it anew when something has changed.

import { makeComposer } from "./composer.js";
import { byId, h, reconcile, replace } from "./dom.js";
import { channelMessages, makeItems, statusLine, threadMessages } from "./messages.js";
import { showTopView } from "./modal.js";
import { drawSidebar } from "./sidebar.js";
import { bot, changed, connect, current, listen, nameOf, store } from "./store.js";

const composer = makeComposer(byId("channel-composer"), { inThread: false });
const reply = makeComposer(byId("thread-composer"), { inThread: true });
const channelItems = makeItems({ inThread: false });
const threadItems = makeItems({ inThread: true });
const drawn = { user: null, thread: null };

function drawHeader(channel) {
  const title = channel.is_im ? bot().name : `# ${channel.name}`;
  const purpose = channel.is_im ? "Direct messages: no need to mention anyone" : channel.purpose.value;
  replace(byId("channel-header"), h("div", {}, h("h2", {}, title), h("p", {}, purpose)));
}

function hints(channel) {
  const given = store.hints.length ? store.hints : [`@${bot().name} how many days of leave do I get?`];
  const mention = new RegExp(`^@${bot().name}\\s+`, "i");
  return given.map((hint) => (channel.is_im ? hint.replace(mention, "") : hint));
}

function welcome(channel) {
  if (!channel.is_im && !channel.is_member) {
    return h("div", { class: "welcome" }, h("h3", {}, `${bot().name} is not in this channel`),
      h("p", {}, "What is written here does not reach it. Go to another channel, or write to it directly."));
  }
  return h("div", { class: "welcome" }, h("h3", {}, channel.is_im ? `Ask ${bot().name} anything` : `Ask in #${channel.name}`),
    h("p", {}, channel.is_im ? "Only the two of you read this. " : `Mention @${bot().name} and ask; the answer comes in a thread. `, "Try:"),
    h("div", { class: "hints" }, hints(channel).map((hint) =>
      h("button", { type: "button", class: "hint-button", onclick: () => composer.fill(hint) }, hint))));
}

// Keeps the newest message in sight for somebody who was reading at the bottom.
function drawList(place, nodes, { jump }) {
  const atBottom = place.scrollHeight - place.scrollTop - place.clientHeight < 60;
  reconcile(place, nodes.filter(Boolean));
  if (!atBottom && !jump) return;
  // Of a message too long for the pane, its beginning comes first.
  const last = place.lastElementChild;
  place.scrollTop = last && last.offsetHeight > place.clientHeight ? last.offsetTop - place.offsetTop : place.scrollHeight;
}

function drawThread() {
  const messages = store.thread ? threadMessages() : [];
  byId("thread").hidden = !messages.length;
  if (!messages.length) { drawn.thread = null; return; }
  const close = () => { store.thread = null; changed(); };
  replace(byId("thread-header"), h("div", {}, h("h2", {}, "Thread"), h("p", {}, `started by ${nameOf(messages[0].user)}`)),
    h("button", { type: "button", class: "icon-button", "aria-label": "Close thread", onclick: close }, "✕"));
  drawList(byId("thread-messages"), [...threadItems(messages), statusLine(store.channel, store.thread)], { jump: drawn.thread !== store.thread });
  drawn.thread = store.thread;
  reply.refresh();
}

function draw() {
  const channel = current();
  if (!channel) return;
  const place = `${store.user} ${store.channel}`;
  drawSidebar(byId("sidebar"));
  drawHeader(channel);
  const messages = channelMessages();
  drawList(byId("channel-messages"), messages.length ? channelItems(messages) : [store.messages.has(channel.id) && welcome(channel)], { jump: drawn.place !== place });
  composer.refresh();
  drawThread();
  if (drawn.user !== store.user) showTopView();
  drawn.user = store.user;
  drawn.place = place;
}

listen(draw, showTopView);
connect();
