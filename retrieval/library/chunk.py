"""A parsed document to chunks small enough to cite. Pure."""

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import regex

from retrieval.library.lines import item_indent
from retrieval.library.pieces import Piece, pieces
from retrieval.library.sections import Section, sections
from retrieval.types import Block, Chunk, ParsedDocument

_CAPTIONED = ("table", "code", "formula")
_INTRODUCED = (*_CAPTIONED, "list")
_LEAD_IN = regex.compile(r"[:：]\s*[*_]*$")
_START = regex.compile(
    r"(?<=\s)[^\s\p{M}\p{Cf}\p{Sk}]"
    r"|(?<=[\p{Han}\p{Hiragana}\p{Katakana}，、；：。！？])[\p{Han}\p{Hiragana}\p{Katakana}]"
)
_PAUSES = (  # what may stand before a good place to start from, best first
    regex.compile(r"[.!?…。！？][\"'”’)\]」』]*\s*$"),
    regex.compile(r"[，、；：]$|\s$"),
)


def chunk(document: ParsedDocument, *, key: str, size: int, overlap: int) -> list[Chunk]:
    """Chunks in reading order, none above `size` characters, none blank, nothing of the document lost.

    A chunk keeps to one section, named by its heading path; headings without text of their own stand before
    the text that follows them. Where running text is cut, whole words of up to `overlap` characters are
    repeated. `key` makes the ids of this document differ from those of all others. Raises ValueError unless
    0 <= overlap < size.
    """
    if not 0 <= overlap < size:
        raise ValueError(f"overlap must be at least 0 and below the chunk size, not {overlap} of {size}")
    seen: Counter[tuple[tuple[str, ...], str]] = Counter()
    chunks = []
    for section in sections(document.blocks):
        packed = _evened(_packed(_groups(section, size), size, overlap), size)
        for page, confidence, text in _texts(packed, size, overlap):
            seen[section.path, text] += 1
            identity = "\x00".join([key, "\x1f".join(section.path), text, str(seen[section.path, text])])
            digest = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()
            chunks.append(Chunk(digest[:20], text, section.path, page, confidence))
    return chunks


def _groups(section: Section, size: int) -> Iterator[list[Piece]]:
    """The pieces of each block, with the sentence that introduces a list, table or code."""
    heads = "\n".join(heading.text for heading in section.loose_headings)
    room = size
    if heads:
        page = section.loose_headings[0].page
        bound = pieces(Block("paragraph", heads, page=page), "heads", size)
        yield [*bound[:-1], replace(bound[-1], bound=True)]
        room = size - len(bound[-1].text) - 2 if len(bound[-1].text) <= size // 3 else size
    lead: Block | None = None
    blocks = _with_lists(section.blocks)
    for n, block in enumerate(blocks):
        if _introduces(block, blocks[n + 1 : n + 2]) and len(block.text) <= size // 3:
            lead = block
            continue
        found = pieces(block, str(n), room, lead.text if lead else "")
        if lead:
            found[0] = replace(found[0], page=lead.page)
        elif _introduces(block, blocks[n + 1 : n + 2]):
            found[-1] = replace(found[-1], bound=True)
        lead, room = None, size
        yield found


def _introduces(block: Block, following: list[Block]) -> bool:
    """Whether the block says what is behind it: a paragraph that ends like that, or a caption."""
    kind = following[0].kind if following else "paragraph"
    if block.kind == "caption":
        return kind in _CAPTIONED
    return block.kind == "paragraph" and kind in _INTRODUCED and _LEAD_IN.search(block.text[-8:]) is not None


def _with_lists(blocks: list[Block]) -> list[Block]:
    """Paragraphs of one page that stand one after the other like list items, as a list."""
    found = []
    for (listed, page), run in itertools.groupby(
        blocks, key=lambda block: (block.kind == "paragraph" and item_indent(block.text) is not None, block.page)
    ):
        members = list(run)
        if listed and len(members) > 1:
            sure = [block.confidence for block in members if block.confidence is not None]
            text = "\n".join(block.text for block in members)
            members = [Block("list", text, page=page, confidence=min(sure, default=None))]
        found += members
    return found


def _cost(piece: Piece, previous: Piece | None) -> int:
    """Characters that a piece adds to a chunk ending with `previous`."""
    if previous and previous.group == piece.group:
        return len(piece.joint) + len(piece.text)
    return len(piece.before) + len(piece.text) + len(piece.after) + (2 if previous else 0)


