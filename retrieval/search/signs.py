"""Queries and passages to the signs by which the embedded reranker judges.

What of a passage serves every wording of a query (its language, terms, sentences and vectors) is read once, and the
whole of it is embedded in one call.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise

import regex

from retrieval.ports import EmbeddingModel, Passages
from retrieval.search.naming import is_named
from retrieval.text import UNSPACED_LANGUAGES, language, names, sentences, terms
from retrieval.types import Vectors
from retrieval.weights import coverage, inverse_document_frequencies

_CODE = regex.compile(r"\p{Lu}.*\d|\d.*\p{Lu}")


@dataclass(frozen=True, slots=True)
class Signs:
    """What is read off a query and a passage. A title says what all of a document is about, the body of a passage (its
    sections and text) what it says of that: the sentences and `body_coverage` leave the title out, `whole_passage` and
    `coverage` have it. `lacks_codes`: the query names codes such as E-042, and the passage none of them."""

    best_sentence: float
    whole_passage: float
    coverage: float
    body_coverage: float
    missing_names: float
    lacks_codes: bool
    same_language: bool
    unspaced: bool


@dataclass(frozen=True, slots=True)
class Wording:
    """One way to put a query. `weights`: of its terms; `vector`: of shape (dim,)."""

    language: str
    weights: dict[str, float]
    names: list[str]
    vector: Vectors


@dataclass(frozen=True, slots=True)
class _Text:
    words: str
    terms: frozenset[str]

    @classmethod
    def of(cls, words: str, lang: str) -> "_Text":
        return cls(words, frozenset(terms(words, lang)))


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """A passage as read once. `vectors`: of the whole in the first row, then of the sentences of its body."""

    language: str
    whole: _Text
    body: _Text
    vectors: Vectors

    def signs(self, wording: Wording) -> Signs:
        same = self.language == wording.language
        named = [self._named(text, wording, same_language=same) for text in (self.whole, self.body)]
        # Across languages only names can be the same word.
        told = (self.whole.terms, self.body.terms) if same else [_terms(there, wording.language) for there in named]
        codes = [name for name in wording.names if _CODE.search(name)]
        whole, *by_sentence = (self.vectors @ wording.vector).tolist()
        return Signs(
            best_sentence=max(by_sentence, default=whole),
            whole_passage=whole,
            coverage=coverage(wording.weights, told[0]),
            body_coverage=coverage(wording.weights, told[1]),
            missing_names=1 - len(named[0]) / len(wording.names) if wording.names else 0.0,
            lacks_codes=bool(codes) and not set(codes) & set(named[0]),
            same_language=same,
            unspaced=self.language in UNSPACED_LANGUAGES,
        )

    def _named(self, text: _Text, wording: Wording, *, same_language: bool) -> list[str]:
        return [
            name
            for name in wording.names
            if is_named(name, text.words, text.terms, wording.language, same_language=same_language)
        ]


def _terms(found: Sequence[str], lang: str) -> set[str]:
    return {term for name in found for term in terms(name, lang)}


def _body(passage: str) -> str:
    """Without the title, which stands first in the first line. A passage of one line is all body."""
    heading, _, text = passage.partition("\n")
    sections = heading.partition(" > ")[2]
    return "\n".join(filter(None, [sections, text])) if text else passage


def read_passages(passages: Sequence[str], encoder: EmbeddingModel) -> list[ReadPassage]:
    """Of passages as `searchable` words them, or without any heading; in input order."""
    bodies = [_body(passage) for passage in passages]
    units = [[passage, *sentences(body)] for passage, body in zip(passages, bodies, strict=True)]
    vectors = encoder.embed([unit for of_one in units for unit in of_one], "passage")
    bounds = pairwise(accumulate((len(of_one) for of_one in units), initial=0))
    return [
        ReadPassage(lang := language(passage), _Text.of(passage, lang), _Text.of(body, lang), vectors[start:end])
        for passage, body, (start, end) in zip(passages, bodies, bounds, strict=True)
    ]


def read_wordings(
    texts: Sequence[str], default_language: str, passages: Passages, encoder: EmbeddingModel
) -> list[Wording]:
    """In input order. The default is for those too short to tell their language. Raises ServiceUnavailable."""
    languages = [language(text, default_language) for text in texts]
    wanted = [terms(text, lang) for text, lang in zip(texts, languages, strict=True)]
    weights = inverse_document_frequencies(passages, chain.from_iterable(wanted))
    return [
        Wording(lang, {term: weights[term] for term in found}, names(text, lang), vector)
        for text, lang, found, vector in zip(texts, languages, wanted, encoder.embed(texts, "query"), strict=True)
    ]
