"""Headings all on one level to headings as the document means them."""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import regex

from retrieval.types import Block

_NUMBERED = regex.compile(r"(\d{1,2}(?:\.\d{1,2}){0,5})[.)]?\s+\S")
_CHINESE = (
    (regex.compile(r"第[一二三四五六七八九十百零〇\d]+[章编篇]|附[录件]"), 1),
    (regex.compile(r"第[一二三四五六七八九十百零〇\d]+节|[一二三四五六七八九十]{1,3}、"), 2),
    (regex.compile(r"第[一二三四五六七八九十百零〇\d]+条|[（(][一二三四五六七八九十]{1,3}[)）]"), 3),
)
_CHAPTER = regex.compile(
    r"(?:chapter|part|appendix|annex|chapitre|partie|annexe|capítulo|parte|anexo|kapitel|teil)\s+\S", regex.I
)
_CHINESE_CHAPTER = regex.compile(r"第[一二三四五六七八九十百零〇\d]+[章编篇节]\s?[\p{Han}\w、“”《》（）·\s]{0,30}")
_LONGEST_TITLE = 100
_BARE_NUMBER = regex.compile(r"[\dIVX]{1,4}(?:\.\d{1,2})*[.)]?")
_IN_BRACKETS = regex.compile(r"[(（].*[)）]")
_MOST_OFTEN = 2
_LEADING_NUMBER = regex.compile(r"^[\d.]+\s+")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark. `level` and `page` count from 1."""

    title: str
    level: int
    page: int | None


def repaired(blocks: list[Block], outline: list[OutlineEntry]) -> list[Block]:
    """The blocks with each heading's level from the outline, else from its number, else as it is.

    A number that stands alone belongs to the heading after it. A heading without a letter or digit is none;
    nor is one in brackets or one that comes again and again, as the heads of table columns do.
    Levels never rise by more than one at a time.
    """
    levels = _levels_by_title(outline)
    whole = _whole([_noticed(block, levels) for block in blocks])
    titles = Counter(block.text for block in whole if block.kind == "heading")
    chapters = _chapters(titles)
    found: list[Block] = []
    above = 0
    for block in whole:
        if block.kind == "heading":
            known = _from_outline(block, levels) or _from_number(block.text, chapters)
            if not known and (titles[block.text] > _MOST_OFTEN or _IN_BRACKETS.fullmatch(block.text)):
                block = replace(block, kind="paragraph", level=0)
            else:
                above = min(known or block.level or 1, above + 1, 6)
                block = replace(block, level=above)
        found.append(block)
    return found


def _noticed(block: Block, entries: dict[str, list[OutlineEntry]]) -> Block:
    """A paragraph as a heading if the outline has it on its very page, or if it is the title of a chapter."""
    if block.kind != "paragraph" or len(block.text) > _LONGEST_TITLE or "\n" in block.text:
        return block
    in_outline = any(entry.page == block.page is not None for entry in entries.get(_key(block.text), []))
    return replace(block, kind="heading") if in_outline or _CHINESE_CHAPTER.fullmatch(block.text) else block


def _whole(blocks: list[Block]) -> list[Block]:
    found: list[Block] = []
    number: Block | None = None
    for block in blocks:
        if number:
            heading = block.kind == "heading" and block.page == number.page
            text = f"{number.text} {block.text}" if heading else number.text
            found.append(replace(number, text=text, kind="heading" if heading else "paragraph"))
            number = None
            if heading:
                continue
        if block.kind != "heading" or any(letter.isalpha() for letter in block.text):
            found.append(block)
        elif _BARE_NUMBER.fullmatch(block.text.strip()):
            number = block
        elif any(letter.isalnum() for letter in block.text):
            found.append(replace(block, kind="paragraph", level=0))
    return [*found, replace(number, kind="paragraph", level=0)] if number else found


def _key(title: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKC", title).casefold() if letter.isalnum())


def _levels_by_title(outline: list[OutlineEntry]) -> dict[str, list[OutlineEntry]]:
    found: dict[str, list[OutlineEntry]] = {}
    for entry in outline:
        found.setdefault(_key(entry.title), []).append(entry)
    return found


def _from_outline(heading: Block, entries: dict[str, list[OutlineEntry]]) -> int | None:
    """The level of the bookmark of that title on that page or one beside it."""
    for title in (heading.text, _LEADING_NUMBER.sub("", heading.text)):
        for entry in entries.get(_key(title), []):
            if entry.page is None or heading.page is None or abs(entry.page - heading.page) <= 1:
                return entry.level
    return None


def _chapters(titles: Iterable[str]) -> set[str]:
    """Numbers without a dot that count chapters: 1, and those with a neighbour. "12 Months" counts none."""
    numbers = [match[1] for title in titles if (match := _NUMBERED.match(title))]
    whole = {int(number.partition(".")[0]) for number in numbers}
    return {str(number) for number in whole if number == 1 or whole & {number - 1, number + 1}}


def _from_number(title: str, chapters: set[str]) -> int | None:
    match = _NUMBERED.match(title)
    if match:
        depth = match[1].removesuffix(".0").count(".") + 1
        return depth if depth > 1 or match[1] in chapters else None
    if _CHAPTER.match(title):
        return 1
    return next((level for pattern, level in _CHINESE if pattern.match(title)), None)
