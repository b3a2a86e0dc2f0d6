"""A sentence to the exact things it says: numbers, dates and times, names."""

from dataclasses import dataclass, replace
from functools import cached_property

import regex

from retrieval.answer.moments import Moment, moments
from retrieval.answer.names import Wording, names, opening_words, wording
from retrieval.answer.numbers import Number, numbers
from retrieval.text import fold, terms

PAGE = "page"
"""The kind of a number that names a page."""
_PAGE = regex.compile(
    r"(?:\bpages?|\bpp?\.|\bpáginas?|\bseiten?|\bs\.)\s*(\d+)|第\s?(\d+)\s?[页頁]|(\d+)\s?ページ", regex.I
)
_ENUMERATING = regex.compile(r"(?:^|[:;.!?]\s+)(\d{1,2}[.)])(?=\s)")
_WORD = regex.compile(r"\d+(?:[.,]\d+)*|[\p{Han}\p{Hiragana}\p{Katakana}]|[\p{L}\p{M}]+")
_NEAR = 40
"""Characters around a fact that tell what it is a fact about."""


@dataclass(frozen=True)
class Stated:
    """A sentence in the language `lang`, read as far as it is asked. `context` is what it stands under."""

    text: str
    lang: str
    context: str = ""

    @cached_property
    def full(self) -> str:
        return f"{self.context} {self.text}".strip()

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        return moments(self.text, self.lang)

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Those outside dates that are counts for certain."""
        return tuple(number for number in self.all_numbers if not number.vague)

    @cached_property
    def all_numbers(self) -> tuple[Number, ...]:
        """Those outside dates that are or may be counts; not those that only number what follows, "1."."""
        rest = self.text
        spans = [(moment.start, moment.end) for moment in self.moments]
        for start, end in spans + [match.span(1) for match in _ENUMERATING.finditer(rest)]:
            rest = rest[:start] + " " * (end - start) + rest[end:]
        pages = {next(filter(None, page)) for page in _PAGE.findall(rest)}
        found = numbers(rest, self.lang)
        return tuple(replace(number, kind=PAGE) if number.written in pages else number for number in found)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Those that are names for certain, none of a date."""
        dates = {word for moment in self.moments for word in moment.written.split()}
        return tuple(name for name in names(self.text, self.lang) if name not in dates)

    @cached_property
    def opening_words(self) -> tuple[str, ...]:
        """Those that may be names or begin a sentence."""
        dates = {word for moment in self.moments for word in moment.written.split()}
        return tuple(word for word in opening_words(self.text, self.lang) if word not in dates)

    @cached_property
    def all_names(self) -> tuple[str, ...]:
        """Those that are or may be names."""
        return (*self.names, *self.opening_words)

    @cached_property
    def words(self) -> list[str]:
        """In order, a number in figures as one."""
        return [word[0] for word in _WORD.finditer(self.text)]

    @cached_property
    def folded_words(self) -> list[str]:
        return list(map(fold, self.words))

    @cached_property
    def wording(self) -> Wording:
        return wording(self.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(terms(self.full, self.lang))

    def around(self, fact: str) -> frozenset[str]:
        """Terms near a fact, without its own."""
        at = max(self.full.rfind(fact), 0)
        end = at + len(fact)
        near = f"{self.full[max(0, at - _NEAR) : at]} {self.full[end : end + _NEAR]}"
        return frozenset(terms(near, self.lang)) - frozenset(terms(fact, self.lang)) if near.strip() else frozenset()


def first_word(written: str) -> str:
    """Of a number as it is written, "$1.1 million": its figures, or its first word."""
    word = _WORD.search(written)
    return word[0] if word else written
