// Files that have been chosen and not sent yet: a row of chips, each with a button to take it out again.

import { h, replace } from "./dom.js";
import { icon } from "./icons.js";

export function makeChosenFiles({ onChange = () => {} } = {}) {
  let files = [];
  const node = h("div", { class: "chosen-files" });

  function set(wanted) {
    files = wanted;
    replace(node, files.map((file) => h("span", { class: "file" }, icon("clip"), h("span", { class: "file-name" }, file.name),
      h("button", { type: "button", class: "icon-button small", "aria-label": `Remove ${file.name}`, onclick: () => set(files.filter((other) => other !== file)) }, icon("close")))));
    onChange(files);
  }

  return { node, set, add: (more) => set([...files, ...more]), files: () => files };
}
