"""Candidates to evidence: reranked, the same text only once, the best few."""

from collections.abc import Iterable
from dataclasses import dataclass

from retrieval.ports import Reranker
from retrieval.text import names, normalise, terms
from retrieval.types import Candidate, Evidence, ExtractedQuery, Passage

_RELEVANT = 0.5


@dataclass(frozen=True)
class Rerank:
    """Second stage of search."""

    reranker: Reranker

    def evidence(self, query: ExtractedQuery, candidates: list[Candidate]) -> list[Evidence]:
        """All candidates with their relevance, best first; ties keep the order of recall.

        Among the relevant ones, those that hold every name of the query come before those that lack one: asked about
        Lyon, a rule for Lyon goes before the general one, however much better its words match.
        """
        scores = self.reranker.score(query.main_query, [searchable(c.passage) for c in candidates])
        judged = [Evidence(candidate, score) for candidate, score in zip(candidates, scores, strict=True)]
        wanted = names(query.main_query, query.language)

        def order(evidence: Evidence) -> tuple[bool, float]:
            named = evidence.relevance >= _RELEVANT and _holds(wanted, searchable(evidence.passage), query.language)
            return not named, -evidence.relevance

        return sorted(judged, key=order)


def _holds(wanted: list[str], text: str, lang: str) -> bool:
    held = set(terms(text))
    return all(name in text or held & set(terms(name, lang)[:1]) for name in wanted)


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
