"""Plain text to blocks: paragraphs, and lists where lines begin like items."""

import itertools

import regex

from retrieval.library.lines import item_indent, tidy_list, unwrapped
from retrieval.types import Block, ParsedDocument

_PARAGRAPH_END = regex.compile(r"\n[ \t]*\n\s*")
_LONGEST_TITLE = 100
_SENTENCE_END = regex.compile(r"[.!?;:,。！？；：，…]\s*$")
_RULE = regex.compile(r"[=\-_*~#]{3,}\s*$")


def read_plain(text: str, name: str) -> ParsedDocument:
    """The document of a plain text. A short first line that stands alone is its title; else `name` is."""
    paragraphs = [part for part in _PARAGRAPH_END.split(text.strip("\n")) if part.strip()]
    title = _title(paragraphs)
    heading = [Block("heading", title, level=1)] if title else []
    blocks = [block for part in paragraphs[1 if title else 0 :] for block in _blocks(part)]
    return ParsedDocument(title or name, (*heading, *blocks), "text")


def _title(paragraphs: list[str]) -> str:
    """The first paragraph where it is one short line, underlined or not, and more text follows."""
    first = [line for line in paragraphs[0].splitlines() if not _RULE.match(line)] if paragraphs else []
    alone = len(first) == 1 and len(paragraphs) > 1 and len(first[0]) <= _LONGEST_TITLE
    plain = alone and not _SENTENCE_END.search(first[0]) and item_indent(first[0]) is None
    return " ".join(first[0].split()) if plain else ""


def _blocks(paragraph: str) -> list[Block]:
    """The list and the lines before it, for a paragraph some of whose lines begin like items."""
    lines = [line for line in paragraph.split("\n") if not _RULE.match(line)]
    before = list(itertools.takewhile(lambda line: item_indent(line) is None, lines))
    items = lines[len(before) :]
    blocks = [Block("paragraph", unwrapped("\n".join(before)))] if before else []
    if len([line for line in items if item_indent(line) is not None]) > 1:
        return [*blocks, Block("list", tidy_list(items))]
    return [Block("paragraph", unwrapped("\n".join(lines)))] if lines else []
