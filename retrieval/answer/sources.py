"""A passage as statements are checked against it: what it says, and all that is known of where that stands."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property, lru_cache

import regex

from retrieval.answer.moments import Moment, moments
from retrieval.answer.names import Wording, wording
from retrieval.answer.numbers import Number, numbers
from retrieval.answer.stated import PAGE, Stated
from retrieval.answer.statements import Statement, statements
from retrieval.text import language, normalise, terms
from retrieval.types import Passage

_REFERENCE = regex.compile(r"[\[(]\d{1,3}(?:\s?[,–-]\s?\d{1,3})*[\])]")
_UNSEEN = regex.compile(r"[*_`~'’‘´]+")
_NO_WORD = regex.compile(r"[^\p{L}\p{M}\p{N}%€$£¥+=<>.,:/-]+")
_LOOSE = regex.compile(r"(?<!\p{N})[.,:/-]+|[.,:/-]+(?!\p{N})")


def verbatim_form(text: str) -> str:
    """The words and numbers alone: without Markdown, punctuation and a source's own references."""
    bare = _REFERENCE.sub(" ", _UNSEEN.sub("", normalise(text).casefold()))
    return f" {' '.join(_LOOSE.sub(' ', _NO_WORD.sub(' ', bare)).split())} "


@dataclass(frozen=True)
class Source:
    """A passage prepared for many statements."""

    passage: Passage

    @cached_property
    def text(self) -> str:
        """Under its title and section path."""
        return f"{self.passage.heading}\n{self.passage.text}"

    @cached_property
    def language(self) -> str:
        return language(self.passage.text)

    @cached_property
    def statements(self) -> tuple[Stated, ...]:
        """What it says, one by one, a table row under its header."""
        return tuple(Stated(statement.text, self.language) for statement in self._statements)

    @cached_property
    def _statements(self) -> list[Statement]:
        return statements(self.passage.text)

    def said_in(self, lang: str) -> tuple[Stated, ...]:
        """What it says in that language, which may be a part of it."""
        return self.statements if lang == self.language else self._said_otherwise.get(lang, ())

    @cached_property
    def _said_otherwise(self) -> dict[str, tuple[Stated, ...]]:
        found: dict[str, list[Stated]] = defaultdict(list)
        for said in self.statements:
            found[language(said.text, default=self.language)].append(said)
        return {lang: tuple(Stated(said.text, lang) for said in group) for lang, group in found.items()}

    @cached_property
    def verbatim(self) -> str:
        """In the form in which quotes are looked up: the text as a whole, then each row of a table on its own."""
        rows = (statement.text for statement in self._statements if statement.subject)
        return "|".join(map(verbatim_form, (self.passage.text, *rows)))

    def says(self, words: str) -> bool:
        """Whether the words, in `verbatim_form`, stand in it."""
        return words in self.verbatim

    def holds_code(self, code: str) -> bool:
        """Whether all of the code stands in it, spaces aside."""
        return regex.sub(r"\s+", "", code) in self._unspaced

    @cached_property
    def _unspaced(self) -> str:
        return str(regex.sub(r"\s+", "", self.passage.text))

    @cached_property
    def all_terms(self) -> frozenset[str]:
        return frozenset((*terms(self.passage.heading, self.language), *terms(self.passage.text)))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        page = (Number("", (float(self.passage.page),), PAGE),) if self.passage.page else ()
        return (*numbers(self._known, self.language), *page)

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        return moments(self._known, self.language)

    @cached_property
    def years(self) -> frozenset[int]:
        """Numbers that may be years."""
        return frozenset(int(value) for number in self.numbers for value in number.values if 1000 <= value < 3000)

    @cached_property
    def wording(self) -> Wording:
        return wording(self._known)

    @cached_property
    def topic(self) -> Wording:
        """Of its heading and document."""
        return wording(f"{self.passage.heading}\n{self.passage.document}")

    @cached_property
    def _known(self) -> str:
        date = self.passage.date.isoformat() if self.passage.date else ""
        return f"{self.text}\n{self.passage.document}\n{date}"


@lru_cache(maxsize=2_000)
def source(passage: Passage) -> Source:
    """The same for the same passage, which comes up question after question."""
    return Source(passage)
