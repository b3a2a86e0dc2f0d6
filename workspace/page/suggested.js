// Choosing one of what the app suggests for what was typed: arrow keys move, Enter takes, Escape closes.

import { h, replace, toast } from "./dom.js";

const PAUSE_MS = 150;
const plain = (text) => text?.text || "";

// `suggest(typed)` resolves to Slack's option objects.
export function suggestedInput(element, id, suggest) {
  const least = element.min_query_length ?? 3;
  const list = h("ul", { id: `${id}-list`, class: "suggestions", role: "listbox", "aria-label": "Suggestions", hidden: true });
  const box = h("input", {
    type: "text", id, role: "combobox", autocomplete: "off", placeholder: plain(element.placeholder) || "Choose…",
    "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false",
  });
  let chosen = element.initial_option || null;
  let offered = [];
  let at = -1;
  let timer = null;

  function close() {
    clearTimeout(timer);
    offered = [];
    list.hidden = true;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  }

  function draw() {
    replace(list, offered.length ? offered.map((option, index) => h("li", {
      id: `${list.id}-${index}`, role: "option", "aria-selected": String(index === at), class: "suggestion",
      onmousedown: (event) => { event.preventDefault(); take(option); },
    }, plain(option.text))) : h("li", { class: "muted" }, "Nothing found"));
    list.hidden = false;
    box.setAttribute("aria-expanded", "true");
    if (at >= 0) box.setAttribute("aria-activedescendant", `${list.id}-${at}`);
    else box.removeAttribute("aria-activedescendant");
    (list.children[at] || list).scrollIntoView({ block: "nearest" });
  }

  function take(option) {
    chosen = option;
    box.value = plain(option.text);
    close();
  }

  async function look() {
    const typed = chosen ? "" : box.value;
    if (typed.length < least) { close(); return; }
    try {
      const found = await suggest(typed);
      if (document.activeElement !== box || typed !== (chosen ? "" : box.value)) return;
      offered = found;
      at = -1;
      draw();
    } catch (error) {
      toast(error.message);
    }
  }

  function keydown(event) {
    if (list.hidden || event.isComposing) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && offered[at]) take(offered[at]);
    else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && offered.length) {
      at = event.key === "ArrowDown" ? (at + 1) % offered.length : (at - 1 + offered.length) % offered.length;
      draw();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  box.value = plain(chosen?.text);
  box.addEventListener("focus", look);
  box.addEventListener("input", () => { chosen = null; clearTimeout(timer); timer = setTimeout(look, PAUSE_MS); });
  box.addEventListener("keydown", keydown);
  box.addEventListener("blur", () => { close(); box.value = plain(chosen?.text); });
  return { node: h("div", {}, box, list), read: () => ({ type: element.type, selected_option: chosen }) };
}
