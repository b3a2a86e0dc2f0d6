// The box to write in: a message, files with it, or a slash command.

import { postMessage, runCommand } from "./api.js";
import { h, replace, toast } from "./dom.js";
import { icon } from "./icons.js";
import { awaitAnswer, bot, current, store } from "./store.js";

const COMMAND = /^(\/[a-z0-9_-]+)(?:\s+([\s\S]*))?$/i;

// A composer for the channel, or with `inThread` for the open thread.
export function makeComposer(place, { inThread }) {
  let files = [];
  const chosen = h("div", { class: "chosen-files" });
  const picker = h("input", { type: "file", multiple: true, hidden: true, onchange: () => { take([...picker.files]); picker.value = ""; } });
  const box = h("textarea", {
    rows: 1, "aria-label": inThread ? "Reply" : "Message",
    onkeydown: (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); send(); }
    },
    oninput: fit,
  });
  const attach = h("button", { type: "button", class: "icon-button", title: "Attach files", "aria-label": "Attach files", onclick: () => picker.click() }, "+");
  const sendButton = h("button", { type: "submit", class: "button button-primary send", "aria-label": "Send" }, "Send");
  const form = h("form", { class: "composer", onsubmit: (event) => { event.preventDefault(); send(); } },
    chosen, box, h("div", { class: "composer-row" }, attach, picker, h("span", { class: "muted" }, "Enter sends, Shift + Enter starts a new line"), sendButton));
  replace(place, form);

  function fit() {
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, 220)}px`;
  }

  function take(more) {
    files = more;
    replace(chosen, files.map((file) => h("span", { class: "file" }, icon("clip"), file.name)));
  }

  async function send() {
    const text = box.value.trim();
    const sent = files;
    if (!text && !sent.length) return;
    set("");
    take([]);
    try {
      await deliver(text, sent);
    } catch (error) {
      set(text);
      take(sent);
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
    const { ts } = await postMessage(channel, store.user, text, inThread ? store.thread : null, sent);
    if (!inThread) awaitAnswer(channel, ts);
  }

  function set(text) {
    box.value = text;
    fit();
  }

  return {
    fill(text) { set(text); box.focus(); },
    refresh() {
      const channel = current();
      const asking = channel?.is_im || !channel?.is_member ? "" : ` · mention @${bot()?.name} to ask`;
      const name = channel?.is_im ? bot()?.name : `#${channel?.name}`;
      box.placeholder = inThread ? "Reply…" : `Message ${name}${asking}`;
    },
  };
}
