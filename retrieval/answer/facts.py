"""What a statement says exactly, held against a passage: numbers with units, dates and times, names, and whether it
affirms or denies.

A fact of the statement must stand in the passage, and in the right place: where a sentence of the passage says the
same as the words around the fact but with another number or name, the fact was exchanged, though it may stand
elsewhere in the passage.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import regex

from retrieval.answer.exchanged import exchanged
from retrieval.answer.moments import Moment
from retrieval.answer.negation import FEWEST_SHARED, contradicts
from retrieval.answer.numbers import Number
from retrieval.answer.sources import Source
from retrieval.answer.stated import PAGE, Stated
from retrieval.text import UNSPACED_LANGUAGES, fold

_OWN_WORDS = 0.5
_LONGEST_ACRONYM = 4

Kind = Literal["number", "date", "name", "negation"]


@dataclass(frozen=True, slots=True)
class Difference:
    """What of a statement the passage does not say, in the statement's own words. `opposed`: it says something else
    in its place, or the opposite."""

    kind: Kind
    words: str
    opposed: bool = False


def differences(stated: Stated, source: Source) -> Iterator[Difference]:
    """All of them. Across languages words differ anyway: numbers, dates and codes must be there, names where they
    would be written alike. A passage may be in several languages."""
    same = stated.lang == source.language or _is_in_words_of(stated, source)
    yield from (Difference("number", n.written) for n in stated.numbers if not _has_number(n, source))
    yield from (Difference("date", m.written) for m in stated.moments if not _has_moment(m, source))
    yield from (Difference("name", name) for name in stated.names if not _has_name(name, stated, source, same=same))
    yield from (Difference(_kind(words, stated), words, opposed=True) for words in exchanged(stated, source))
    if is_denied(stated, source):
        yield Difference("negation", stated.text, opposed=True)


def is_denied(stated: Stated, source: Source) -> bool:
    """Whether the passage says the opposite, in the statement's language."""
    near = (said for said in source.said_in(stated.lang) if len(stated.terms & said.terms) >= FEWEST_SHARED)
    return contradicts(stated.full, [said.text for said in near], stated.lang)


def _is_in_words_of(stated: Stated, source: Source) -> bool:
    """Whether the passage holds at least half of the statement's terms: it was not translated, then."""
    return bool(stated.terms) and len(stated.terms & source.all_terms) >= _OWN_WORDS * len(stated.terms)


def _has_number(number: Number, source: Source) -> bool:
    """As an amount, or as a code: "401k" of "401(k)"."""
    is_code = number.written.isalnum() and not number.written.isdigit()
    return (is_code and fold(number.written) in source.wording.squeezed) or any(
        number.agrees(other) for other in source.numbers if (number.kind == PAGE) <= (other.kind == PAGE)
    )


def _has_moment(moment: Moment, source: Source) -> bool:
    if any(reading[0] in source.years and not any(reading[1:]) for reading in moment.readings):
        return True
    return any(moment.agrees(other, source.years) for other in source.moments)


def _has_name(name: str, stated: Stated, source: Source, *, same: bool) -> bool:
    if source.wording.has(name, stated.wording):
        return True
    return not same and not regex.search(r"\d", name) and _may_be_translated(name, source)


def _may_be_translated(name: str, source: Source) -> bool:
    """Across scripts a name can look different; in the same script "Lisbon" and "Lisboa" begin alike. Acronyms have
    little in common, but those that have a translation are short."""
    if name.isupper() and name.isascii():
        return len(name) <= _LONGEST_ACRONYM
    if source.language in UNSPACED_LANGUAGES or not regex.search(r"\p{Latin}", name):
        return True
    return any(word.startswith(name[:3].casefold()) for word in source.wording.words)


def _kind(words: str, stated: Stated) -> Kind:
    if any(words == number.written for number in stated.all_numbers):
        return "number"
    return "date" if any(words == moment.written for moment in stated.moments) else "name"
