// The pane that shows what goes between the workspace and the app: envelopes with their acks, calls with their answers.

import { getTraffic, getTrafficEntry } from "./api.js";
import { byId, h, reconcile, replace, toast } from "./dom.js";
import { on } from "./feed.js";
import { icon } from "./icons.js";
import { jsonTree } from "./json_view.js";
import { changed, store } from "./store.js";

const KEPT_MOST = 500;
const SHOWN_MOST = 200;
const CLOCK = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hour12: false });
const KINDS = { envelope: ["Event or interaction, to the app", "toApp"], call: ["Web API call, from the app", "fromApp"], socket: ["Connection", "plug"] };

let entries = new Map();
const rows = new Map();
const filter = { kind: "", text: "" };
let following = false;
const list = h("ol", { class: "traffic-list", tabIndex: 0, "aria-label": "Traffic, oldest first" });
const count = h("span", { class: "muted", role: "status" });

export const isOpen = () => Boolean(store.traffic);

export function toggleTraffic(open = !isOpen()) {
  store.traffic = open;
  byId("traffic").hidden = !open;
  if (open) { build(); loadAll(); }
  changed();
  if (open) byId("traffic-filter").focus();
  else byId("traffic-toggle")?.focus();
}

function build() {
  if (byId("traffic").childElementCount) return;
  const refilter = () => { drawList(); list.scrollTop = list.scrollHeight; };
  replace(byId("traffic"), h("header", { class: "traffic-header" }, h("h2", {}, "Traffic"),
    h("input", { id: "traffic-filter", type: "search", placeholder: "Filter by name, text or error", "aria-label": "Filter traffic", oninput: (event) => { filter.text = event.target.value.toLowerCase(); refilter(); } }),
    h("select", { "aria-label": "Kind of traffic", onchange: (event) => { filter.kind = event.target.value; refilter(); } },
      [["", "Everything"], ["envelope", "Envelopes"], ["call", "Web API calls"], ["socket", "Connections"]].map(([value, label]) => h("option", { value }, label))),
    count, h("button", { type: "button", class: "icon-button", "aria-label": "Close traffic", onclick: () => toggleTraffic(false) }, icon("close"))), list);
  byId("traffic").addEventListener("keydown", (event) => { if (event.key === "Escape" && !event.defaultPrevented) { event.preventDefault(); toggleTraffic(false); } });
}

async function loadAll() {
  following = true;
  const loaded = await getTraffic().catch(() => []);
  const newer = [...entries.values()].filter((entry) => entry.number > (loaded.at(-1)?.number ?? 0) && loaded.length);
  entries = new Map([...loaded, ...newer].map((entry) => [entry.number, entry]));
  drawList();
  list.scrollTop = list.scrollHeight;
}

const tookText = (entry) => (entry.took_ms === null ? "…" : entry.took_ms < 1000 ? `${Math.round(entry.took_ms)} ms` : `${(entry.took_ms / 1000).toFixed(1)} s`);

function look(entry) {
  const waits = entry.kind === "envelope" ? "no ack yet" : "running";
  const done = entry.kind === "envelope" ? "acknowledged" : "ok";
  return { waiting: [waits, "waiting"], ok: [entry.kind === "socket" ? "" : done, "good"], unanswered: ["never acknowledged", "bad"] }[entry.state] || [entry.state, "bad"];
}

function summary(entry) {
  const [title, shape] = KINDS[entry.kind];
  const [state, tone] = look(entry);
  return [h("time", {}, CLOCK.format(new Date(entry.at * 1000))), h("span", { class: `kind kind-${entry.kind}`, title }, icon(shape), h("span", { class: "only-read" }, title)),
    h("span", { class: "traffic-name" }, entry.name, entry.attempts > 1 && h("span", { class: "attempts" }, `×${entry.attempts}`)), h("span", { class: "traffic-note" }, entry.note),
    h("span", { class: `traffic-state ${tone}` }, state), h("span", { class: "traffic-took" }, entry.kind === "socket" ? "" : tookText(entry))];
}

function makeRow(entry) {
  const details = h("div", { class: "traffic-details", hidden: true, id: `traffic-${entry.number}` });
  const head = h("button", { type: "button", class: "traffic-row", "aria-expanded": "false", "aria-controls": details.id, onclick: () => expand(head, details, entry.number) });
  return { node: h("li", {}, head, details), head, details };
}

async function expand(head, details, number) {
  const open = details.hidden;
  details.hidden = !open;
  head.setAttribute("aria-expanded", String(open));
  if (!open) return;
  try {
    const entry = await getTrafficEntry(number);
    const part = (title, value) => value !== null && h("section", {}, h("h3", {}, title), jsonTree(value));
    const titles = entry.kind === "call" ? ["Arguments", "Answer"] : ["Envelope", "Ack"];
    replace(details, part(titles[0], entry.sent), part(titles[1], entry.answer), entry.sent === null && entry.answer === null && h("p", { class: "muted" }, "Nothing more is known of it."));
    details.scrollIntoView({ block: "nearest" });
  } catch (error) {
    toast(error.message);
  }
}

function rowOf(entry) {
  const row = rows.get(entry.number) || makeRow(entry);
  rows.set(entry.number, row);
  if (row.entry !== entry) {
    row.entry = entry;
    replace(row.head, summary(entry));
    if (!row.details.hidden) { row.details.hidden = true; expand(row.head, row.details, entry.number); }
  }
  return row.node;
}

const fits = (entry) => (!filter.kind || entry.kind === filter.kind)
  && [entry.name, entry.note, ...look(entry)].some((text) => text.toLowerCase().includes(filter.text));

function drawList() {
  const atBottom = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  const fitting = [...entries.values()].filter(fits);
  reconcile(list, fitting.slice(-SHOWN_MOST).map(rowOf));
  [...rows.keys()].forEach((number) => { if (!entries.has(number)) rows.delete(number); });
  count.textContent = fitting.length > SHOWN_MOST ? `last ${SHOWN_MOST} of ${fitting.length}` : `${fitting.length} of ${entries.size}`;
  if (atBottom) list.scrollTop = list.scrollHeight;
}

let drawing = false;

on("traffic", ({ entry }) => {
  if (!following) return;
  entries.set(entry.number, entry);
  if (entries.size > KEPT_MOST) entries.delete(entries.keys().next().value);
  if (drawing || !isOpen()) return;
  drawing = true;
  requestAnimationFrame(() => { drawing = false; drawList(); });
});
on("reset", () => { entries.clear(); rows.clear(); drawList(); });
on("loaded", () => { if (isOpen()) loadAll(); });
