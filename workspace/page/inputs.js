// The inputs of Block Kit: each has its element, and `read()` for Slack's state of it.

import { choiceInput, manyInput } from "./choices.js";
import { h } from "./dom.js";
import { fileInput } from "./file_input.js";
import { store } from "./store.js";
import { suggestedInput } from "./suggested.js";

const plain = (text) => text?.text || "";

function textInput(element, id) {
  const kind = { number_input: "number", email_text_input: "email", url_text_input: "url" }[element.type] || "text";
  const placeholder = plain(element.placeholder) || { number: "", email: "name@example.org", url: "https://" }[kind] || "";
  const most = { maxLength: element.max_length || 3000, minLength: element.min_length ?? null };
  const bounds = { min: element.min_value ?? null, max: element.max_value ?? null, step: element.is_decimal_allowed ? "any" : "1" };
  const shared = { id, value: element.initial_value || "", placeholder, autocomplete: "off" };
  const node = element.multiline || element.type === "rich_text_input" ? h("textarea", { ...shared, ...most, rows: 4 })
    : h("input", { type: kind, ...shared, ...(kind === "number" ? bounds : most) });
  return { node, read: () => ({ type: element.type, value: node.value || null }) };
}

function richTextInput(element, id) {
  const { node } = textInput({ ...element, initial_value: "" }, id);
  const section = () => ({ type: "rich_text_section", elements: [{ type: "text", text: node.value }] });
  return { node, read: () => ({ type: element.type, rich_text_value: node.value ? { type: "rich_text", elements: [section()] } : null }) };
}

const MOMENTS = {
  datepicker: { kind: "date", initial: "initial_date", key: "selected_date" },
  timepicker: { kind: "time", initial: "initial_time", key: "selected_time" },
};

function momentInput(element, id) {
  const { kind, initial, key } = MOMENTS[element.type];
  const node = h("input", { type: kind, id, value: element[initial] || "" });
  return { node, read: () => ({ type: element.type, [key]: node.value || null }) };
}

function dateTimeInput(element, id) {
  const local = (seconds) => new Date(seconds * 1000 - new Date(seconds * 1000).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  const node = h("input", { type: "datetime-local", id, value: element.initial_date_time ? local(element.initial_date_time) : "" });
  return { node, read: () => ({ type: element.type, selected_date_time: node.value ? new Date(node.value).getTime() / 1000 : null }) };
}

function listed(element) {
  if (element.type.endsWith("users_select")) {
    return { noun: "user", choices: [...store.users.values()].map((user) => ({ value: user.id, label: user.real_name, state: user.id })) };
  }
  if (element.type.endsWith("conversations_select") || element.type.endsWith("channels_select")) {
    const noun = element.type.includes("conversations") ? "conversation" : "channel";
    const offered = store.channels.filter((channel) => channel.name && !channel.is_mpim && (noun === "conversation" || !channel.is_private) && channel.members.includes(store.user));
    return { noun, choices: offered.map((channel) => ({ value: channel.id, label: `#${channel.name}`, state: channel.id })) };
  }
  const groups = element.option_groups || [{ label: null, options: element.options || [] }];
  return { noun: "option", choices: groups.flatMap((group) => group.options.map((option) => (
    { value: option.value, label: plain(option.text), description: plain(option.description), group: plain(group.label), state: option }))) };
}

function selection(element, id) {
  const { noun, choices } = listed(element);
  const initial = [element[`initial_${noun}s`], element[`initial_${noun}`]].flat().filter(Boolean).map((one) => one.value || one);
  if (element.type === "checkboxes" || element.type.startsWith("multi_")) {
    const most = element.max_selected_items || Infinity;
    const made = manyInput(choices, initial, id, { most, scroll: element.type !== "checkboxes" });
    return { ...made, read: () => ({ type: element.type, [`selected_${noun}s`]: made.chosen() }) };
  }
  const made = choiceInput(choices, initial[0], id, { radio: element.type === "radio_buttons", placeholder: plain(element.placeholder) });
  return { ...made, read: () => ({ type: element.type, [`selected_${noun}`]: made.chosen() }) };
}

// `files()` is there where the input takes files, `isGroup` where it is several boxes with one label. `suggest(typed)`
// asks the app for options.
export function input(element, id, suggest = async () => []) {
  if (element.type === "external_select") return suggestedInput(element, id, suggest);
  if (element.type === "file_input") return fileInput(element, id);
  if (MOMENTS[element.type]) return momentInput(element, id);
  if (element.type === "datetimepicker") return dateTimeInput(element, id);
  if (element.type === "rich_text_input") return richTextInput(element, id);
  if (element.type.endsWith("_select") || element.type === "checkboxes" || element.type === "radio_buttons") return selection(element, id);
  return textInput(element, id);
}

// Slack's state of an input to the value that the control API takes for it.
export function chosenValue(state) {
  const [value] = Object.entries(state).filter(([key]) => key !== "type").map(([, found]) => found);
  return Array.isArray(value) ? value.map((one) => one.value || one) : value?.value ?? value;
}
