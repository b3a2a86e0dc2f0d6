// The modal that the acting person has open.

import { closeView, getView, operate, submitView } from "./api.js";
import { renderBlocks } from "./blocks.js";
import { byId, h, replace, toast } from "./dom.js";
import { input } from "./elements.js";
import { textObject } from "./mrkdwn.js";
import { store } from "./store.js";

const shown = { id: null, inputs: [] };

const mine = () => store.openViews.filter((open) => open.user === store.user).map((open) => open.view);

// Shows the acting person's topmost view, or none.
export async function showTopView(event = {}) {
  const top = mine().at(-1) || null;
  if (top === shown.id && event.type !== "view_updated") return;
  const view = top && (await getView(top).catch(() => null));
  if (view) draw(view);
  else hide();
}

function hide() {
  shown.id = null;
  const dialog = byId("modal");
  if (dialog.open) dialog.close();
}

function draw(view) {
  shown.id = view.id;
  shown.inputs = [];
  const dialog = byId("modal");
  const form = h("form", { onsubmit: (event) => { event.preventDefault(); submit(view); } },
    h("header", {}, h("h2", { id: "modal-title" }, textObject(view.title)),
      h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => close(view) }, "✕")),
    h("div", { class: "modal-body" }, view.blocks.map((block) => field(block, view))),
    h("footer", {}, h("button", { type: "button", class: "button", onclick: () => close(view) }, view.close ? textObject(view.close) : "Cancel"),
      view.submit && h("button", { type: "submit", class: "button button-primary", id: "modal-submit" }, textObject(view.submit))));
  replace(dialog, form);
  dialog.oncancel = (event) => { event.preventDefault(); close(view); };
  if (!dialog.open) dialog.showModal();
  form.querySelector(".modal-body input, .modal-body textarea, .modal-body select")?.focus();
}

function field(block, view) {
  if (block.type !== "input") {
    return renderBlocks([block], (element, value) => operate({ view: view.id }, store.user, element.action_id, value).catch((error) => toast(error.message)));
  }
  const id = `input-${block.block_id}`;
  const made = input(block.element, id);
  const error = h("p", { class: "field-error", id: `${id}-error`, role: "alert", hidden: true });
  shown.inputs.push({ block, made, error, id });
  return h("div", { class: "field" },
    h("label", { htmlFor: id }, textObject(block.label), block.optional && h("span", { class: "muted" }, " (optional)")),
    made.node, block.hint && h("p", { class: "hint" }, textObject(block.hint)), error);
}

async function submit(view) {
  const values = {};
  for (const { block, made } of shown.inputs) {
    const state = made.read();
    if (state) values[block.block_id] = { [block.element.action_id]: state };
  }
  const files = shown.inputs.flatMap(({ made }) => (made.files ? made.files() : []));
  const button = byId("modal-submit");
  button.disabled = true;
  showErrors({});
  try {
    const { ack } = await submitView(view.id, store.user, values, files);
    if (ack === null) toast("We had some trouble connecting. The app did not answer in time; try again.");
    else if (ack.response_action === "errors") showErrors(ack.errors || {});
  } catch (error) {
    toast(error.message);
  } finally {
    button.disabled = false;
  }
}

function showErrors(errors) {
  let first = null;
  for (const { block, error, id, made } of shown.inputs) {
    const text = errors[block.block_id] || "";
    error.textContent = text;
    error.hidden = !text;
    const operable = made.node.querySelector("input") || made.node;
    operable.setAttribute("aria-invalid", text ? "true" : "false");
    operable.setAttribute("aria-describedby", `${id}-error`);
    if (text && !first) first = operable;
  }
  first?.focus();
}

function close(view) {
  closeView(view.id, store.user).catch((error) => toast(error.message));
}
