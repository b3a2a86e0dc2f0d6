"""Statement and passage to how well the one is borne out by the other, with nothing but the sentence encoder and the
store's term weights.

Three signs are read off: how near the best sentence, or two neighbouring ones, come to the statement, what share of the
statement's IDF weight the passage covers, and what share its best two neighbouring sentences cover. A logistic model
joins them; at 0.5 the passage supports the statement. It has a set of coefficients for one language and one for two,
where words cannot match and similarities run lower. The first was fitted on half of the answers that people wrote for
MT-RAG, against sentences that their passages do not bear out; the second is set by hand.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from retrieval.ports import EmbeddingModel, Passages
from retrieval.text import language, sentences, terms
from retrieval.types import Vectors
from retrieval.weights import coverage, inverse_document_frequencies


@dataclass(frozen=True, slots=True)
class SupportSigns:
    """What the verifier reads off a statement and a passage, each in [-1, 1] or [0, 1]."""

    nearest: float
    covered: float
    covered_at_once: float
    same_language: bool


@dataclass(frozen=True, slots=True)
class SupportCoefficients:
    """Weights of a logistic model over SupportSigns."""

    nearest: float
    covered: float
    covered_at_once: float
    bias: float

    def support(self, signs: SupportSigns) -> float:
        """In [0, 1]."""
        logit = (
            self.nearest * signs.nearest
            + self.covered * signs.covered
            + self.covered_at_once * signs.covered_at_once
            + self.bias
        )
        return 1 / (1 + math.exp(-logit))


SAME_LANGUAGE = SupportCoefficients(nearest=5.1, covered=4.5, covered_at_once=2.9, bias=-4.9)
ACROSS_LANGUAGES = SupportCoefficients(nearest=12.0, covered=0.0, covered_at_once=0.0, bias=-6.0)


@dataclass(frozen=True)
class SentenceVerifier:
    """Verifier that always works: embedded."""

    encoder: EmbeddingModel
    passages: Passages
    name: str = "nearest-sentences-and-coverage-1"

    def supports(self, claims: Sequence[tuple[str, str]]) -> list[float]:
        """In [0, 1], in input order; from 0.5 on the passage supports the statement."""
        return [
            (SAME_LANGUAGE if signs.same_language else ACROSS_LANGUAGES).support(signs) for signs in self.signs(claims)
        ]

    def signs(self, claims: Sequence[tuple[str, str]]) -> list[SupportSigns]:
        """In input order."""
        statements = list(dict.fromkeys(statement for statement, _ in claims))
        texts = {passage: _Text.of(passage) for passage in dict.fromkeys(passage for _, passage in claims)}
        vectors = self._vectors([*statements, *(part for text in texts.values() for part in text.parts)])
        asked_in = language(" ".join(statements), default="")
        wanted = {statement: frozenset(terms(statement, asked_in or None)) for statement in statements}
        weights = inverse_document_frequencies(self.passages, frozenset[str]().union(*wanted.values()))
        return [
            SupportSigns(
                _nearest(vectors[statement], np.stack([vectors[part] for part in texts[passage].parts])),
                *texts[passage].coverages({term: weights[term] for term in wanted[statement]}),
                asked_in in ("", texts[passage].language),
            )
            for statement, passage in claims
        ]

    def _vectors(self, texts: Sequence[str]) -> dict[str, Vectors]:
        return dict(zip(texts, self.encoder.embed(texts, "passage"), strict=True))


@dataclass(frozen=True, slots=True)
class _Text:
    """A passage in its sentences, with the terms of each."""

    parts: list[str]
    terms: list[set[str]]
    language: str

    @classmethod
    def of(cls, passage: str) -> "_Text":
        parts, tongue = sentences(passage) or [passage], language(passage)
        return cls(parts, [set(terms(part, tongue)) for part in parts], tongue)

    def coverages(self, weights: dict[str, float]) -> tuple[float, float]:
        """Share of the weights that it covers, and that two neighbouring sentences of it cover."""
        held = [weights.keys() & found for found in self.terms]
        pairs = [a | b for a, b in pairwise(held)] or held
        return coverage(weights, set().union(*held)), max(coverage(weights, found) for found in pairs)


def _nearest(statement: Vectors, parts: Vectors) -> float:
    """Cosine of the nearest part, or of the mean of two neighbouring ones."""
    pairs = parts[:-1] + parts[1:]
    pairs /= np.linalg.norm(pairs, axis=1, keepdims=True)
    return float(max((parts @ statement).max(), (pairs @ statement).max(initial=-1.0)))
