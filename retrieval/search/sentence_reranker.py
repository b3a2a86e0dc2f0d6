"""Query and passages to relevance, with nothing but the sentence encoder and the store's term weights.

Four signs are read off each passage: how near its best sentence is to the query, how near the whole passage is, what
share of the query's IDF weight its words cover, and what share of the query's names and numbers it lacks. A logistic
model joins them into a relevance, with one set of coefficients where query and passage share a language and one where
they do not, since words then cannot match and similarities run lower. The coefficients were fitted by `footnote eval
reranker` on XQuAD and ClapNQ; 0.5 is where questions without an answer are told from those with one, in both sets.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.ports import EmbeddingModel, Passages
from retrieval.text import language, names, sentences, terms
from retrieval.types import Vectors
from retrieval.weights import coverage, inverse_document_frequencies


@dataclass(frozen=True, slots=True)
class Signs:
    """What the reranker reads off a query and a passage."""

    best_sentence: float
    whole_passage: float
    coverage: float
    missing_names: float
    same_language: bool


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


SAME_LANGUAGE = Coefficients(best_sentence=3.0, whole_passage=11.9, coverage=9.2, missing_names=-1.3, bias=-6.9)
ACROSS_LANGUAGES = Coefficients(best_sentence=12.9, whole_passage=9.3, coverage=11.7, missing_names=-1.4, bias=-6.45)


@dataclass(frozen=True)
class SentenceReranker:
    """Reranker that always works: embedded, and the fallback when a served one is down."""

    encoder: EmbeddingModel
    passages: Passages
    name: str = "best-sentence-and-coverage-1"

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Relevance in [0, 1], in input order."""
        return [
            (SAME_LANGUAGE if signs.same_language else ACROSS_LANGUAGES).relevance(signs)
            for signs in self.signs(query, passages)
        ]

    def signs(self, query: str, passages: Sequence[str]) -> list[Signs]:
        """In input order."""
        asked_in = language(query)
        weights = inverse_document_frequencies(self.passages, terms(query, asked_in))
        wanted = [terms(name, asked_in)[0] for name in names(query, asked_in) if terms(name, asked_in)]
        question = self.encoder.embed([query], "query")[0]
        found = []
        for passage, (best, whole) in zip(passages, self._similarities(question, passages), strict=True):
            held = set(terms(passage))
            missing = sum(name not in held for name in wanted) / len(wanted) if wanted else 0.0
            found.append(Signs(best, whole, coverage(weights, held), missing, language(passage) == asked_in))
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
