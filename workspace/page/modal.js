// The modals that the acting person has open, the topmost of them on screen.

import { closeView, operate, submitView, suggestions } from "./api.js";
import { renderBlocks } from "./blocks.js";
import { byId, h, replace, toast } from "./dom.js";
import { on } from "./feed.js";
import { icon } from "./icons.js";
import { chosenValue, input } from "./inputs.js";
import { textObject } from "./mrkdwn.js";
import { store } from "./store.js";

// What has been drawn of each open view, so that what was filled in is still there when it shows again.
const drawn = new Map();
let shown = null;

const stack = () => store.openViews.filter((open) => open.user === store.user).map((open) => open.body);

// Shows the acting person's topmost view, or none.
export function showTopView() {
  [...drawn.keys()].forEach((id) => { if (!store.openViews.some((open) => open.view === id)) drawn.delete(id); });
  const top = stack().at(-1);
  if (top) show(top);
  else hide();
}

["view_opened", "view_updated", "view_closed", "loaded"].forEach((type) => on(type, showTopView));

function hide() {
  shown = null;
  const dialog = byId("modal");
  if (dialog.open) dialog.close();
}

function show(view) {
  const before = drawn.get(view.id);
  const depth = stack().length;
  if (shown === view.id && before?.hash === view.hash) return;
  const made = before?.hash === view.hash ? before : draw(view, depth, before?.fields || []);
  drawn.set(view.id, made);
  shown = view.id;
  const dialog = byId("modal");
  replace(dialog, made.form);
  dialog.oncancel = (event) => { event.preventDefault(); close(view, false); };
  if (!dialog.open) dialog.showModal();
  made.form.querySelector(".modal-body :is(input, textarea, select):not([disabled])")?.focus();
}

function draw(view, depth, earlier) {
  const fields = [];
  const form = h("form", { noValidate: false, onsubmit: (event) => { event.preventDefault(); submit(view, fields, form); } },
    h("header", {},
      depth > 1 && h("button", { type: "button", class: "icon-button", "aria-label": "Back", onclick: () => close(view, false) }, icon("back")),
      h("h2", { id: "modal-title" }, textObject(view.title)),
      h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => close(view, true) }, icon("close"))),
    h("div", { class: "modal-body" }, view.blocks.map((block) => field(block, view, fields, earlier))),
    h("footer", {}, h("button", { type: "button", class: "button", onclick: () => close(view, false) }, view.close ? textObject(view.close) : "Cancel"),
      view.submit && h("button", { type: "submit", class: "button button-primary" }, textObject(view.submit))));
  return { hash: view.hash, form, fields };
}

function operateIn(view) {
  return (element, value) => operate({ view: view.id }, store.user, element.action_id, value).catch((error) => toast(error.message));
}

function field(block, view, fields, earlier) {
  if (block.type !== "input") return renderBlocks([block], operateIn(view), view.id);
  const id = `input-${block.block_id}`;
  const look = JSON.stringify([block.element, store.users.size]);
  const kept = earlier.find((one) => one.id === id && one.look === look);
  const made = kept?.made || input(block.element, id, (typed) => suggestions(view.id, store.user, block.element.action_id, typed));
  if (block.dispatch_action && !kept) made.node.addEventListener("change", () => operateIn(view)(block.element, chosenValue(made.read())));
  const error = h("p", { class: "field-error", id: `${id}-error`, role: "alert", hidden: true });
  const hint = block.hint && h("p", { class: "hint", id: `${id}-hint` }, textObject(block.hint));
  fields.push({ block, made, error, id, look });
  const label = [textObject(block.label), block.optional && h("span", { class: "muted" }, " (optional)")];
  if (made.isGroup) {
    made.node.setAttribute("aria-labelledby", `${id}-label`);
    return h("div", { class: "field" }, h("p", { class: "label", id: `${id}-label` }, label), made.node, hint, error);
  }
  return h("div", { class: "field" }, h("label", { htmlFor: id }, label), made.node, hint, error);
}

async function submit(view, fields, form) {
  const values = {};
  for (const { block, made } of fields) {
    const state = made.read();
    if (state) values[block.block_id] = { [block.element.action_id]: state };
  }
  const button = form.querySelector("[type=submit]");
  button.disabled = true;
  showErrors(fields, {});
  try {
    const { ack } = await submitView(view.id, store.user, values, fields.flatMap(({ made }) => (made.files ? made.files() : [])));
    if (ack === null) toast("We had some trouble connecting. The app did not answer in time; try again.");
    else if (ack.response_action === "errors") showErrors(fields, ack.errors || {});
  } catch (error) {
    toast(error.message);
  } finally {
    button.disabled = false;
  }
}

function showErrors(fields, errors) {
  let first = null;
  for (const { block, error, id, made } of fields) {
    const text = errors[block.block_id] || "";
    error.textContent = text;
    error.hidden = !text;
    const operable = made.isGroup || !made.node.querySelector("input") ? made.node : made.node.querySelector("input");
    operable.toggleAttribute("aria-invalid", Boolean(text));
    if (text) operable.setAttribute("aria-invalid", "true");
    operable.setAttribute("aria-describedby", text ? `${id}-error` : `${id}-hint`);
    made.node.classList.toggle("invalid", Boolean(text));
    if (text && !first) first = made.isGroup ? made.node.querySelector("input") : operable;
  }
  first?.focus();
}

function close(view, all) {
  closeView(view.id, store.user, all).catch((error) => toast(error.message));
}
