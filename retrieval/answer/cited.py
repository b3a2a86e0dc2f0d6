"""An answer to what of it is cited: nothing is shown that names no passage."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import regex
from markdown_it import MarkdownIt

from retrieval.answer.marks import marks
from retrieval.text import sentences

_MARKDOWN = MarkdownIt("commonmark").enable("table")
_KEPT_WHOLE = {"fence", "code_block", "table_open"}
_LEADS = regex.compile(r"[:：][*_\s]*$")
_MARKER = regex.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_BELONGS_TO_NEXT = regex.compile(r"[*_]*\p{L}{1,6}[*_]*[.!。！][*_]*|\d{1,3}[.)]")
"""Yes and No, and the number of a list item."""

_REFERENCE = regex.compile(r"\[\d+\]:?\s+[\p{L}\p{N}*_\"“]")
_WRAPPED = regex.compile(r"(?<![.!?…。！？:：\]])\n(?!\s*(?:[-*+•]|\d{1,3}[.)])\s)|\n(?=\p{Ll})")
"""A line break within a sentence."""


@dataclass(frozen=True, slots=True)
class _Block:
    """A piece of Markdown as written, from line `start` up to `end`. A list has its items beside it."""

    kind: str
    start: int
    end: int
    text: str
    items: tuple[str, ...] = ()

    @property
    def lead(self) -> str:
        """Its last sentence, where that leads to what follows; else ""."""
        last = sentences(self.text)[-1:]
        return last[0] if last and _LEADS.search(last[0]) else ""


def only_cited(text: str) -> str:
    """The Markdown without sentences and list items that bear no mark, and without a list of sources.

    Code and tables stay. What leads to something (a heading, "You need:", "Yes.") stays with it, and a list stays
    under a lead that bears a mark.
    """
    blocks = _blocks(text)
    leads = ["", *(block.lead for block in blocks)]
    kept: list[tuple[_Block, str]] = []
    for block, lead in reversed(list(zip(blocks, leads, strict=False))):
        if stays := _staying(block, lead, followed=bool(kept) and kept[0][0].start == _next(block, blocks)):
            kept.insert(0, (block, stays))
    gaps = ["\n" if before.end == here.start else "\n\n" for (before, _), (here, _) in pairwise(kept)]
    return "".join(gap + stays for gap, (_, stays) in zip(["", *gaps], kept, strict=False))


def _staying(block: _Block, lead: str, *, followed: bool) -> str:
    """What stays of a block that stands after that lead; `followed` says whether any of the next one stays."""
    if block.kind in _KEPT_WHOLE:
        return block.text
    if block.kind == "heading_open":
        return block.text if followed else ""
    if block.items:
        return block.text if marks(lead) else "\n".join(filter(None, map(_cited_item, block.items)))
    return _cited_sentences(block.text, followed=followed)


def _cited_item(item: str) -> str:
    if "```" in item:
        return item if marks(item) else ""
    marker = _MARKER.match(item)
    body = _cited_sentences(item[marker.end() :] if marker else item)
    return f"{marker[0] if marker else ''}{body}" if body else ""


def _cited_sentences(text: str, *, followed: bool = False) -> str:
    text = _WRAPPED.sub(" ", text)
    for sentence in reversed(sentences(text)):
        cited = bool(marks(sentence)) and not _REFERENCE.match(sentence)
        followed = cited or (followed and bool(_LEADS.search(sentence) or _BELONGS_TO_NEXT.fullmatch(sentence)))
        if not followed:
            text = _without(text, sentence)
    return regex.sub(r"\n{2,}", "\n", text.strip())


def _without(text: str, sentence: str) -> str:
    before, _, after = text.rpartition(sentence)
    return before.rstrip(" ") + (" " if before.endswith(" ") and after.strip() else "") + after.lstrip(" ")


def _next(block: _Block, blocks: Sequence[_Block]) -> int:
    return min((other.start for other in blocks if other.start > block.start), default=-1)


def _blocks(text: str) -> list[_Block]:
    lines = text.splitlines()
    blocks: list[_Block] = []
    for token in _MARKDOWN.parse(text):
        if not token.map or token.nesting < 0:
            continue
        start, end = token.map
        written = "\n".join(lines[start:end]).rstrip()
        if token.level == 0:
            blocks.append(_Block(token.type, start, start + written.count("\n") + 1, written))
        elif token.type == "list_item_open" and token.level == 1:
            blocks[-1] = replace(blocks[-1], items=(*blocks[-1].items, written))
    return blocks
