// Interactive elements: those that act at once, and the inputs of a modal.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { textObject } from "./mrkdwn.js";
import { store } from "./store.js";

const plain = (text) => text?.text || "";

function options(element) {
  const groups = element.option_groups || [];
  return [...(element.options || []), ...groups.flatMap((group) => group.options)];
}

function button(element, onAction) {
  const style = element.style ? ` button-${element.style}` : "";
  const click = async (event) => {
    const pressed = event.currentTarget;
    pressed.disabled = true;
    try {
      if (element.confirm && !window.confirm(plain(element.confirm.text))) return;
      if (element.url && /^https?:/i.test(element.url)) window.open(element.url, "_blank", "noopener,noreferrer");
      await onAction(element, element.value);
    } finally {
      pressed.disabled = false;
    }
  };
  return h("button", { type: "button", class: `button${style}`, onclick: click }, textObject(element.text));
}

function feedback(element, onAction) {
  const one = (choice, shape) => h("button", {
    type: "button", class: "button", title: plain(choice.text),
    onclick: () => onAction(element, choice.value),
  }, icon(shape), plain(choice.text));
  return h("span", { class: "feedback" }, one(element.positive_button, "up"), one(element.negative_button, "down"));
}

function select(element, onAction) {
  const choices = options(element).map((option) => h("option", { value: option.value }, plain(option.text)));
  const hint = h("option", { value: "", disabled: true, selected: true }, plain(element.placeholder) || "Choose…");
  return h("select", { onchange: (event) => onAction(element, event.target.value), "aria-label": plain(element.placeholder) || "Choose" }, hint, choices);
}

// An element outside an input block: operating it tells the app at once.
export function control(element, onAction) {
  if (element.type === "button" || element.type === "icon_button") return button(element, onAction);
  if (element.type === "feedback_buttons") return feedback(element, onAction);
  if (element.type === "datepicker") {
    return h("input", { type: "date", value: element.initial_date || "", onchange: (event) => onAction(element, event.target.value) });
  }
  if (element.type === "checkboxes" || element.type === "radio_buttons") {
    const { node, read } = input(element, element.action_id);
    node.addEventListener("change", () => {
      const state = read();
      const chosen = state.selected_options?.map((option) => option.value) ?? state.selected_option?.value;
      onAction(element, chosen);
    });
    return node;
  }
  return select(element, onAction);
}

function textInput(element, id) {
  const shared = { id, value: element.initial_value || "", placeholder: plain(element.placeholder), maxLength: element.max_length || 3000 };
  const kind = { number_input: "number", email_text_input: "email", url_text_input: "url" }[element.type] || "text";
  const node = element.multiline ? h("textarea", { ...shared, rows: 4 }) : h("input", { type: kind, ...shared });
  return { node, read: () => ({ type: element.type, value: node.value || null }) };
}

function selectInput(element, id, choices, key) {
  const many = element.type.startsWith("multi_");
  const first = (element.initial_options || [element.initial_option]).filter(Boolean).map((option) => option.value);
  const listed = choices.map((choice) => h("option", { value: choice.value, selected: first.includes(choice.value) }, choice.label));
  const hint = many ? [] : [h("option", { value: "", selected: !first.length }, plain(element.placeholder) || "Choose…")];
  const node = h("select", { id, multiple: many, size: many ? Math.min(Math.max(listed.length, 2), 6) : 0 }, hint, listed);
  const chosen = () => choices.filter((choice) => [...node.selectedOptions].some((option) => option.value === choice.value)).map((choice) => choice.state);
  return { node, read: () => ({ type: element.type, [key]: many ? chosen() : chosen()[0] || null }) };
}

function optionInput(element, id) {
  const choices = options(element).map((option) => ({ value: option.value, label: plain(option.text), state: option }));
  return selectInput(element, id, choices, element.type.startsWith("multi_") ? "selected_options" : "selected_option");
}

function peopleInput(element, id) {
  const choices = [...store.users.values()].map((user) => ({ value: user.id, label: user.real_name, state: user.id }));
  return selectInput(element, id, choices, element.type.startsWith("multi_") ? "selected_users" : "selected_user");
}

function channelInput(element, id) {
  const noun = element.type.includes("conversations") ? "conversation" : "channel";
  const choices = store.channels.filter((channel) => channel.name).map((channel) => ({ value: channel.id, label: `#${channel.name}`, state: channel.id }));
  return selectInput(element, id, choices, `selected_${noun}${element.type.startsWith("multi_") ? "s" : ""}`);
}

function boxes(element, id) {
  const many = element.type === "checkboxes";
  const first = (element.initial_options || [element.initial_option]).filter(Boolean).map((option) => option.value);
  const rows = element.options.map((option, index) => {
    const box = h("input", { type: many ? "checkbox" : "radio", name: id, id: index ? `${id}-${index}` : id, checked: first.includes(option.value) });
    const row = h("label", { class: "choice" }, box, h("span", {}, textObject(option.text),
      option.description && h("small", {}, textObject(option.description))));
    return { option, box, row };
  });
  const chosen = () => rows.filter(({ box }) => box.checked).map(({ option }) => option);
  const node = h("div", { class: "choices" }, rows.map(({ row }) => row));
  return { node, read: () => ({ type: element.type, ...(many ? { selected_options: chosen() } : { selected_option: chosen()[0] || null }) }) };
}

function dateInput(element, id) {
  const time = element.type === "timepicker";
  const node = h("input", { type: time ? "time" : "date", id, value: (time ? element.initial_time : element.initial_date) || "" });
  return { node, read: () => ({ type: element.type, [time ? "selected_time" : "selected_date"]: node.value || null }) };
}

function fileInput(element, id) {
  const most = element.max_files || 10;
  const accept = (element.filetypes || []).map((type) => `.${type}`).join(",");
  const node = h("input", { type: "file", id, multiple: most > 1, accept });
  const tooMany = () => (node.files.length > most ? `Choose ${most} at most.` : "");
  node.addEventListener("change", () => node.setCustomValidity(tooMany()));
  return { node: h("div", { class: "file-input" }, node), read: () => null, files: () => [...node.files] };
}

// An input of a modal: its element, `read()` for its state, and `files()` where it takes files.
export function input(element, id) {
  if (element.type === "file_input") return fileInput(element, id);
  if (element.type === "datepicker" || element.type === "timepicker") return dateInput(element, id);
  if (element.type === "checkboxes" || element.type === "radio_buttons") return boxes(element, id);
  if (element.type.endsWith("users_select")) return peopleInput(element, id);
  if (element.type.endsWith("conversations_select") || element.type.endsWith("channels_select")) return channelInput(element, id);
  if (element.type.endsWith("static_select")) return optionInput(element, id);
  return textInput(element, id);
}