def _length(run: list[Piece]) -> int:
    return sum(map(_cost, run, [None, *run]))


def _packed(groups: Iterator[list[Piece]], size: int, overlap: int) -> list[list[Piece]]:
    """Groups into chunks: whole where they fit into one, else piece by piece."""
    done: list[list[Piece]] = []
    now: list[Piece] = []
    length = 0
    for group in groups:
        fits_one = _length(group) <= size
        parts = [group] if fits_one else [[piece] for piece in group]
        for part in parts:
            added = sum(map(_cost, part, [now[-1] if now else None, *part]))
            if now and (length + added > size or _turns_page(now, part)):
                now = _closed(now, done)
                added = sum(map(_cost, part, [now[-1] if now else None, *part]))
                length = _length(now) + _kept_free(part, done, size, overlap)
                if now and length + added > size:
                    done.append(now)
                    now, length, added = [], 0, _length(part)
            now += part
            length += added
    return [*done, now] if now else done


def _turns_page(now: list[Piece], part: list[Piece]) -> bool:
    """Whether a citation by one page would be wrong for some of the text."""
    text = [piece for piece in now if not piece.bound]
    return bool(text) and text[-1].page != part[0].page


def _closed(now: list[Piece], done: list[list[Piece]]) -> list[Piece]:
    """Closes a chunk and returns the pieces at its end that belong with what follows."""
    end = len(now)
    while end and now[end - 1].bound:
        end -= 1
    if not end:
        return now
    done.append(now[:end])
    return now[end:]


def _kept_free(part: list[Piece], done: list[list[Piece]], size: int, overlap: int) -> int:
    """Characters to leave for the overlap at the start of a chunk."""
    overlaps = bool(done) and _may_overlap(done[-1], part) and _length(part) + overlap + 2 <= size
    return overlap + 2 if overlaps else 0


def _may_overlap(before: list[Piece], after: list[Piece]) -> bool:
    same_page = before[-1].page == after[0].page
    return same_page and before[-1].running and after[0].running and not after[0].before


def _evened(packed: list[list[Piece]], size: int) -> list[list[Piece]]:
    """A short last chunk takes over from the one before, a paragraph or sentence at a time."""
    if len(packed) < 2 or _length(packed[-1]) >= size // 4 or _turns_page(packed[-2], packed[-1]):
        return packed
    *done, first, last = packed
    while len(first) > 1:
        start = len(first) - 1
        while start and first[start].group == first[start - 1].group and not first[start].running:
            start -= 1
        left, right = first[:start], first[start:] + last
        if not left or left[-1].bound or _length(right) > _length(left):
            break
        first, last = left, right
    return [*done, first, last]


def _texts(packed: list[list[Piece]], size: int, overlap: int) -> Iterator[tuple[int | None, float | None, str]]:
    """Of each chunk the page on which it begins, the least confidence of its blocks, and what it says."""
    previous: list[Piece] = []
    for run in packed:
        text = _text(run)
        if previous and _may_overlap(previous, run):
            repeated = _end(previous, overlap)
            joint = run[0].joint if run[0].group == previous[-1].group else "\n\n"
            if repeated and len(repeated) + len(joint) + len(text) <= size:
                text = repeated + joint + text
        sure = [piece.confidence for piece in run if piece.confidence is not None]
        yield run[0].page, min(sure, default=None), text.strip()
        previous = run


def _text(run: list[Piece]) -> str:
    parts = []
    for piece, previous in zip(run, [None, *run], strict=False):
        if previous and previous.group == piece.group:
            parts += [piece.joint, piece.text]
        else:
            parts += [f"{previous.after}\n\n" if previous else "", piece.before, piece.text]
    return "".join([*parts, run[-1].after])


def _end(run: list[Piece], overlap: int) -> str:
    """Whole words at the end of a chunk's last paragraph, from a sentence's start where one is near."""
    start = len(run) - 1
    while start and run[start - 1].group == run[-1].group and _length(run[start:]) <= overlap:
        start -= 1
    text = _text(run[start:])
    if len(text) <= overlap:
        return text if start else ""
    starts = [match.start() for match in _START.finditer(text, len(text) - overlap)]
    for pause in _PAUSES:
        for at in starts:
            if len(text) - at >= overlap * 0.4 and pause.search(text[max(0, at - 8) : at]):
                return text[at:]
    return text[starts[0] :] if starts else ""
