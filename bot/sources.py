"""Citations to the lines under an answer, from metadata alone."""

from collections.abc import Sequence
from itertools import groupby

from bot import limits
from bot.mrkdwn import one_line
from retrieval.types import Citation, Passage


def source_lines(citations: Sequence[Citation]) -> list[str]:
    """Lines of mrkdwn by document: `[1] name (v2), section, p. 3, date; [4] section, p. 9`.

    A document with so many places that its line would be too long has several.
    """
    first: dict[tuple[str, int], int] = {}
    for citation in citations:
        first.setdefault(_document(citation), citation.n)
    ordered = sorted(citations, key=lambda citation: (first[_document(citation)], citation.n))
    return [line for _, group in groupby(ordered, key=_document) for line in _lines(list(group))]


def _document(citation: Citation) -> tuple[str, int]:
    return citation.passage.document, citation.passage.version


def _lines(citations: Sequence[Citation]) -> list[str]:
    lines: list[str] = []
    for citation in citations:
        place = f"; [{citation.n}] {', '.join(_place(citation.passage)) or _name(citation.passage)}"
        if lines and len(lines[-1]) + len(place) <= limits.SOURCE_LINE_CHARS:
            lines[-1] += place
        else:
            lines.append(_full(citation))
    return lines


def _full(citation: Citation) -> str:
    passage = citation.passage
    dated = [passage.date.isoformat()] if passage.date else []
    return f"[{citation.n}] {', '.join([_name(passage), *_place(passage), *dated])}"


def _name(passage: Passage) -> str:
    return f"{one_line(passage.document, limits.NAME_CHARS)} (v{passage.version})"


def _place(passage: Passage) -> list[str]:
    section = one_line(" > ".join(passage.section), limits.SECTION_CHARS)
    return [*([section] if section else []), *([f"p. {passage.page}"] if passage.page is not None else [])]
