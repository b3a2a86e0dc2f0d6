"""Query and passages to relevance, with nothing but the sentence encoder and the store's term weights.

Four signs are read off each passage: how near its best sentence is to the query, how near the whole passage is, what
share of the query's IDF weight its words cover, and what share of the query's names and numbers it lacks. A logistic
model joins them into a relevance; 0.5 is where questions without an answer are told from those with one. There are
four sets of coefficients. Across languages words cannot match and similarities run lower. In unspaced scripts they run
higher, and overlapping bigrams count one long word several times. The sets for spaced scripts were fitted by `footnote
eval reranker` on XQuAD and ClapNQ; the two for unspaced ones set by hand on fifteen questions on Chinese laws.

An expanded query has other wordings, which find what is said in other words. A short one is easily met, so that it
counts with a third of its odds. What meets the query's own words and no other wording is about those words rather
than about what was asked: it gives way to what meets both, but stays on its side of 0.5. Both were set by hand.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.ports import EmbeddingModel, Passages
from retrieval.text import UNSPACED_LANGUAGES, language, names, sentences, terms
from retrieval.types import ExtractedQuery, Vectors
from retrieval.weights import coverage, inverse_document_frequencies


@dataclass(frozen=True, slots=True)
class Signs:
    """What the reranker reads off a query and a passage."""

    best_sentence: float
    whole_passage: float
    coverage: float
    missing_names: float
    same_language: bool
    unspaced: bool


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Weights of a logistic model over Signs."""

    best_sentence: float
    whole_passage: float
    coverage: float
    missing_names: float
    bias: float

    def relevance(self, signs: Signs) -> float:
        """In [0, 1]."""
        logit = (
            self.best_sentence * signs.best_sentence
            + self.whole_passage * signs.whole_passage
            + self.coverage * signs.coverage
            + self.missing_names * signs.missing_names
            + self.bias
        )
        return 1 / (1 + math.exp(-logit))


SAME_LANGUAGE = Coefficients(best_sentence=3.0, whole_passage=12.1, coverage=9.1, missing_names=-1.8, bias=-6.8)
ACROSS_LANGUAGES = Coefficients(12.2, 11.4, 10.4, -1.7, bias=-6.6)
SAME_LANGUAGE_UNSPACED = Coefficients(3.0, 20.0, 5.0, -1.3, bias=-11.0)
ACROSS_LANGUAGES_UNSPACED = Coefficients(12.2, 11.4, 10.4, -1.7, bias=-9.4)


def relevance(signs: Signs) -> float:
    """In [0, 1], by the coefficients for its languages and script."""
    match signs.same_language, signs.unspaced:
        case True, False:
            return SAME_LANGUAGE.relevance(signs)
        case False, False:
            return ACROSS_LANGUAGES.relevance(signs)
        case True, True:
            return SAME_LANGUAGE_UNSPACED.relevance(signs)
        case _:
            return ACROSS_LANGUAGES_UNSPACED.relevance(signs)


_WORDING_ODDS = 1 / 3
_MIDPOINT = 0.5
_REPEATS = 0.8
"""A wording that holds this share of the main query's weight is the main query again."""


def _joined(main: float, other: float) -> float:
    """Relevance by the main query and by the best of the other wordings, as one."""
    other = _WORDING_ODDS * other / (_WORDING_ODDS * other + 1 - other)
    return max(other, (main + other) / 2, min(main, _MIDPOINT))


@dataclass(frozen=True)
class SentenceReranker:
    """Reranker that always works: embedded, and the fallback when a served one is down.

    `expanded`: whether it heeds a query's explanation and expansions, or its main query alone.
    """

    encoder: EmbeddingModel
    passages: Passages
    expanded: bool = True
    name: str = "best-sentence-and-coverage-1"

    def score(self, query: ExtractedQuery, passages: Sequence[str]) -> list[float]:
        """Relevance in [0, 1], in input order."""
        asked = [relevance(signs) for signs in self.signs(query.main_query, passages)]
        wordings = self._other_wordings(query) if self.expanded else []
        if not wordings:
            return asked
        by_wording = [
            [relevance(signs) for signs in self.signs(wording, passages, query.language)] for wording in wordings
        ]
        return [_joined(main, max(others)) for main, *others in zip(asked, *by_wording, strict=True)]

    def _other_wordings(self, query: ExtractedQuery) -> list[str]:
        """The explanation, and the expansions that do not repeat the main query's words."""
        lang = query.language
        weights = inverse_document_frequencies(self.passages, terms(query.main_query, lang))
        fresh = [text for text in query.expansions if coverage(weights, terms(text, lang)) < _REPEATS]
        return [*filter(None, [query.explanation]), *fresh]

    def signs(self, query: str, passages: Sequence[str], default_language: str = "en") -> list[Signs]:
        """In input order. The default is for a query too short to tell its language."""
        asked_in = language(query, default_language)
        weights = inverse_document_frequencies(self.passages, terms(query, asked_in))
        wanted = names(query, asked_in)
        question = self.encoder.embed([query], "query")[0]
        found = []
        for passage, (best, whole) in zip(passages, self._similarities(question, passages), strict=True):
            written_in = language(passage)
            same = written_in == asked_in
            held = set(terms(passage))
            there = [name for name in wanted if _is_named(name, passage, held, asked_in, same=same)]
            # Across languages only names can be the same word: "Mars" is not the French month.
            told = held if same else {term for name in there for term in terms(name, asked_in)}
            missing = 1 - len(there) / len(wanted) if wanted else 0.0
            found.append(Signs(best, whole, coverage(weights, told), missing, same, written_in in UNSPACED_LANGUAGES))
        return found

    def _similarities(self, question: Vectors, passages: Sequence[str]) -> list[tuple[float, float]]:
        """Cosine of the best sentence and of the whole passage, a pair per passage."""
        split = [[passage, *sentences(passage)] for passage in passages]
        vectors = self.encoder.embed([text for texts in split for text in texts], "passage")
        cosines = vectors @ question
        ends = np.cumsum([len(texts) for texts in split])
        return [
            (float(max(part[1:], default=part[0])), float(part[0]))
            for part in np.split(cosines, ends[:-1])
            if len(part)
        ]


def _is_named(name: str, passage: str, held: set[str], lang: str, *, same: bool) -> bool:
    """By its term in the query's own language, by its very letters in another."""
    return bool(held & set(terms(name, lang)[:1])) if same else name in passage
