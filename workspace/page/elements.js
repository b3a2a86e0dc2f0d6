// Interactive elements outside input blocks: operating one tells the app at once.

import { confirmed } from "./confirm.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { chosenValue, input } from "./inputs.js";
import { textObject } from "./mrkdwn.js";
import { openMenu } from "./popup.js";
import { store } from "./store.js";

const plain = (text) => text?.text || "";

// What a person has pressed of feedback buttons, which Slack goes on showing.
const pressed = new Map();

async function agreed(element) {
  const ask = element.confirm;
  if (!ask) return true;
  return confirmed({ title: plain(ask.title), text: plain(ask.text), yes: plain(ask.confirm), no: plain(ask.deny), danger: ask.style === "danger" });
}

function button(element, act) {
  const style = element.style ? ` button-${element.style}` : "";
  const click = async (event) => {
    const clicked = event.currentTarget;
    if (!(await agreed(element))) return;
    clicked.disabled = true;
    try {
      if (element.url && /^https?:/i.test(element.url)) window.open(element.url, "_blank", "noopener,noreferrer");
      await act(element, element.value);
    } finally {
      clicked.disabled = false;
      if (document.activeElement === document.body) clicked.focus();
    }
  };
  return h("button", { type: "button", class: `button${style}`, "aria-label": element.accessibility_label, onclick: click, "data-key": element.action_id },
    element.type === "icon_button" && icon("trash"), h("span", {}, textObject(element.text)));
}

function feedback(element, act, key) {
  const place = `${key} ${element.action_id}`;
  const sides = [["positive_button", "up"], ["negative_button", "down"]];
  const buttons = sides.map(([side, shape]) => h("button", {
    type: "button", class: "button", "aria-label": element[side].accessibility_label, "aria-pressed": String(pressed.get(place) === side), "data-key": `${element.action_id} ${side}`,
    onclick: () => {
      pressed.set(place, side);
      buttons.forEach((one, index) => one.setAttribute("aria-pressed", String(sides[index][0] === side)));
      return act(element, element[side].value);
    },
  }, icon(shape), plain(element[side].text)));
  return h("span", { class: "feedback" }, buttons);
}

function overflow(element, act) {
  const open = (event) => openMenu(event.currentTarget, "More", element.options.map((option) => (
    { label: plain(option.text), run: async () => { if (await agreed(element)) act(element, option.value); } })));
  return h("button", { type: "button", class: "icon-button", "aria-label": "More", "aria-haspopup": "menu", onclick: open }, icon("more"));
}

function chooser(element, act, key) {
  const made = input(element, `${key} ${element.action_id}`.replace(/\W+/g, "-"));
  made.node.setAttribute("aria-label", plain(element.placeholder) || element.action_id);
  made.node.addEventListener("change", async () => { if (await agreed(element)) act(element, chosenValue(made.read())); });
  return h("div", { class: "chooser" }, made.node);
}

export function control(element, act, key) {
  if (element.type === "icon_button" && element.visible_to_user_ids && !element.visible_to_user_ids.includes(store.user)) return [];
  if (element.type === "button" || element.type === "workflow_button" || element.type === "icon_button") return button(element, act);
  if (element.type === "feedback_buttons") return feedback(element, act, key);
  if (element.type === "overflow") return overflow(element, act);
  return chooser(element, act, key);
}
