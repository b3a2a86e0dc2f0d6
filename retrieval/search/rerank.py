"""Candidates to evidence: reranked, the same text only once, the best few."""

import datetime as dt
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from retrieval.budget import note_call
from retrieval.ladder import ServedPart
from retrieval.ports import Floors, Reranker
from retrieval.search.naming import is_named
from retrieval.text import language, names, normalise, terms
from retrieval.types import Candidate, Evidence, ExtractedQuery, ModelCall, Passage

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Judge:
    """A reranker and its floor: the best relevance below which a question has no answer.

    It is the one calibrated for the reranker's name, which only its server may know; `floor` where there is none.
    """

    reranker: Reranker
    floor: float
    calibrated: Floors | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """Evidence, best first, and the floor of the reranker that judged it."""

    evidence: list[Evidence]
    floor: float

    @property
    def holds_an_answer(self) -> bool:
        return any(item.relevance >= self.floor for item in self.evidence)


@dataclass(frozen=True)
class Rerank:
    """Second stage of search. A served judge, where there is one, comes before the embedded one."""

    embedded: Judge
    served: Judge | None = None
    part: ServedPart | None = None
    _told: set[str] = field(default_factory=set)

    def ranked(self, query: ExtractedQuery, candidates: list[Candidate]) -> Ranked:
        """All candidates with their relevance, best first; ties keep the order of recall.

        Among the relevant ones, those that hold every name of the query come before those that lack one: asked about
        Lyon, a rule for Lyon goes before the general one, however much better its words match. Then comes the newest
        or oldest, where that is asked for.
        """
        if not candidates:
            return Ranked([], self.embedded.floor)
        judge, scores = self._judged(query, [searchable(c.passage) for c in candidates])
        floor = self._floor(judge)
        found = [Evidence(candidate, score) for candidate, score in zip(candidates, scores, strict=True)]
        return Ranked(distinct(sorted(found, key=_order(query, floor))), floor)

    def _floor(self, judge: Judge) -> float:
        """Read for each question: it may be calibrated anew, or another model served, at any time."""
        if judge.calibrated is None:
            return judge.floor
        name = judge.reranker.name
        floor = judge.calibrated.get(name)
        if floor is None and judge is self.served and name not in self._told:
            self._told.add(name)
            log.warning(
                "the relevance floor is not calibrated for the reranker %s, %g is taken; run: footnote eval calibrate",
                name,
                judge.floor,
            )
        return judge.floor if floor is None else floor

    def _judged(self, query: ExtractedQuery, texts: list[str]) -> tuple[Judge, list[float]]:
        def by(judge: Judge) -> tuple[Judge, list[float]]:
            scores = judge.reranker.score(query, texts)
            note_call(ModelCall("RERANKER", judge.reranker.name))
            return judge, scores

        served, part = self.served, self.part
        if served is None or part is None:
            return by(self.embedded)
        return part.attempt(lambda: by(served), lambda: by(self.embedded))


def _order(query: ExtractedQuery, floor: float) -> Callable[[Evidence], tuple[bool, bool, float, float]]:
    wanted = _musts(query)

    def order(evidence: Evidence) -> tuple[bool, bool, float, float]:
        relevant = evidence.relevance >= floor
        named = relevant and _holds(wanted, searchable(evidence.passage), query.language)
        return not relevant, not named, _age(evidence.passage, query) if relevant else 0.0, -evidence.relevance

    return order


def _musts(query: ExtractedQuery) -> list[str]:
    """The names of the query that its expansions, too, mostly hold on to: what they say otherwise is no must."""
    lang, others = query.language, query.expansions
    return [
        name
        for name in names(query.main_query, lang)
        if 2 * sum(_holds([name], wording, lang) for wording in others) >= len(others)
    ]


def _age(passage: Passage, query: ExtractedQuery) -> float:
    """Less comes first. Undated passages come last."""
    if query.ranking == "relevance":
        return 0.0
    if passage.date is None:
        return float(dt.date.max.toordinal())
    return float(passage.date.toordinal() * (-1 if query.ranking == "newest" else 1))


def _holds(wanted: list[str], text: str, lang: str) -> bool:
    held = set(terms(text))
    same = language(text, lang) == lang
    return all(is_named(name, text, held, lang, same_language=same) for name in wanted)


def searchable(passage: Passage) -> str:
    """The passage's words under its title and section path, which say what a bare row or clause is about."""
    return f"{passage.heading}\n{passage.text}"


def distinct(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Without passages that repeat an earlier one word for word, so that copies do not crowd out other facts."""
    seen: set[str] = set()
    kept = []
    for item in evidence:
        words = " ".join(normalise(item.passage.text).split())
        if words not in seen:
            seen.add(words)
            kept.append(item)
    return kept
