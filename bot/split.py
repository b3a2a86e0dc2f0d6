"""A long Markdown text to parts that each stand alone, with nothing lost."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"(?<=[.!?])[ \t]+|(?<=[。！？])")
_WORD = re.compile(r"[ \t]+")


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text that stays together, and what stood before it."""

    before: str
    text: str


def split(markdown: str, limit: int) -> list[str]:
    """Parts of at most `limit` characters, cut between paragraphs, lines, sentences or words, in this order.

    A code fence that is cut is closed and opened again. `limit` must leave room for the fence itself.
    """
    parts: list[str] = []
    for piece in (p for unit in _units(markdown) for p in _pieces(unit, limit)):
        if parts and len(parts[-1]) + len(piece.before) + len(piece.text) <= limit:
            parts[-1] += piece.before + piece.text
        else:
            parts.append(piece.text)
    return parts


def _units(markdown: str) -> Iterator[str]:
    """Paragraphs and whole code fences; a fence left open is closed."""
    unit: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            unit.append(line)
            if mark and mark[1].startswith(fence):
                yield "\n".join(unit)
                unit, fence = [], ""
            continue
        if unit and (mark or not line.strip()):
            yield "\n".join(unit)
            unit = []
        if mark or line.strip():
            unit.append(line)
        fence = mark[1] if mark else ""
    if unit:
        yield "\n".join([*unit, *([fence] if fence else [])])


def _pieces(unit: str, limit: int) -> Iterator[_Piece]:
    if len(unit) <= limit:
        yield _Piece("\n\n", unit)
    elif _FENCE.match(unit):
        for part in _fenced(unit, limit):
            yield _Piece("\n\n", part)
    else:
        yield from _cut(unit, limit, (_LINE, _SENTENCE, _WORD), "\n\n")


def _fenced(unit: str, limit: int) -> Iterator[str]:
    opening, *lines, closing = unit.split("\n")
    room = limit - len(opening) - len(closing) - 2
    body: list[str] = []
    for line in (part for long in lines for part in _by_length(long, room)):
        if body and sum(map(len, body)) + len(body) + len(line) > room:
            yield "\n".join([opening, *body, closing])
            body = []
        body.append(line)
    yield "\n".join([opening, *body, closing])


def _cut(text: str, limit: int, borders: tuple[re.Pattern[str], ...], before: str) -> Iterator[_Piece]:
    """Pieces no longer than `limit`, cut at the first kind of border that makes them short enough."""
    if len(text) <= limit:
        yield _Piece(before, text)
        return
    if not borders:
        for part in _by_length(text, limit):
            yield _Piece(before, part)
            before = ""
        return
    start = 0
    for border in borders[0].finditer(text):
        if text[start : border.start()]:
            yield from _cut(text[start : border.start()], limit, borders[1:], before)
        start, before = border.end(), border.group()
    if text[start:]:
        yield from _cut(text[start:], limit, borders[1:], before)


def _by_length(text: str, limit: int) -> list[str]:
    return [text[at : at + limit] for at in range(0, len(text), limit)] or [""]


Escape = Callable[[str], str]


def split_escaped(markdown: str, limit: int, escape: Escape) -> list[str]:
    """As `split`, for parts that must not be longer than `limit` once escaped. The parts are not escaped."""
    parts = split(markdown, limit)
    return [
        piece
        for part in parts
        for piece in ([part] if len(escape(part)) <= limit or limit < 200 else split_escaped(part, limit // 2, escape))
    ]
