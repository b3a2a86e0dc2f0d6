// A menu beside the button that opens it: arrow keys move in it, Escape closes it and gives the focus back.

import { h } from "./dom.js";

const GAP_PX = 6;

function place(popup, anchor) {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popup;
  const below = at.bottom + GAP_PX + height <= window.innerHeight;
  popup.style.top = `${Math.max(GAP_PX, below ? at.bottom + GAP_PX : at.top - GAP_PX - height)}px`;
  popup.style.left = `${Math.min(Math.max(GAP_PX, at.right - width), window.innerWidth - width - GAP_PX)}px`;
}

function move(event, popup) {
  const items = [...popup.querySelectorAll("[role=menuitem]")];
  const at = items.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length).focus();
}

// `items` are {label, content, run, danger}; `look` is "list" or "grid".
export function openMenu(anchor, label, items, look = "list") {
  const popup = h("div", { class: `popup popup-${look}`, role: "menu", "aria-label": label, popover: "auto", onkeydown: (event) => move(event, popup) },
    items.map((item) => h("button", {
      type: "button", role: "menuitem", tabIndex: -1, class: `popup-item${item.danger ? " danger" : ""}`, "aria-label": item.content ? item.label : null, title: item.content ? item.label : null,
      onclick: () => { popup.hidePopover(); item.run(); },
    }, item.content || item.label)));
  popup.addEventListener("toggle", (event) => {
    anchor.setAttribute("aria-expanded", String(event.newState === "open"));
    if (event.newState === "closed") popup.remove();
  });
  popup.addEventListener("keydown", (event) => { if (event.key === "Tab") popup.hidePopover(); });
  document.body.append(popup);
  popup.showPopover();
  place(popup, anchor);
  popup.querySelector("[role=menuitem]")?.focus();
}
