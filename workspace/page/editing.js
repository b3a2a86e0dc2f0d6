// One's own message as a box to edit it in.

import { editMessage } from "./api.js";
import { h, toast } from "./dom.js";
import { channelOf, changed, nameOf, store } from "./store.js";
import { decode } from "./mrkdwn.js";

// What Slack sends back to what somebody types.
function typed(text) {
  return decode(text.replace(/<([@#!])([^|>]+)(?:\|([^>]*))?>/g, (whole, sign, target, label) => {
    if (sign === "@") return `@${nameOf(target)}`;
    if (sign === "#") return `#${label || channelOf(target)?.name || target}`;
    return label || `@${target}`;
  }).replace(/<(https?:[^|>]+)>/g, "$1"));
}

export function editor(message) {
  const box = h("textarea", { "aria-label": "Edit message", value: store.editing.draft ?? typed(message.text), oninput: () => { store.editing.draft = box.value; fit(); } });
  const stop = () => { store.editing = null; changed(); };
  const fit = () => { box.style.height = "auto"; box.style.height = `${box.scrollHeight + 2}px`; };
  async function save() {
    if (!box.value.trim()) return;
    try {
      await editMessage(message, store.user, box.value);
      stop();
    } catch (error) {
      toast(error.message);
    }
  }
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); stop(); }
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); save(); }
  });
  requestAnimationFrame(() => { fit(); box.focus(); box.setSelectionRange(box.value.length, box.value.length); });
  return h("form", { class: "editor", onsubmit: (event) => { event.preventDefault(); save(); } }, box,
    h("div", { class: "editor-row" }, h("button", { type: "button", class: "button", onclick: stop }, "Cancel"), h("button", { type: "submit", class: "button button-primary" }, "Save changes")));
}
