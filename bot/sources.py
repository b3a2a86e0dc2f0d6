"""Citations to the lines under an answer, from metadata alone."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from itertools import groupby

from bot import limits
from bot.mrkdwn import one_line
from retrieval.types import SURE_READING, Citation, Passage


def source_lines(citations: Sequence[Citation], language: str = "en") -> list[str]:
    """Lines of mrkdwn by document: `[1] name (v2), section, page 3, date; [4] section, page 9`.

    A document with so many places that its line would be too long has several. Words are in the reader's language.
    """
    first: dict[tuple[str, int], int] = {}
    for citation in citations:
        first.setdefault(_document(citation), citation.n)
    ordered = sorted(citations, key=lambda citation: (first[_document(citation)], citation.n))
    return [line for _, group in groupby(ordered, key=_document) for line in _lines(list(group), language)]


def page_words(passage: Passage, language: str = "en") -> str:
    """`page 4`, `slide 3` or `sheet 2`; "" where there are none."""
    return "" if passage.page is None else _word(passage.page_unit, language).format(n=passage.page)


def _document(citation: Citation) -> tuple[str, int]:
    return citation.passage.document, citation.passage.version


def _lines(citations: Sequence[Citation], language: str) -> list[str]:
    lines: list[str] = []
    for citation in citations:
        places = _place(citation.passage, language)
        place = f"; [{citation.n}] {', '.join(places) or _name(citation.passage)}"
        if lines and len(lines[-1]) + len(place) <= limits.SOURCE_LINE_CHARS:
            lines[-1] += place
        else:
            lines.append(_full(citation, language))
    return lines


def _full(citation: Citation, language: str) -> str:
    passage = citation.passage
    dated = [passage.date.isoformat()] if passage.date else []
    return f"[{citation.n}] {', '.join([_name(passage), *_place(passage, language), *dated])}"


def _name(passage: Passage) -> str:
    return f"{one_line(passage.document, limits.NAME_CHARS)} (v{passage.version})"


def _place(passage: Passage, language: str) -> list[str]:
    doubt = passage.confidence is not None and passage.confidence < SURE_READING
    section = one_line(" > ".join(passage.section), limits.SECTION_CHARS)
    return [*filter(None, [section, page_words(passage, language), _word("scan", language) if doubt else ""])]


def _word(name: str, language: str) -> str:
    words = _words()[name]
    return words.get(language, words["en"])


@lru_cache(maxsize=1)
def _words() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(resources.files("bot").joinpath("sources.toml").read_text("utf-8"))
