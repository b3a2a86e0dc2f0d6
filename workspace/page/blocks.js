// Block Kit blocks to elements.

import { h, link, tableFrame } from "./dom.js";
import { control } from "./elements.js";
import { icon } from "./icons.js";
import { markdown } from "./markdown.js";
import { textObject } from "./mrkdwn.js";
import { richPart } from "./rich_text.js";

const cell = (part) => (part.type === "rich_text" ? part.elements.map(richPart) : part.text);

function table(block) {
  const [head, ...rows] = block.rows;
  const align = (index) => `align-${block.column_settings?.[index]?.align || "left"}`;
  const row = (cells, tag, props) => h("tr", {}, cells.map((one, index) => h(tag, { class: align(index), ...props }, cell(one))));
  return tableFrame(h("table", {},
    h("thead", {}, row(head, "th", { scope: "col" })), h("tbody", {}, rows.map((cells) => row(cells, "td", {})))));
}

// The page loads nothing from other places, so an image is shown by its description, linked to where it is.
function image(block) {
  const label = [icon("image"), h("span", {}, block.alt_text)];
  return h("figure", { class: "image" }, link(block.image_url || "", ...label), block.title && h("figcaption", {}, textObject(block.title)));
}

const RENDERERS = {
  markdown: (block) => markdown(block.text),
  header: (block) => h("h3", { class: "block-header" }, textObject(block.text)),
  divider: () => h("hr"),
  section: (block, act, key) => h("div", { class: `section${block.accessory?.type === "image" ? " with-image" : ""}` },
    h("div", { class: "section-text" }, block.text && h("div", {}, textObject(block.text)),
      block.fields && h("div", { class: "fields" }, block.fields.map((field) => h("div", {}, textObject(field))))),
    block.accessory && (block.accessory.type === "image" ? image(block.accessory) : control(block.accessory, act, key))),
  context: (block) => h("div", { class: "context" }, block.elements.map((element) =>
    element.type === "image" ? image(element) : h("span", {}, textObject(element)))),
  actions: (block, act, key) => h("div", { class: "actions" }, block.elements.map((element) => control(element, act, key))),
  context_actions: (block, act, key) => h("div", { class: "actions quiet" }, block.elements.map((element) => control(element, act, key))),
  image: (block) => image(block),
  video: (block) => image({ image_url: block.video_url, alt_text: block.alt_text, title: block.title }),
  rich_text: (block) => h("div", { class: "rich-text" }, block.elements.map(richPart)),
  table,
};

// `act(element, value)` is called when something in the blocks is operated; `key` tells one holder of blocks from another.
export function renderBlocks(blocks, act, key) {
  return blocks.map((block) => {
    const render = RENDERERS[block.type];
    return render ? h("div", { class: "block" }, render(block, act, `${key} ${block.block_id || ""}`)) : h("div", { class: "block muted" }, `[${block.type}]`);
  });
}
