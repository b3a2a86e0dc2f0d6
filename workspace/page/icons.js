// Small drawings, so that nothing depends on the emoji a machine happens to have.

const SHAPES = {
  clip: "M6 11l6-6a3 3 0 0 1 4.2 4.2l-7.5 7.5a5 5 0 0 1-7-7L9 2.4",
  up: "M6 9v8H3V9zm0 0l3.5-6.5c1.6 0 2.3 1 2 2.6L11 8h5l-1.4 9H6",
  down: "M6 11V3H3v8zm0 0l3.5 6.5c1.6 0 2.3-1 2-2.6L11 12h5l-1.4-9H6",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 19 19");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}
