// A question with two answers, in the page's own dialog.

import { h, replace, byId } from "./dom.js";

// Resolves to whether the person agreed; Escape is a no.
export function confirmed({ title, text, yes, no = "Cancel", danger = false }) {
  const dialog = byId("confirm");
  return new Promise((resolve) => {
    const answer = (agreed) => { dialog.close(); resolve(agreed); };
    dialog.oncancel = (event) => { event.preventDefault(); answer(false); };
    replace(dialog, h("form", { method: "dialog", onsubmit: (event) => { event.preventDefault(); answer(true); } },
      h("header", {}, h("h2", { id: "confirm-title" }, title)),
      h("div", { class: "modal-body" }, h("p", {}, text)),
      h("footer", {}, h("button", { type: "button", class: "button", onclick: () => answer(false) }, no),
        h("button", { type: "submit", class: `button ${danger ? "button-danger-solid" : "button-primary"}` }, yes))));
    dialog.showModal();
    dialog.querySelector("[type=submit]").focus();
  });
}
