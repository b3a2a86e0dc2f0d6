// Elements from plain values. Nothing here, or anywhere on the page, parses HTML: text stays text.

export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") node.className = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key in node && key !== "list") node[key] = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function replace(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

// Puts `nodes` into `parent`, leaving alone those that are in their place, with their focus and selection.
export function reconcile(parent, nodes) {
  const wanted = new Set(nodes);
  [...parent.childNodes].forEach((child) => { if (!wanted.has(child)) child.remove(); });
  nodes.forEach((node, index) => {
    if (parent.childNodes[index] !== node) parent.insertBefore(node, parent.childNodes[index] || null);
  });
}

const LINKABLE = /^(https?:|mailto:)/i;

export function link(address, ...label) {
  if (!LINKABLE.test(address)) return h("span", {}, ...label);
  return h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, ...label);
}

// What may be wider than its place can be scrolled with the keyboard too.
export const codeBlock = (...content) => h("pre", { tabIndex: 0 }, h("code", {}, ...content));

export const tableFrame = (table) => h("div", { class: "table-frame", role: "group", "aria-label": "Table", tabIndex: 0 }, table);

export function byId(id) {
  return document.getElementById(id);
}

let toastBox;
let toastTimer = 0;

export function toast(text) {
  toastBox ??= byId("toast");
  const hide = () => { if (toastBox.matches(":popover-open")) toastBox.hidePopover(); toastBox.hidden = true; };
  hide();
  // Within an open dialog, for all else is out of reach meanwhile; as a popover, to stand above it.
  ([...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body).append(toastBox);
  toastBox.textContent = text;
  toastBox.hidden = false;
  toastBox.popover = "manual";
  toastBox.showPopover();
  clearTimeout(toastTimer);
  toastTimer = setTimeout(hide, 7000);
}
