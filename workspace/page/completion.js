// Names offered while somebody writes @ or #: arrow keys choose, Enter or Tab takes, Escape closes.

import { h, replace } from "./dom.js";
import { icon } from "./icons.js";
import { avatar } from "./person.js";
import { current, mine, store } from "./store.js";

const BEGUN = /(?:^|[^\w@#])([@#])([\w.-]*)$/;
const OFFERED_MOST = 7;
const EVERYONE = [["channel", "Everyone in this channel"], ["here", "Everyone in this channel who is active"]];

function people() {
  const inside = (user) => current()?.members.includes(user.id);
  return [...store.users.values()].filter((user) => user.id !== store.user)
    .sort((one, other) => other.is_bot - one.is_bot || inside(other) - inside(one))
    .map((user) => ({ name: user.profile.display_name, also: user.real_name, note: inside(user) ? "" : "not in this channel", picture: avatar(user.id) }));
}

function offers(sign, begun) {
  const everything = sign === "#"
    ? mine().filter((channel) => channel.name && !channel.is_mpim).map((channel) => ({ name: channel.name, also: "", picture: icon("hash") }))
    : [...people(), ...store.userGroups.map((group) => ({ name: group.handle, also: group.name, note: "user group", picture: icon("person") })),
      ...EVERYONE.map(([name, also]) => ({ name, also, picture: icon("person") }))];
  const start = begun.toLowerCase();
  const fits = (offer) => [offer.name, ...offer.also.split(" ")].some((word) => word.toLowerCase().startsWith(start));
  return everything.filter(fits).slice(0, OFFERED_MOST);
}

// Completion for a textarea; `id` is that of its list. `keydown` says whether it has taken a key.
export function makeCompletion(box, id) {
  const list = h("ul", { id, class: "completion", role: "listbox", "aria-label": "Suggestions", hidden: true });
  const told = h("p", { class: "only-read", role: "status" });
  let shown = [];
  let at = 0;
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", id);

  function close() {
    shown = [];
    list.hidden = true;
    told.textContent = "";
    box.removeAttribute("aria-activedescendant");
  }

  function draw() {
    replace(list, shown.map((offer, index) => h("li", {
      id: `${id}-${index}`, role: "option", "aria-selected": String(index === at), class: "completion-item",
      onmousedown: (event) => { event.preventDefault(); at = index; take(); },
    }, offer.picture, h("strong", {}, offer.name), h("span", { class: "muted" }, offer.also), offer.note && h("span", { class: "completion-note" }, offer.note))));
    list.hidden = !shown.length;
    box.setAttribute("aria-activedescendant", `${id}-${at}`);
  }

  // Nothing is begun where the caret stands inside or before a word: what follows it would be torn off.
  const begun = () => (/^\w/.test(box.value.slice(box.selectionStart)) ? null : box.value.slice(0, box.selectionStart).match(BEGUN));

  function take() {
    const [, sign, start] = begun();
    const from = box.selectionStart - start.length - 1;
    box.setRangeText(`${sign}${shown[at].name} `, from, box.selectionStart, "end");
    close();
    box.dispatchEvent(new Event("input", { bubbles: true }));
    box.focus();
  }

  function look() {
    const found = begun();
    shown = found ? offers(found[1], found[2]) : [];
    at = 0;
    if (!shown.length) { close(); return; }
    draw();
    told.textContent = `${shown.length} suggestions`;
  }

  function keydown(event) {
    if (!shown.length || event.isComposing) return false;
    if (!begun()) { close(); return false; }
    if (event.key === "Escape") close();
    else if (event.key === "Enter" || event.key === "Tab") take();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      at = (at + (event.key === "ArrowDown" ? 1 : -1) + shown.length) % shown.length;
      draw();
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  box.addEventListener("blur", close);
  box.addEventListener("click", look);
  return { nodes: [list, told], look, keydown, close };
}
