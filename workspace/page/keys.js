// Keys that work everywhere on the page.

import { byId } from "./dom.js";
import { closeThread } from "./panes.js";
import { step, toggleDrawer } from "./sidebar.js";
import { store } from "./store.js";

// Up and down walk through the messages of a pane that has the focus.
function walk(event, pane) {
  const items = [...pane.querySelectorAll(".message")];
  const at = items.indexOf(document.activeElement.closest(".message"));
  const to = event.key === "ArrowUp" ? (at < 0 ? items.length - 1 : at - 1) : at + 1;
  if (!items[to] || (at < 0 && event.key === "ArrowDown")) return;
  event.preventDefault();
  items[to].focus();
  items[to].scrollIntoView({ block: "nearest" });
}

function escape(event) {
  if (document.body.classList.contains("drawer-open")) toggleDrawer(false);
  else if (store.thread && !document.activeElement?.closest?.("#traffic")) closeThread();
  else return;
  event.preventDefault();
}

export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open], [popover]:popover-open")) return;
    const vertical = event.key === "ArrowUp" || event.key === "ArrowDown";
    const pane = event.target.closest?.(".messages");
    if (event.key === "Escape") escape(event);
    else if (vertical && event.altKey) { event.preventDefault(); step(event.key === "ArrowUp" ? -1 : 1); }
    else if (vertical && pane && event.target.matches(".messages, .message")) walk(event, pane);
  });
  byId("backdrop").addEventListener("click", () => toggleDrawer(false));
}
