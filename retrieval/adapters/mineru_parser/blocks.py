"""MinerU's pages to blocks of Markdown text."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from retrieval.adapters.mineru_parser.engine import Page
from retrieval.adapters.mineru_parser.tables import header_of, table_of
from retrieval.types import Block, BlockKind

_BESIDE: tuple[BlockKind, ...] = ("caption", "footnote")
"""What may stand between the parts of a paragraph that goes on over a page's end."""

_FURNITURE = {"header", "footer", "page_number", "aside_text"}
_UNSPACED = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_ENTRY = re.compile(r"(?:\.{2,}|…|\s)\s*\d{1,4}$")
_PARTS: dict[str, BlockKind] = {"caption": "caption", "footnote": "footnote"}
_NO_CAPTION = re.compile(
    r"data:|\S[^\n]{0,80}\.(?:png|jpe?g|gif|bmp|tiff?|webp|svg|emf|wmf)$|(?:image|picture|graphic|图片|图像)\s*\d*$",
    re.I,
)
"""What programs write where an author describes a picture: its file, or its number."""
_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:page|p|seite|página|pagina|pág|sida|strona|стр|第)\W*)?\d{1,4}\W*"
    r"(?:页|頁|ページ)?(?:\W*(?:of|von|de|di|sur|van|av|z|из|/|共)?\W*\d{1,4}\W*(?:页|頁|ページ)?)?\W*",
    re.I,
)
_MARGIN, _NARROW_MARGIN = 0.12, 0.06
"""Of a page's height: where running headers and footers stand."""
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
    if not block.text.strip():
        return
    at = next((n for n in reversed(range(len(found))) if found[n].kind == block.kind), None)
    before = block if at is None else found[at]
    if at is not None and block.kind == "paragraph" and (goes_on or _breaks_off(before, block)):
        if all(beside.kind in _BESIDE for beside in found[at + 1 :]):
            found[at] = Block("paragraph", _joined(before.text, block.text), page=before.page)
            return
    elif at is not None and block.kind == "table" and goes_on and header_of(before.text) != header_of(block.text):
        block = Block("table", _with_header(before.text, block.text), page=block.page)
    found.append(block)


def _breaks_off(last: Block, block: Block) -> bool:
    """Whether a page ended in the middle of a sentence that this block takes up."""
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
        case "page_footnote":
            yield Block("footnote", _lines(content), page=page)
        case _ if not _is_furniture(raw):
            yield Block("paragraph", _lines(content), page=page)


def _lines(content: object) -> str:
    """Running text, the space that sets columns apart made narrow."""
    return re.sub(r"[ \t\u00a0]{2,}", " ", _inline(content))


def _is_furniture(raw: dict[str, Any]) -> bool:
    """Whether it belongs to the page, not to the text. MinerU takes paragraphs for headers where pages begin alike."""
    if raw.get("type") in _FURNITURE:
        return len(_inline(raw.get("content"))) <= _LONGEST_FURNITURE
    return _is_page_number(raw)


def _is_page_number(raw: dict[str, Any]) -> bool:
    return _at_edge(raw) and _PAGE_NUMBER.fullmatch(_inline(raw.get("content"))) is not None


def _is_contents(lines: list[str]) -> bool:
    """Whether these are the entries of a table of contents: they repeat headings and would crowd out text."""
    return sum(1 for line in lines if _ENTRY.search(line)) * 2 >= len(lines)


def _in_order(children: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Captions before what they describe, footnotes after it."""
    places = {"caption": 0, "footnote": 2}
    return sorted(children, key=lambda child: places.get(child["type"].rpartition("_")[2], 1))


def _part(child: dict[str, Any], page: int) -> Block:
    content = _inline(child.get("content"))
    if "<table" in content:
        return Block("table", table_of(content), page=page)
    kind = _PARTS.get(child["type"].rpartition("_")[2], "paragraph")
    if child["type"] in ("code_body", "algorithm_body"):
        kind, content = "code", f"```\n{content}\n```" if content else ""
    elif child["type"] in ("image_body", "chart_body"):
        kind, content = "caption", "" if _NO_CAPTION.match(content) else content
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
    """The pages without short texts that more than half of them carry at an edge, whatever their number. In a document
    of few pages they must stand close to the edge, since sections may well begin alike."""
    few = len(pages) < _FEWEST_PAGES
    edge = _NARROW_MARGIN if few else _MARGIN
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update({_form(raw) for raw in page.get("blocks") or [] if _at_edge(raw, edge)} - {""})
    repeated = {form for form, count in seen.items() if count > 1 and count * 2 > len(pages)}
    return [{**page, "blocks": _without(page.get("blocks") or [], repeated, edge if few else 1)} for page in pages]


def _without(blocks: list[dict[str, Any]], repeated: set[str], margin: float) -> list[dict[str, Any]]:
    return [raw for raw in blocks if not (_form(raw) in repeated and _at_edge(raw, margin))]


def _at_edge(raw: dict[str, Any], margin: float = _MARGIN) -> bool:
    box = raw.get("bbox") or (0, 0.5, 0, 0.5)
    return raw.get("type") in _FURNITURE or box[3] < margin or box[1] > 1 - margin


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
    blocks = [{"type": "text", "content": words} for words in paragraphs if words]
    return {"page_idx": number, "blocks": blocks}
