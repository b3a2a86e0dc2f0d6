// Puts the page together and draws it anew when something has changed.

import { makeComposer } from "./composer.js";
import { byId } from "./dom.js";
import { ignoreStrayDrops } from "./drop.js";
import { listenForKeys } from "./keys.js";
import { showTopView } from "./modal.js";
import { drawConversation, drawThread, stayAtEnd } from "./panes.js";
import { drawSidebar, titleOf } from "./sidebar.js";
import { changed, connect, current, store } from "./store.js";
import { markRead, showUnreadInTitle } from "./unread.js";
import "./route.js";

const composer = makeComposer(byId("channel-composer"), byId("conversation"), { inThread: false });
const reply = makeComposer(byId("thread-composer"), byId("thread"), { inThread: true });
let drawnFor = null;

function draw() {
  const channel = current();
  if (!channel) return;
  const name = channel.is_im || channel.is_mpim ? titleOf(channel) : `#${channel.name}`;
  drawConversation(channel, composer);
  composer.refresh(name);
  const thread = drawThread();
  if (thread.length) reply.refresh(name);
  markRead(thread);
  drawSidebar(byId("sidebar"));
  showUnreadInTitle();
  if (drawnFor !== store.user) showTopView();
  drawnFor = store.user;
}

ignoreStrayDrops();
stayAtEnd(byId("channel-messages"));
stayAtEnd(byId("thread-messages"));
listenForKeys();
document.addEventListener("visibilitychange", changed);
connect(draw);
