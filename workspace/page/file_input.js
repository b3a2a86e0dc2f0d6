// A place to drop files on or to choose them from, for a modal.

import { makeChosenFiles } from "./chosen_files.js";
import { h } from "./dom.js";
import { acceptDrops } from "./drop.js";
import { icon } from "./icons.js";

const suffixOf = (file) => file.name.split(".").pop().toLowerCase();

export function fileInput(element, id) {
  const most = element.max_files || 10;
  const types = (element.filetypes || []).map((type) => type.toLowerCase());
  const trouble = h("p", { class: "field-error", role: "alert", hidden: true });
  const chosen = makeChosenFiles();
  const picker = h("input", { type: "file", id, multiple: most > 1, accept: types.map((type) => `.${type}`).join(","), onchange: () => { add([...picker.files]); picker.value = ""; } });

  function say(text) {
    trouble.textContent = text;
    trouble.hidden = !text;
  }

  function add(more) {
    const fitting = more.filter((file) => !types.length || types.includes(suffixOf(file)));
    const refused = more.filter((file) => !fitting.includes(file)).map((file) => file.name);
    const all = [...(most > 1 ? chosen.files() : []), ...fitting];
    chosen.set(all.slice(0, most));
    if (refused.length) say(`Not taken: ${refused.join(", ")}. Only ${types.join(", ")} can be added.`);
    else say(all.length > most ? `${most === 1 ? "One file" : `${most} files`} at most: ${all.slice(most).map((file) => file.name).join(", ")} left out.` : "");
  }

  const zone = h("div", { class: "drop-zone" }, icon("plus"),
    h("span", {}, h("strong", {}, most > 1 ? "Choose files" : "Choose a file"), " or drop them here"),
    types.length ? h("small", {}, types.join(", ")) : null, picker);
  acceptDrops(zone, add);
  return { node: h("div", { class: "file-input" }, zone, chosen.node, trouble), read: () => null, files: chosen.files };
}
