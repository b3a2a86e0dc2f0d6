"""Query and evidence to a draft of one to three quoted statements: an answer that needs no model.

A statement's worth is its nearness to the query (cosine), the share of the query's IDF weight its words cover, and
the relevance of its passage; one that holds a figure gets a little more where a figure is asked for, one that lacks
the query's names a little less.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import regex

from retrieval.answer.statements import Statement, statements
from retrieval.ports import EmbeddingModel, Passages
from retrieval.text import UNSPACED, names, terms
from retrieval.types import Draft, Evidence, ExtractedQuery, Quote
from retrieval.weights import coverage, inverse_document_frequencies

_MOST = 3
_AS_GOOD = 0.93
_ADDS = 0.8
"""A further statement must be worth this share of the best one: nearly all of it where it is another reading of the
same words, less where it holds words of the query that those chosen before it do not."""
_NEW_COVERAGE = 0.15
_LONGEST = 900
_FIGURE_BONUS = 0.1
_MISSING_NAMES = 0.1

_ASKS_FIGURE = regex.compile(
    r"\b(?:how (?:many|much|long|old|far|often|high|fast|big|late|early|soon)|when|what (?:time|year|date|percentage)"
    r"|quant[oa]s?|quando|que horas|combien|quand|quelle heure|cu[áa]nt[oa]s?|cu[áa]ndo|wie ?viele?|wann|wie lange"
    r"|quanti|quante|hoeveel)\b|多少|几|多久|多长|多高|何時|何日|何人|いつ|いくら|いくつ",
    regex.I,
)

_FIGURE = regex.compile(
    r"\p{N}|[零一二三四五六七八九十百千万两半]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|once"
    r"|twice|dois|duas|tr[êe]s|quatro|cinco|seis|sete|oito|nove|dez|deux|trois|quatre|cinq|sept|huit|neuf|dix|dos"
    r"|cuatro|siete|ocho|nueve|diez|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|Monday|Tuesday|Wednesday"
    r"|Thursday|Friday|Saturday|Sunday)\b"
)


@dataclass(frozen=True, slots=True)
class _Candidate:
    statement: Statement
    evidence: int
    position: int
    terms: frozenset[str]
    worth: float


@dataclass(frozen=True)
class QuotingAnswerer:
    """Answerer that says only what the passages say, word for word."""

    encoder: EmbeddingModel
    passages: Passages

    def compose(self, query: ExtractedQuery, evidence: Sequence[Evidence]) -> Draft:
        """One to three statements, each with its mark, in reading order; not answerable without any."""
        candidates, weights = self._candidates(query, evidence)
        if not candidates:
            return Draft("", answerable=False)
        chosen = _choose(candidates, weights)
        return Draft(_prose(chosen), tuple(Quote(c.statement.text, c.evidence) for c in chosen))

    def _candidates(
        self, query: ExtractedQuery, evidence: Sequence[Evidence]
    ) -> tuple[list[_Candidate], dict[str, float]]:
        """Best first, and the weights of the query's terms."""
        found = [
            (statement, place, position)
            for place, item in enumerate(evidence)
            for position, statement in enumerate(statements(item.passage.text))
        ]
        weights = inverse_document_frequencies(self.passages, terms(query.main_query, query.language))
        question = self.encoder.embed([query.main_query], "query")[0]
        cosines = self.encoder.embed([statement.text for statement, _, _ in found], "passage") @ question
        wanted = {terms(name, query.language)[0] for name in names(query.main_query, query.language)} & weights.keys()
        bonus = _FIGURE_BONUS if _ASKS_FIGURE.search(query.main_query) else 0.0
        candidates = []
        for (statement, place, position), cosine in zip(found, np.atleast_1d(cosines), strict=True):
            held = frozenset(terms(statement.text)) & weights.keys()
            worth = 0.5 * float(cosine) + 0.5 * coverage(weights, held) + 0.3 * evidence[place].relevance
            worth += bonus * bool(_FIGURE.search(statement.text))
            worth -= _MISSING_NAMES * (len(wanted - held) / len(wanted) if wanted else 0.0)
            candidates.append(_Candidate(statement, place, position, held, worth))
        return sorted(candidates, key=lambda candidate: -candidate.worth), weights


def _choose(candidates: Sequence[_Candidate], weights: dict[str, float]) -> list[_Candidate]:
    """The best and what comes close to it, no statement twice, in reading order."""
    chosen = [candidates[0]]
    for candidate in candidates[1:]:
        if len(chosen) == _MOST:
            break
        covered = frozenset[str]().union(*(c.terms for c in chosen))
        adds = coverage(weights, covered | candidate.terms) - coverage(weights, covered)
        close = candidate.worth / candidates[0].worth
        worthy = close >= (_ADDS if adds >= _NEW_COVERAGE else _AS_GOOD)
        if worthy and not _repeats(candidate, chosen) and _length([*chosen, candidate]) <= _LONGEST:
            chosen.append(candidate)
    return sorted(chosen, key=lambda candidate: (candidate.evidence, candidate.position))


def _repeats(candidate: _Candidate, chosen: Sequence[_Candidate]) -> bool:
    text = candidate.statement.text
    return any(text in c.statement.text or c.statement.text in text for c in chosen)


def _length(chosen: Sequence[_Candidate]) -> int:
    return sum(len(candidate.statement.text) for candidate in chosen)


def _prose(chosen: Sequence[_Candidate]) -> str:
    """Sentences of one passage run on; items are listed; another passage starts a paragraph."""
    parts = [_marked(candidate, listed=len(chosen) > 1) for candidate in chosen]
    text = parts[0]
    for before, here, part in zip(chosen, chosen[1:], parts[1:], strict=False):
        text += _between(before, here) + part
    return text


def _marked(candidate: _Candidate, *, listed: bool) -> str:
    statement, mark = candidate.statement, f"[{candidate.evidence + 1}]"
    match statement.shape:
        case "code":
            return f"{statement.text}\n{mark}"
        case "item" if listed:
            return f"- {statement.text} {mark}"
        case _:
            return f"{statement.text} {mark}"


def _between(before: _Candidate, here: _Candidate) -> str:
    if before.statement.shape == here.statement.shape == "item":
        return "\n"
    if before.evidence != here.evidence or "sentence" not in (before.statement.shape, here.statement.shape):
        return "\n\n"
    if before.statement.shape == here.statement.shape:
        return "" if UNSPACED.search(here.statement.text[:1]) else " "
    return "\n\n"
