"""Blocks to pieces: the parts of a document that a chunk takes or leaves whole."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import regex

from retrieval.library.lines import fence_after, item_indent
from retrieval.text import graphemes, sentences
from retrieval.types import Block

_WORD = regex.compile(r"[^\s，、；：。]*[，、；：。]+|[^\s，、；：。]+")
_GOES_ON = regex.compile(r"[\p{M}\p{Cf}\p{Sk}”’」』）]")
_CELL_END = regex.compile(r"(?<!\\)\|")
_RULE = regex.compile(r"[\s|:-]*-[\s|:-]*")
_DEEPEST_LIST = 8


@dataclass(frozen=True, slots=True)
class Piece:
    """A part that is never cut again, and what belongs around it.

    `joint` stands between it and the piece before it of the same group (one list, table, code block or
    paragraph). `before` and `after` are repeated around each run of a group's pieces within a chunk: a table
    header, the sentence that introduces a list, code fences. `running` marks text that may overlap; `bound`
    marks a piece that means nothing without the next one. `confidence` is the block's.
    """

    text: str
    group: str
    page: int | None
    joint: str = "\n\n"
    before: str = ""
    after: str = ""
    running: bool = False
    bound: bool = False
    confidence: float | None = None


def pieces(block: Block, group: str, size: int, lead: str = "") -> list[Piece]:
    """A block's pieces, none longer than `size` together with what is repeated around it.

    `lead` is a sentence that introduces the block; it is repeated where the block goes on in another chunk.
    """
    whole = Piece(block.text, group, block.page, confidence=block.confidence)
    match block.kind:
        case "list":
            return _list(block.text, replace(whole, before=f"{lead}\n" if lead else "", joint="\n"), size)
        case "table":
            return _table(replace(whole, before=f"{lead}\n\n" if lead else "", joint="\n"), size)
        case "code":
            return _code(replace(whole, before=f"{lead}\n\n" if lead else "", joint="\n"), size)
        case "formula":
            return _formula(replace(whole, before=f"{lead}\n\n" if lead else ""), size)
        case _:
            return [replace(piece, running=True) for piece in _running(whole, size)]


def _formula(formula: Piece, size: int) -> list[Piece]:
    """Whole if it fits at all, with what introduces it apart where they do not fit together."""
    found, formula = _lead_apart(formula, size, room=size - len(formula.text))
    return [*found, *_running(formula, size)]


def _running(piece: Piece, size: int) -> list[Piece]:
    room = size - len(piece.before) - len(piece.after)
    parts = list(cut(piece.text, room))
    first = [replace(piece, text=text) for _, text in parts[:1]]
    return first + [replace(piece, text=text, joint=gap, running=True) for gap, text in parts[1:]]


def cut(text: str, room: int) -> Iterator[tuple[str, str]]:
    """The text as (space before, part), no part above `room` characters.

    Cut between sentences; where a sentence is too long between words; where a word is too long between what
    a reader sees as characters.
    """
    if len(text) <= room:
        yield "", text
        return
    for gap, sentence in _located(text, sentences(text)):
        if len(sentence) <= room:
            yield gap, sentence
            continue
        for space, words in _phrases(sentence, room):
            for n, part in enumerate(_windows(words, room)):
                yield (gap + space if n == 0 else ""), part
            gap = ""


def _phrases(sentence: str, room: int) -> Iterator[tuple[str, str]]:
    """Words, a few at a time: a tenth of the room holds enough and keeps long texts quick."""
    gap, phrase = "", ""
    for space, word in _located(sentence, _WORD.findall(sentence)):
        if phrase and (len(phrase) > room // 10 or len(phrase) + len(space) + len(word) > room):
            yield gap, phrase
            gap, phrase = space, word
        else:
            phrase = phrase + space + word if phrase else word
    if phrase:
        yield gap, phrase


def _located(text: str, parts: list[str]) -> Iterator[tuple[str, str]]:
    """The parts with the space before each; what belongs to the character before it is not parted from it."""
    gap, held, position = "", "", 0
    for part in parts:
        start = max(position, text.find(part, position))
        space, position = text[position:start], start + len(part)
        if held and not space and _GOES_ON.match(part):
            held += part
            continue
        if held:
            yield gap, held
        gap, held = space, part
    if held:
        yield gap, held


def _windows(word: str, room: int) -> Iterator[str]:
    start = 0
    while len(word) - start > room:
        end = start
        # A grapheme that ends with the slice may go on behind it, so the slice is a character longer.
        for grapheme in graphemes(word[start : start + room + 1])[:-1]:
            end += len(grapheme)
        end = end if end > start else start + room
        yield word[start:end]
        start = end
    yield word[start:]


def _list(text: str, like: Piece, size: int, depth: int = 0) -> list[Piece]:
    found: list[Piece] = []
    for item in _items(text):
        piece = replace(like, text=item)
        fits = len(item) + len(like.before) <= size
        found += [piece] if fits else _long_item(piece, size, depth)
    return found


def _items(text: str) -> list[str]:
    items: list[list[str]] = []
    indent, fence = None, ""
    for line in text.split("\n"):
        width = None if fence else item_indent(line)
        fence = fence_after(line, fence)
        if not items or (width is not None and (indent is None or width <= indent)):
            items.append([])
            indent = width
        items[-1].append(line)
    return ["\n".join(lines) for lines in items]


def _long_item(item: Piece, size: int, depth: int) -> list[Piece]:
    lines = item.text.split("\n")
    nested = next((n for n, line in enumerate(lines) if n and item_indent(line) is not None), None)
    head = "\n".join(lines[:nested])
    if nested is None or depth == _DEEPEST_LIST or "```" in head or "~~~" in head:
        return _mixed(item, size)
    start = _running(replace(item, text=head), size)
    lead = f"{item.before}{head}\n"
    inner = replace(item, before=lead if len(lead) <= size // 3 else item.before)
    return [*start[:-1], replace(start[-1], bound=True), *_list("\n".join(lines[nested:]), inner, size, depth + 1)]


def _mixed(item: Piece, size: int) -> list[Piece]:
    """A long list item, its fenced code apart from its text."""
    parts: list[list[str]] = [[]]
    fence = ""
    for line in item.text.split("\n"):
        now = fence_after(line, fence)
        if now and not fence:
            parts.append([])
        parts[-1].append(line)
        if fence and not now:
            parts.append([])
        fence = now
    found: list[Piece] = []
    for n, text in enumerate("\n".join(part) for part in parts if part):
        part = replace(item, text=text, before=item.before if n == 0 else "")
        fenced = bool(fence_after(text.split("\n", 1)[0], ""))
        found += _code(replace(part, group=f"{item.group}.{n}"), size) if fenced else _running(part, size)
    return found


def _table(table: Piece, size: int) -> list[Piece]:
    header, *rows = table.text.split("\n")
    if len(rows) < 2 or not _RULE.fullmatch(rows[0]):
        return _running(table, size)
    top = f"{header}\n{rows[0]}\n"
    found, table = _lead_apart(table, size, room=size // 2 - len(top))
    row_like = replace(table, before=table.before + top)
    for n, row in enumerate(rows[1:]):
        if len(row_like.before) + len(row) <= size:
            found.append(replace(row_like, text=row))
        else:
            found += _record(header, row, replace(table, group=f"{table.group}.{n}", before=""), size)
    return found


def _lead_apart(piece: Piece, size: int, *, room: int) -> tuple[list[Piece], Piece]:
    """The introducing sentence as pieces of its own where repeating it would leave too little room."""
    if len(piece.before) <= room or not piece.before:
        return [], piece
    lead = replace(piece, text=piece.before.strip(), group=f"{piece.group}.lead", before="")
    *most, last = _running(lead, size)
    return [*most, replace(last, bound=True)], replace(piece, before="")


def cells(row: str) -> list[str]:
    """The cells of a table row, without the bars and the space around them."""
    return [cell.strip() for cell in _CELL_END.split(row.strip().removeprefix("|").removesuffix("|"))]


def _record(header: str, row: str, like: Piece, size: int) -> list[Piece]:
    """A row too long to stand under its header as `Header: value` lines, or as it is where it fits only so. Of a row
    that fits neither way the first line is repeated."""
    names = cells(header)
    named = [(names[n] if n < len(names) else "", value) for n, value in enumerate(cells(row)) if value]
    lines = [f"{name}: {value}" if name else value for name, value in named]
    if len("\n".join(lines)) <= size:
        return [replace(like, text="\n".join(lines))]
    if len(row) <= size:
        return [replace(like, text=row)]
    first = f"{lines[0]}\n" if len(lines[0]) <= size // 3 else ""
    found = _running(replace(like, text=lines[0]), size)
    for line in lines[1:]:
        found += _running(replace(like, text=line, before=first), size)
    return found


def _code(code: Piece, size: int) -> list[Piece]:
    top, *body = code.text.split("\n")
    bottom = body.pop() if body else ""
    found, code = _lead_apart(code, size, room=size // 2 - len(top) - len(bottom) - 2)
    fences = replace(code, before=f"{code.before}{top}\n", after=f"\n{bottom}")
    room = size - len(fences.before) - len(fences.after)
    if room < size // 4 or not body:
        fences, room, body = code, size, code.text.split("\n")
    for line in body:
        for n, (gap, part) in enumerate(cut(line, room)):
            found.append(replace(fences, text=part if n else gap + part, joint="\n" if n == 0 else gap))
    return found
