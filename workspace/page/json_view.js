// JSON as a tree that opens and closes.

import { h } from "./dom.js";

const OPEN_DEPTH = 2;

function leaf(value) {
  const kind = value === null ? "null" : typeof value;
  return h("span", { class: `json-${kind}` }, kind === "string" ? JSON.stringify(value) : String(value));
}

export function jsonTree(value, name = null, depth = 0) {
  const key = name === null ? null : h("span", { class: "json-key" }, `${name}: `);
  if (value === null || typeof value !== "object") return h("div", { class: "json-line" }, key, leaf(value));
  const entries = Object.entries(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (!entries.length) return h("div", { class: "json-line" }, key, `${open}${close}`);
  return h("details", { class: "json", open: depth < OPEN_DEPTH }, h("summary", {}, key, `${open}${entries.length}${close}`),
    h("div", { class: "json-inside" }, entries.map(([inner, one]) => jsonTree(one, inner, depth + 1))));
}
