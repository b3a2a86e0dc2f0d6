// Choosing among several: a list to open, radio buttons, or boxes to tick.

import { h } from "./dom.js";

function rows(choices, initial, id, kind) {
  return choices.map((choice, index) => {
    const box = h("input", { type: kind, name: id, id: index ? `${id}-${index}` : id, checked: initial.includes(choice.value) });
    const row = h("label", { class: "choice" }, box, h("span", {}, choice.label, choice.description && h("small", {}, choice.description)));
    return { choice, box, row };
  });
}

// Boxes to tick, `most` of them at once.
export function manyInput(choices, initial, id, { most, scroll }) {
  const made = rows(choices, initial, id, "checkbox");
  const ticked = () => made.filter(({ box }) => box.checked);
  const limit = () => made.forEach(({ box }) => { box.disabled = !box.checked && ticked().length >= most; });
  const node = h("div", { class: `choices${scroll ? " choices-scroll" : ""}`, role: "group", onchange: limit }, made.map(({ row }) => row));
  limit();
  return { node, isGroup: true, chosen: () => ticked().map(({ choice }) => choice.state) };
}

function list(choices, initial, id, placeholder) {
  const option = (choice) => h("option", { value: choice.value, selected: choice.value === initial }, choice.label);
  const groups = [...new Set(choices.map((choice) => choice.group || ""))];
  const node = h("select", { id }, h("option", { value: "", selected: !initial }, placeholder || "Choose…"),
    groups.map((group) => {
      const inside = choices.filter((choice) => (choice.group || "") === group).map(option);
      return group ? h("optgroup", { label: group }, inside) : inside;
    }));
  return { node, chosen: () => choices.find((choice) => choice.value === node.value)?.state ?? null };
}

// One of several, as a list to open or as radio buttons.
export function choiceInput(choices, initial, id, { radio, placeholder }) {
  if (!radio) return list(choices, initial, id, placeholder);
  const made = rows(choices, [initial], id, "radio");
  const node = h("div", { class: "choices", role: "radiogroup" }, made.map(({ row }) => row));
  return { node, isGroup: true, chosen: () => made.find(({ box }) => box.checked)?.choice.state ?? null };
}
