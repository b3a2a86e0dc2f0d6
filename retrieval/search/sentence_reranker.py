"""Query and passages to relevance, with nothing but the sentence encoder and the store's term weights.

Five signs are read off each passage: how near its best sentence is to the query, how near the whole passage is, what
share of the query's IDF weight its words cover, what share those of its body alone do, and what share of the query's
names and numbers it lacks. A title repeats what a question is about, whether or not the text below answers it: so the
sentences and one of the shares leave it out. A logistic model joins the signs into a relevance; 0.5 is where
questions without an answer are told from those with one. There are four sets of coefficients. Across languages words
cannot match and similarities run lower. In unspaced scripts they run higher, and overlapping bigrams count one long
word several times. The sets for spaced scripts were fitted by `footnote eval reranker` on XQuAD and ClapNQ; the two for
unspaced ones set by hand on fifteen questions on Chinese laws.

An expanded query has other wordings, which find what is said in other words. A short one is easily met, so that it
counts with a third of its odds. What meets the query's own words and no other wording is about those words rather
than about what was asked: it gives way to what meets both, but stays on its side of 0.5. Both were set by hand.

A code is exact: what is said of E-021 does not answer a question about E-042, however alike the two questions are.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.ports import EmbeddingModel, Passages
from retrieval.search.signs import Signs, Wording, read_passages, read_wordings
from retrieval.types import ExtractedQuery
from retrieval.weights import coverage


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Weights of a logistic model over Signs."""

    best_sentence: float
    whole_passage: float
    coverage: float
    body_coverage: float
    missing_names: float
    bias: float

    def relevance(self, signs: Signs) -> float:
        """In [0, 1]."""
        logit = (
            self.best_sentence * signs.best_sentence
            + self.whole_passage * signs.whole_passage
            + self.coverage * signs.coverage
            + self.body_coverage * signs.body_coverage
            + self.missing_names * signs.missing_names
            + self.bias
        )
        return 1 / (1 + math.exp(-logit))


_MIDPOINT = 0.5
SAME_LANGUAGE = Coefficients(4.7, 7.2, 2.0, 5.2, missing_names=-1.5, bias=-5.5)
ACROSS_LANGUAGES = Coefficients(10.1, 9.3, 4.0, 4.0, missing_names=-1.6, bias=-5.4)
SAME_LANGUAGE_UNSPACED = Coefficients(3.0, 20.0, 2.0, 3.0, missing_names=-1.3, bias=-11.0)
ACROSS_LANGUAGES_UNSPACED = Coefficients(10.1, 9.3, 4.0, 4.0, missing_names=-1.6, bias=-8.2)


def relevance(signs: Signs) -> float:
    """In [0, 1], by the coefficients for its languages and script; at most one half for a passage on another code."""
    return _by_coefficients(signs) * (_MIDPOINT if signs.lacks_codes else 1)


def _by_coefficients(signs: Signs) -> float:
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
    name: str = "best-sentence-and-coverage-2"

    def score(self, query: ExtractedQuery, passages: Sequence[str]) -> list[float]:
        """Relevance in [0, 1], in input order, of passages as `searchable` words them."""
        by_passage = [[relevance(signs) for signs in of_one] for of_one in self.signs(query, passages)]
        return [_joined(main, max(others)) if others else main for main, *others in by_passage]

    def signs(self, query: ExtractedQuery, passages: Sequence[str]) -> list[list[Signs]]:
        """Of each passage, in input order: the signs for the main query, then those for each of its other wordings."""
        wordings = self._wordings(query)
        return [[passage.signs(wording) for wording in wordings] for passage in read_passages(passages, self.encoder)]

    def _wordings(self, query: ExtractedQuery) -> list[Wording]:
        """The main query, its explanation, and the expansions that do not repeat the main query's words."""
        told = [query.main_query, *filter(None, [query.explanation] if self.expanded else [])]
        expansions = query.expansions if self.expanded else ()
        wordings = read_wordings([*told, *expansions], query.language, self.passages, self.encoder)
        main, others = wordings[0], wordings[len(told) :]
        fresh = [wording for wording in others if coverage(main.weights, wording.weights) < _REPEATS]
        return [*wordings[: len(told)], *fresh]
