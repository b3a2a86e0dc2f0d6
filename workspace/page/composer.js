// The box to write in: a message, files with it, or a slash command.

import { postMessage, runCommand } from "./api.js";
import { makeChosenFiles } from "./chosen_files.js";
import { makeCompletion } from "./completion.js";
import { h, replace, toast } from "./dom.js";
import { acceptDrops } from "./drop.js";
import { icon } from "./icons.js";
import { startEditing } from "./message_actions.js";
import { channelMessages, threadMessages } from "./messages.js";
import { awaitAnswer, bot, current, store } from "./store.js";

const COMMAND = /^(\/[a-z0-9_-]+)(?:\s+([\s\S]*))?$/i;
const BOX_MOST_PX = 220;

// A composer for the channel, or with `inThread` for the open thread; files may be dropped onto `pane`.
export function makeComposer(place, pane, { inThread }) {
  const drafts = new Map();
  let spot = "";
  const chosen = makeChosenFiles();
  const picker = h("input", { type: "file", multiple: true, hidden: true, onchange: () => { chosen.add([...picker.files]); picker.value = ""; box.focus(); } });
  const box = h("textarea", {
    rows: 1, "aria-label": inThread ? "Reply" : "Message",
    onkeydown: (event) => { if (!completion.keydown(event)) keydown(event); },
    oninput: () => { fit(); completion.look(); },
    onpaste: (event) => { if (event.clipboardData.files.length) { event.preventDefault(); chosen.add([...event.clipboardData.files]); } },
  });
  const completion = makeCompletion(box, inThread ? "reply-suggestions" : "message-suggestions");
  const attach = h("button", { type: "button", class: "icon-button", title: "Attach files", "aria-label": "Attach files", onclick: () => picker.click() }, icon("plus"));
  const sendButton = h("button", { type: "submit", class: "button button-primary send" }, "Send");
  const form = h("form", { class: "composer", onsubmit: (event) => { event.preventDefault(); send(); } },
    completion.nodes, chosen.node, box,
    h("div", { class: "composer-row" }, attach, picker, h("span", { class: "muted" }, "Enter sends, Shift + Enter starts a new line"), sendButton));
  replace(place, form);
  acceptDrops(pane, (files) => { chosen.add(files); box.focus(); });

  function keydown(event) {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); send(); }
    if (event.key === "ArrowUp" && !box.value) editLast(event);
  }

  function editLast(event) {
    const last = (inThread ? threadMessages() : channelMessages()).filter((message) => message.user === store.user && !message.subtype).at(-1);
    if (!last) return;
    event.preventDefault();
    startEditing(last, inThread);
  }

  function fit() {
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, BOX_MOST_PX)}px`;
  }

  async function send() {
    const text = box.value.trim();
    const sent = chosen.files();
    if (!text && !sent.length) return;
    completion.close();
    set("");
    chosen.set([]);
    try {
      await deliver(text, sent);
    } catch (error) {
      set(text);
      chosen.set(sent);
      toast(error.message);
    }
  }

  async function deliver(text, sent) {
    const command = text.match(COMMAND);
    if (command && inThread) throw new Error(`${command[1]} is not supported in threads. Use the box below the channel.`);
    if (command) {
      const { ack } = await runCommand(store.channel, store.user, command[1], command[2] || "");
      if (ack === null) throw new Error(`${command[1]} failed: the app did not answer within three seconds (operation_timeout).`);
      return;
    }
    const channel = store.channel;
    store.newAfter = null;
    const { ts } = await postMessage(channel, store.user, text, inThread ? store.thread : null, sent);
    if (!inThread) awaitAnswer(channel, ts);
  }

  function set(text) {
    box.value = text;
    fit();
  }

  // What was begun in one place stays there until one comes back.
  function moveTo(next) {
    if (next === spot) return;
    drafts.set(spot, { text: box.value, files: chosen.files() });
    spot = next;
    const draft = drafts.get(spot) || { text: "", files: [] };
    set(draft.text);
    chosen.set(draft.files);
  }

  return {
    fill(text) { set(text); box.focus(); },
    refresh(title) {
      const channel = current();
      moveTo(`${store.user} ${store.channel} ${inThread ? store.thread : ""}`);
      const asking = channel.is_im || !channel.members.includes(store.botUser) ? "" : ` · mention @${bot().name} to ask`;
      box.placeholder = inThread ? "Reply…" : `Message ${title}${asking}`;
    },
  };
}
