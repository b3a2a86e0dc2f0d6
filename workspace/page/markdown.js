// The text of a markdown block to elements: headings, lists, tables, quotes, code.

import { codeBlock, h, link, tableFrame } from "./dom.js";
import { decode, token } from "./mrkdwn.js";

const FENCE = /^ {0,3}(```+|~~~+)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+•]|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}(?:>|&gt;) ?/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

const INLINE = new RegExp([
  "\\\\([!-/:-@\\[-`{-~])",
  "(`+)(.+?)\\2(?!`)",
  "!?\\[((?:[^\\[\\]]|\\[[^\\[\\]]*\\])*)\\]\\(([^()\\s]*(?:\\([^()\\s]*\\)[^()\\s]*)*)\\)",
  "<([^<>\\n]+)>",
  "(\\*\\*\\*|\\*\\*|\\*|~~)(?=\\S)(.+?)(?<=\\S)\\7",
  "(?<!\\w)(__|_)(?=\\S)(.+?)(?<=\\S)\\9(?!\\w)",
  "(https?://[^\\s<>]*[^\\s<>.,;:!?)\\]}'\"])",
  "(\\n)",
].join("|"), "g");

const STYLES = { "***": "strong", "**": "strong", __: "strong", "*": "em", _: "em", "~~": "s" };

export function inline(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    nodes.push(decode(text.slice(end, match.index)));
    const [, escaped, , code, label, address, inside, mark, marked, line, lined, bare] = match;
    if (escaped) nodes.push(escaped);
    else if (code) nodes.push(h("code", {}, decode(code)));
    else if (label !== undefined) nodes.push(link(decode(address), label ? inline(label) : decode(address)));
    else if (inside) nodes.push(token(inside));
    else if (mark) nodes.push(h(STYLES[mark], {}, mark === "***" ? h("em", {}, inline(marked)) : inline(marked)));
    else if (line) nodes.push(h(STYLES[line], {}, inline(lined)));
    else if (bare) nodes.push(link(decode(bare), decode(bare)));
    else nodes.push(h("br"));
    end = match.index + match[0].length;
  }
  nodes.push(decode(text.slice(end)));
  return nodes;
}

const cells = (row) => row.trim().replace(/^\||(?<!\\)\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));

function table(lines) {
  const [head, , ...rows] = lines;
  return tableFrame(h("table", {},
    h("thead", {}, h("tr", {}, cells(head).map((cell) => h("th", { scope: "col" }, inline(cell))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, cells(row).map((cell) => h("td", {}, inline(cell))))))));
}

// Lines of one list, nested by their indentation.
function list(lines) {
  const [, indent, mark] = lines[0].match(ITEM);
  const items = [];
  for (const line of lines) {
    const match = line.match(ITEM);
    if (match && match[1].length <= indent.length + 1) items.push({ text: match[3], inner: [] });
    else items.at(-1).inner.push(line);
  }
  const props = numbered(lines[0]) ? { start: parseInt(mark, 10) } : {};
  return h(numbered(lines[0]) ? "ol" : "ul", props, items.map(({ text, inner }) =>
    h("li", {}, inline(text), inner.length ? blocks(dedent(inner)) : [])));
}

function dedent(lines) {
  const least = Math.min(...lines.filter((line) => line.trim()).map((line) => line.match(/^\s*/)[0].length));
  return lines.map((line) => line.slice(least));
}

function takeWhile(lines, start, test) {
  let end = start;
  while (end < lines.length && test(lines[end], end)) end += 1;
  return lines.slice(start, end);
}

// Lists end where bullets turn into numbers.
const numbered = (line) => /\d/.test(line.match(ITEM)?.[2] || "");

const startsBlock = (line) => FENCE.test(line) || HEADING.test(line) || RULE.test(line) || ITEM.test(line) || QUOTE.test(line);

// The element for the block that starts at a line, and how many lines it took.
function blockAt(lines, at) {
  const line = lines[at];
  const heading = line.match(HEADING);
  if (heading) return [h(`h${Math.min(heading[1].length + 2, 6)}`, {}, inline(heading[2])), 1];
  if (FENCE.test(line)) {
    const body = takeWhile(lines, at + 1, (next) => !FENCE.test(next));
    return [codeBlock(decode(body.join("\n"))), body.length + 2];
  }
  if (RULE.test(line)) return [h("hr"), 1];
  if (line.includes("|") && TABLE_RULE.test(lines[at + 1] || "") && lines[at + 1].includes("-")) {
    const rows = takeWhile(lines, at, (next) => next.includes("|"));
    return [table(rows), rows.length];
  }
  if (ITEM.test(line)) {
    const outer = line.match(ITEM)[1].length;
    const sameList = (next) => ITEM.test(next) && (next.match(ITEM)[1].length > outer + 1 || numbered(next) === numbered(line));
    const items = takeWhile(lines, at, (next, index) =>
      sameList(next) || /^\s{2,}\S/.test(next) || (!next.trim() && (/^\s{2,}\S/.test(lines[index + 1] || "") || sameList(lines[index + 1] || ""))));
    return [list(items), items.length];
  }
  if (QUOTE.test(line)) {
    const quoted = takeWhile(lines, at, (next) => QUOTE.test(next));
    return [h("blockquote", {}, blocks(quoted.map((next) => next.replace(QUOTE, "")))), quoted.length];
  }
  const text = takeWhile(lines, at, (next, index) => next.trim() && (index === at || !startsBlock(next)));
  return [h("p", {}, inline(text.join("\n"))), text.length];
}

function blocks(lines) {
  const nodes = [];
  let at = 0;
  while (at < lines.length) {
    if (!lines[at].trim()) { at += 1; continue; }
    const [node, taken] = blockAt(lines, at);
    nodes.push(node);
    at += taken;
  }
  return nodes;
}

export const markdown = (text) => h("div", { class: "markdown" }, blocks(text.split("\n")));
