// Block Kit blocks to elements.

import { h, link } from "./dom.js";
import { control } from "./elements.js";
import { markdown } from "./markdown.js";
import { textObject } from "./mrkdwn.js";
import { nameOf } from "./store.js";

const RENDERERS = {
  markdown: (block) => markdown(block.text),
  header: (block) => h("h3", { class: "block-header" }, textObject(block.text)),
  divider: () => h("hr"),
  section: (block, onAction) => h("div", { class: "section" },
    h("div", { class: "section-text" }, block.text && h("div", {}, textObject(block.text)),
      block.fields && h("div", { class: "fields" }, block.fields.map((field) => h("div", {}, textObject(field))))),
    block.accessory && control(block.accessory, onAction)),
  context: (block) => h("div", { class: "context" }, block.elements.map((element) =>
    element.type === "image" ? image(element) : h("span", {}, textObject(element)))),
  actions: (block, onAction) => h("div", { class: "actions" }, block.elements.map((element) => control(element, onAction))),
  context_actions: (block, onAction) => h("div", { class: "actions quiet" }, block.elements.map((element) => control(element, onAction))),
  image: (block) => image(block),
  rich_text: (block) => h("div", {}, block.elements.map(richPart)),
  table: (block) => h("div", { class: "table-frame" }, h("table", {}, h("tbody", {}, block.rows.map((row) =>
    h("tr", {}, row.map((cell) => h("td", {}, cell.type === "rich_text" ? cell.elements.map(richPart) : cell.text))))))),
};

// The page loads nothing from other places, so an image is shown as a link with its description.
function image(block) {
  return h("span", { class: "image" }, link(block.image_url || "", block.alt_text));
}

function richPart(part) {
  const inner = () => part.elements.map(richPart);
  if (part.type === "rich_text_section") return h("div", {}, inner());
  if (part.type === "rich_text_preformatted") return h("pre", {}, h("code", {}, inner()));
  if (part.type === "rich_text_quote") return h("blockquote", {}, inner());
  if (part.type === "rich_text_list") return h(part.style === "ordered" ? "ol" : "ul", {}, part.elements.map((item) => h("li", {}, richPart(item))));
  if (part.type === "user") return h("span", { class: "mention" }, `@${nameOf(part.user_id)}`);
  if (part.type === "link") return link(part.url, part.text || part.url);
  if (part.type === "broadcast") return h("span", { class: "mention" }, `@${part.range}`);
  const style = part.style || {};
  const tag = style.code ? "code" : style.bold ? "strong" : style.italic ? "em" : style.strike ? "s" : "span";
  return h(tag, {}, part.text || "");
}

// `onAction(element, value)` is called when something in the blocks is operated.
export function renderBlocks(blocks, onAction) {
  return blocks.map((block) => {
    const render = RENDERERS[block.type];
    return render ? h("div", { class: "block" }, render(block, onAction)) : h("div", { class: "block muted" }, `[${block.type}]`);
  });
}
