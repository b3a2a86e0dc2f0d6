// The app's Home tab, beside its messages.

import { getHome, openHome, operate } from "./api.js";
import { renderBlocks } from "./blocks.js";
import { byId, h, replace, toast } from "./dom.js";
import { on } from "./feed.js";
import { bot, changed, current, store } from "./store.js";

export const isHome = () => store.tab === "home" && Boolean(current()?.is_im);

function tab(name, label) {
  const chosen = store.tab === name;
  return h("button", {
    type: "button", role: "tab", id: `tab-${name}`, class: "tab", "aria-selected": String(chosen), "aria-controls": name === "home" ? "home" : "channel-messages", tabIndex: chosen ? 0 : -1,
    onclick: () => openTab(name), onkeydown: (event) => { if (/^Arrow(Left|Right)$/.test(event.key)) { openTab(name === "home" ? "messages" : "home"); } },
  }, label);
}

function openTab(name) {
  store.tab = name;
  openHome(store.user, name).catch((error) => toast(error.message));
  if (name === "home") drawHome();
  changed();
  requestAnimationFrame(() => byId(`tab-${name}`)?.focus());
}

export const tabs = () => h("div", { class: "tabs", role: "tablist", "aria-label": `Views of ${bot().name}` }, tab("messages", "Messages"), tab("home", "Home"));

export async function drawHome() {
  const view = await getHome(store.user).catch(() => null);
  const act = (element, value) => operate({ view: view.id }, store.user, element.action_id, value).catch((error) => toast(error.message));
  replace(byId("home"), view ? h("div", { class: "home-body" }, renderBlocks(view.blocks.filter((block) => block.type !== "input"), act, view.id))
    : h("div", { class: "welcome" }, h("h3", {}, `${bot().name} has no Home tab yet`), h("p", {}, "It shows here once the app publishes one for you.")));
}

on("home", ({ user }) => { if (user === store.user && isHome()) drawHome(); });
on("view_updated", ({ user }) => { if (user === store.user && isHome()) drawHome(); });
on("loaded", () => { if (isHome()) drawHome(); });

let place = "";

on("chosen", () => {
  const now = `${store.user} ${store.channel}`;
  if (now === place) return;
  place = now;
  store.tab = "messages";
  if (current()?.is_im) openHome(store.user, "messages").catch(() => {});
});
