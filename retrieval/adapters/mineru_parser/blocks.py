"""MinerU's pages to blocks of Markdown text."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from retrieval.adapters.mineru_parser.tables import header_of, table_of
from retrieval.types import Block, BlockKind

Page = dict[str, Any]
"""One page of MinerU's `middle_json`: `page_idx` from 0 and `blocks`, each with `type`, `bbox` and `content`."""

_FURNITURE = {"header", "footer", "page_number", "aside_text"}
_UNSPACED = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_ENTRY = re.compile(r"(?:\.{2,}|…|\s)\s*\d{1,4}$")
_MARGIN = 0.12
_FEWEST_PAGES = 4
_LONGEST_FURNITURE = 100


def blocks_of(pages: list[Page]) -> tuple[list[Block], str]:
    """Blocks in reading order and the document's title ("" where none is marked).

    Running headers, footers and page numbers are left out; a paragraph that goes on over a page's end is one
    block, on the page where it begins.
    """
    found: list[Block] = []
    title = ""
    for page in pages:
        for raw in page.get("blocks") or []:
            if raw.get("type") == "doc_title" and not title:
                title = _inline(raw.get("content"))
            for block in _blocks(raw, page["page_idx"] + 1):
                _take(block, found, goes_on=bool(raw.get("continues_prev")))
    return found, title


def _take(block: Block, found: list[Block], *, goes_on: bool) -> None:
    goes_on = goes_on or _breaks_off(found, block)
    before = next((seen for seen in reversed(found) if seen.kind == block.kind), None) if goes_on else None
    if before and block.kind == "paragraph" and before is found[-1]:
        found[-1] = Block("paragraph", _joined(before.text, block.text), page=before.page)
    elif before and block.kind == "table" and header_of(before.text) != header_of(block.text):
        found.append(Block("table", _with_header(before.text, block.text), page=block.page))
    elif block.text.strip():
        found.append(block)


def _breaks_off(found: list[Block], block: Block) -> bool:
    """Whether a page ended in the middle of a sentence that this block takes up."""
    last = found[-1] if found else block
    paragraphs = last.kind == block.kind == "paragraph" and last.page != block.page
    return paragraphs and last.text[-1:].isalpha() and block.text[:1].islower()


def _with_header(before: str, table: str) -> str:
    """A table that goes on from the page before, under the header it has there."""
    header, rule = before.split("\n")[:2]
    first, _, *rows = table.split("\n")
    same = header.count("|") == first.count("|")
    return "\n".join([header, rule, first, *rows]) if same else table


def _joined(first: str, second: str) -> str:
    unspaced = _UNSPACED.match(first[-1:]) and _UNSPACED.match(second[:1])
    if first.endswith("-") and second[:1].islower():
        return first + second
    return first + ("" if unspaced else " ") + second


def _blocks(raw: dict[str, Any], page: int) -> Iterator[Block]:
    kind, content = raw.get("type", ""), raw.get("content")
    match kind:
        case "doc_title" | "paragraph_title":
            yield Block("heading", " ".join(_inline(content).split()), level=int(raw.get("level") or 1), page=page)
        case "equation":
            yield Block("formula", f"$$\n{content.strip()}\n$$" if content and content.strip() else "", page=page)
        case "list" | "index":
            lines = _items(raw, 0)
            if kind == "list" or not _is_contents(lines):
                yield Block("list", "\n".join(lines), page=page)
        case "table" | "image" | "chart" | "code":
            yield from (_part(child, page) for child in _in_order(content or []))
        case _ if kind not in _FURNITURE and not _is_page_number(raw):
            yield Block("paragraph", _lines(content), page=page)


def _lines(content: object) -> str:
    """Running text, the space that sets columns apart made narrow."""
    return re.sub(r"[ \t\u00a0]{2,}", " ", _inline(content))


def _is_page_number(raw: dict[str, Any]) -> bool:
    return _at_edge(raw) and re.fullmatch(r"\W*\d{1,4}\W*", _inline(raw.get("content"))) is not None


