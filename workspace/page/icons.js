// Small drawings, so that nothing depends on the emoji a machine happens to have.

const SHAPES = {
  clip: "M6 11l6-6a3 3 0 0 1 4.2 4.2l-7.5 7.5a5 5 0 0 1-7-7L9 2.4",
  up: "M6 9v8H3V9zm0 0l3.5-6.5c1.6 0 2.3 1 2 2.6L11 8h5l-1.4 9H6",
  down: "M6 11V3H3v8zm0 0l3.5 6.5c1.6 0 2.3-1 2-2.6L11 12h5l-1.4-9H6",
  check: "M3.5 10l4 4.2L15.5 5",
  eyes: "M5.5 5c1.7 0 3 2 3 4.5S7.200 14 5.500 14s-3-2-3-4.500S3.800 5 5.500 5zm8 0c1.700 0 3 2 3 4.500s-1.300 4.500-3 4.500-3-2-3-4.500S11.800 5 13.500 5zM6.500 9.500v1.500m8-1.500v1.500",
  heart: "M9.500 16C4 12 2.500 9.500 2.500 7A3.500 3.500 0 0 1 9.500 6a3.500 3.500 0 0 1 7 1c0 2.500-1.500 5-7 9z",
  tada: "M3 16.500L6.500 7l6 6zM10.500 6c0-1.500 1-2 1-3.500m2 6c1.500 0 1.500-1 3-1m-2.500-3.500l1-1m-1 8.500c1 0 2 .5 2 1.500",
  question: "M6.500 7a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.100-1.500 2.400m0 3v.6",
  bulb: "M7 15h5m-4.500 2h4M9.500 2.500a5 5 0 0 0-2.800 9.100c.6.500.8 1 .8 1.900h4c0-.9.2-1.400.8-1.900A5 5 0 0 0 9.500 2.500z",
  smile: "M9.500 2.500a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM7 7.500v.8m5-.8v.8M6.300 11.300c1.800 2.300 4.600 2.300 6.400 0",
  reply: "M3 4.500h13v8.500H9l-3.500 3v-3H3z",
  more: "M4 9.500h.01M9.500 9.500h.01M15 9.500h.01",
  trash: "M3.500 5.500h12M7.500 5.500V3.500h4v2m-6.500 0l.8 11h7.400l.8-11m-5.800 3v5m2.600-5v5",
  lock: "M4.500 9h10v7.500h-10zm2-0V6a3 3 0 0 1 6 0v3",
  menu: "M3 5h13M3 9.500h13M3 14h13",
  clock: "M9.500 2.500a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM9.500 5.500v4l2.800 1.800",
  turn: "M15.500 8A6.200 6.200 0 0 0 4 7m-.5-3.500V7H7M3.500 11A6.200 6.200 0 0 0 15 12m.5 3.500V12H12",
  minus: "M4 9.500h11",
  stop: "M9.500 2.500a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM4.600 4.600l9.800 9.800",
  close: "M5 5l9 9m0-9l-9 9",
  back: "M11.500 4.500l-5 5 5 5",
  plus: "M9.500 4v11M4 9.500h11",
  image: "M3 4h13v11H3zm0 9l4-4 3 3 2.500-2.500L16 13M11.500 7h.01",
  toApp: "M3 9.500h12m-4-4l4 4-4 4",
  fromApp: "M16 9.500H4m4-4l-4 4 4 4",
  plug: "M7 3v3m5-3v3M5 6h9v3.500a4.500 4.500 0 0 1-9 0zm4.500 8v3",
  traffic: "M3 6.500h10m-3-3l3 3-3 3M16 12.500H6m3-3l-3 3 3 3",
  person: "M9.500 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3.500 16c.5-3.500 3-5 6-5s5.500 1.500 6 5",
  hash: "M7.500 3l-1.500 13M13 3l-1.500 13M3.500 7h12.500M3 12h12.500",
};

const NAMESPACE = "http://www.w3.org/2000/svg";

export function icon(name, more = "") {
  const svg = document.createElementNS(NAMESPACE, "svg");
  const path = document.createElementNS(NAMESPACE, "path");
  svg.setAttribute("viewBox", "0 0 19 19");
  svg.setAttribute("class", `icon ${more}`.trim());
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}
