"""A long Markdown text to parts that each stand alone, with nothing lost."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bot.code import Code, code_in, fence_lines, normal

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_NESTED_ITEM = re.compile(r"( {2,})(?:[-*+]|\d+[.)])[ \t]")
_TABLE = re.compile(r"[^\n]*\|[^\n]*\n[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|?)+[ \t]*(?:\n|\Z)")
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"(?<=[.!?])[ \t]+|(?<=[。！？])")
_WORD = re.compile(r"[ \t]+")


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text that stays together, and what stood before it."""

    before: str
    text: str


@dataclass(frozen=True, slots=True)
class _Unit:
    """A paragraph, or a code fence from its first line to its last."""

    text: str
    is_fence: bool = False


def grouped(lines: Iterable[str], limit: int) -> list[tuple[str, ...]]:
    """The lines in groups whose text, joined by line breaks, has at most `limit` characters; a longer line is alone."""
    groups: list[list[str]] = []
    for line in lines:
        if groups and sum(map(len, groups[-1])) + len(groups[-1]) + len(line) <= limit:
            groups[-1].append(line)
        else:
            groups.append([line])
    return [tuple(group) for group in groups]


def split(markdown: str, limit: int) -> list[str]:
    """Parts of at most `limit` characters, cut between paragraphs, lines, sentences or words, in this order.

    Code that is cut is closed and opened again, a table that is cut gets its header again. `limit` must leave
    room for these.
    """
    parts: list[str] = []
    for piece in (p for unit in _units(normal(markdown)) for p in _pieces(unit, limit)):
        if parts and len(parts[-1]) + len(piece.before) + len(piece.text) <= limit:
            parts[-1] += piece.before + piece.text
        else:
            parts.append(piece.text)
    return [_from_the_margin(part) for part in parts]


def _from_the_margin(part: str) -> str:
    """A part that begins inside a list, moved left: so far in, Markdown would take it for code."""
    indent = _NESTED_ITEM.match(part)
    if not indent:
        return part
    lines = part.split("\n")
    inside = next((n for n, line in enumerate(lines) if line and not line.startswith(indent[1])), len(lines))
    return "\n".join([*(line[len(indent[1]) :] for line in lines[:inside]), *lines[inside:]])


def _units(markdown: str) -> Iterator[_Unit]:
    """Paragraphs and whole code fences; a fence left open is closed."""
    lines, fences = markdown.split("\n"), fence_lines(markdown)
    unit: list[str] = []
    fence_ends = 0
    for at, line in enumerate(lines):
        if at < fence_ends:
            continue
        mark = _FENCE.match(line) if at in fences else None
        if unit and (mark or not line.strip()):
            yield _Unit("\n".join(unit))
            unit = []
        if mark:
            fence_ends = fences[at]
            yield _Unit("\n".join(_closed(lines[at:fence_ends], mark[1])), is_fence=True)
        elif line.strip():
            unit.append(line)
    if unit:
        yield _Unit("\n".join(unit))


def _closed(fence: list[str], mark: str) -> list[str]:
    last = fence[-1].strip()
    is_closed = len(fence) > 1 and len(last) >= len(mark) and set(last) == {mark[0]}
    return fence if is_closed else [*fence, mark]


def _pieces(whole: _Unit, limit: int) -> Iterator[_Piece]:
    unit = whole.text
    if len(unit) <= limit:
        yield _Piece("\n\n", unit)
    elif whole.is_fence:
        for part in _fenced(unit, limit):
            yield _Piece("\n\n", part)
    elif _TABLE.match(unit) and (parts := _rows(unit, limit)):
        for part in parts:
            yield _Piece("\n\n", part)
    else:
        yield from _cut(unit, limit, (_LINE, _SENTENCE, _WORD), "\n\n")


def _fenced(unit: str, limit: int) -> Iterator[str]:
    opening, *lines, closing = unit.split("\n")
    room = limit - len(opening) - len(closing) - 2
    body: list[str] = []
    for line in (part for long in lines for part in (_chopped(long, room) if long else [""])):
        if body and sum(map(len, body)) + len(body) + len(line) > room:
            yield "\n".join([opening, *body, closing])
            body = []
        body.append(line)
    yield "\n".join([opening, *body, closing])


def _rows(unit: str, limit: int) -> list[str]:
    """Parts of a table under its header each; none when a row does not fit beside it."""
    head, rule, *rows = unit.split("\n")
    top = f"{head}\n{rule}"
    room = limit - len(top) - 1
    if any(len(row) > room for row in rows):
        return []
    bodies: list[list[str]] = [[]]
    for row in rows:
        if bodies[-1] and sum(map(len, bodies[-1])) + len(bodies[-1]) + len(row) > room:
            bodies.append([])
        bodies[-1].append(row)
    return ["\n".join([top, *body]) for body in bodies]


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
    spans = _spans(text)
    start = 0
    for border in borders[0].finditer(text):
        if any(span.start < border.start() < span.end for span in spans):
            continue
        if text[start : border.start()]:
            yield from _cut(text[start : border.start()], limit, borders[1:], before)
        start, before = border.end(), border.group()
    if text[start:]:
        yield from _cut(text[start:], limit, borders[1:], before)


def _by_length(text: str, limit: int) -> Iterator[str]:
    """Pieces of text without borders. A code span stays whole where it fits, else each piece of it is one."""
    end = 0
    for span in _spans(text):
        yield from _chopped(text[end : span.start], limit)
        code = text[span.start : span.end]
        yield from _chopped(code, limit, ticks="`" * (len(code) - len(code.lstrip("`"))))
        end = span.end
    yield from _chopped(text[end:], limit)


def _spans(text: str) -> list[Code]:
    return [code for code in code_in(text) if code.kind == "span"]


def _chopped(text: str, limit: int, *, ticks: str = "") -> Iterator[str]:
    room = limit - 2 * len(ticks)
    if len(text) <= limit or room < 1:
        yield from (text[at : at + limit] for at in range(0, len(text), limit))
        return
    body = text[len(ticks) : len(text) - len(ticks)]
    yield from (f"{ticks}{body[at : at + room]}{ticks}" for at in range(0, len(body), room))


Escape = Callable[[str], str]


def split_escaped(markdown: str, limit: int, escape: Escape) -> list[str]:
    """As `split`, for parts that must not be longer than `limit` once escaped. The parts are not escaped."""
    parts = split(markdown, limit)
    return [
        piece
        for part in parts
        for piece in ([part] if len(escape(part)) <= limit or limit < 200 else split_escaped(part, limit // 2, escape))
    ]