def _is_contents(lines: list[str]) -> bool:
    """Whether these are the entries of a table of contents: they repeat headings and would crowd out text."""
    return sum(1 for line in lines if _ENTRY.search(line)) * 2 >= len(lines)


def _in_order(children: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Captions before what they describe, footnotes after it."""
    places = {"caption": 0, "footnote": 2}
    return sorted(children, key=lambda child: places.get(child["type"].rpartition("_")[2], 1))


def _part(child: dict[str, Any], page: int) -> Block:
    content = child.get("content") or ""
    if isinstance(content, list):
        content = _inline(content)
    kind: BlockKind = "paragraph"
    if child["type"] in ("code_body", "algorithm_body"):
        kind, content = "code", f"```\n{content.strip()}\n```" if content.strip() else ""
    elif "<table" in content:
        content = table_of(content)
        kind = "table"
    return Block(kind, content, page=page)


def _items(raw: dict[str, Any], depth: int) -> list[str]:
    lines = []
    for child in raw.get("content") or []:
        if child.get("type") in ("list", "index"):
            lines += _items(child, depth + 1)
        else:
            text = " ".join(_inline(child.get("content")).split())
            marked = re.match(r"[-*•·–▪◦●○■]\s|\(?\w{1,3}[.)、]|[（(]\S{1,4}[)）]|[①-⑳]", text)
            lines.append("  " * depth + (text if marked else f"- {text}"))
    return lines


def _inline(spans: object) -> str:
    """Running text of spans; formulas between dollar signs, code between backticks, links by their words."""
    if not isinstance(spans, list):
        return str(spans or "").strip()
    return "".join(map(_span, spans)).strip()


def _span(span: dict[str, Any]) -> str:
    content = span.get("content", "")
    match span.get("type"):
        case "equation_inline":
            return f"${content}$"
        case "code_inline":
            return f"`{content}`"
        case "hyperlink":
            return "".join(map(_span, content))
    raised = "superscript" in (span.get("styles") or [])
    return f"^{content}" if raised and str(content).strip().isalnum() else str(content)


def without_repeated_lines(pages: list[Page]) -> list[Page]:
    """The pages without short texts that more than half of them carry at an edge, whatever their number."""
    if len(pages) < _FEWEST_PAGES:
        return pages
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update({_form(raw) for raw in page.get("blocks") or [] if _at_edge(raw)} - {""})
    repeated = {form for form, count in seen.items() if count * 2 > len(pages)}
    return [
        {**page, "blocks": [raw for raw in page.get("blocks") or [] if _form(raw) not in repeated]} for page in pages
    ]


def _at_edge(raw: dict[str, Any]) -> bool:
    box = raw.get("bbox") or (0, 0.5, 0, 0.5)
    return raw.get("type") in _FURNITURE or box[3] < _MARGIN or box[1] > 1 - _MARGIN


def _form(raw: dict[str, Any]) -> str:
    """A short text with its digits alike; "" for everything else."""
    if raw.get("type") not in {"text", "paragraph_title", "doc_title", *_FURNITURE}:
        return ""
    text = _inline(raw.get("content"))
    return re.sub(r"\d+", "0", text) if len(text) <= _LONGEST_FURNITURE else ""


def letters_in(found: object) -> int:
    """Letters and digits in the text of a page or block, whatever its shape."""
    if isinstance(found, str):
        return sum(map(str.isalnum, re.sub(r"<[^<>]*>", "", found)))
    if isinstance(found, list):
        return sum(map(letters_in, found))
    if isinstance(found, dict):
        return letters_in(found.get("blocks")) + letters_in(found.get("content"))
    return 0


def bare_page(number: int, text: str) -> Page:
    """A page, counted from 0, of paragraphs alone."""
    paragraphs = (" ".join(part.split()) for part in re.split(r"\r?\n\s*\r?\n", text))
    blocks = [{"type": "text", "content": [{"type": "text", "content": words}]} for words in paragraphs if words]
    return {"page_idx": number, "blocks": blocks}
