"""A query to candidates: dense and keyword search over what the viewer may see, fused."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.ports import Passages
from retrieval.search.dense import DenseRecall
from retrieval.search.fusion import fuse
from retrieval.search.indexes import SearchIndexes
from retrieval.text import terms
from retrieval.types import Candidate, ExtractedQuery, Hit, Viewer
from retrieval.weights import SATURATION, inverse_document_frequencies


@dataclass(frozen=True)
class Recall:
    """First stage of search."""

    indexes: SearchIndexes
    passages: Passages
    dense: DenseRecall
    alpha: float

    def candidates(self, query: ExtractedQuery, viewer: Viewer, k: int) -> list[Candidate]:
        """Up to k candidates, best first; none when the viewer may see no document that passes the filters."""
        self.indexes.refresh()
        allowed = self.passages.readable(viewer, query.filters)
        if not allowed:
            return []
        near = self._dense_hits(query, k, allowed)
        words = terms(query.main_query, query.language) + [
            term for phrase in query.expansions for term in terms(phrase, query.language)
        ]
        said = self.indexes.lexical.search(words, k, allowed)
        weights = inverse_document_frequencies(self.passages, words)
        ceiling = SATURATION * sum(weights[word] for word in words)
        fused = fuse(near, said, alpha=self.alpha, lexical_ceiling=ceiling)
        return self._with_passages(fused, near, said, k)

    def _dense_hits(self, query: ExtractedQuery, k: int, allowed: frozenset[int]) -> list[Hit]:
        wordings = [query.main_query, *filter(None, [query.explanation]), *query.expansions]
        return _best_of(self.dense.hits(wordings, k, allowed), k)

    def _with_passages(
        self, fused: dict[int, float], near: Sequence[Hit], said: Sequence[Hit], k: int
    ) -> list[Candidate]:
        numbers = list(fused)[:k]
        found = self.passages.passages(numbers)
        dense = {hit.number: hit.score for hit in near}
        lexical = {hit.number: hit.score for hit in said}
        return [
            Candidate(found[number], dense.get(number), lexical.get(number), fused[number])
            for number in numbers
            if number in found
        ]


def _best_of(hit_lists: Iterable[Sequence[Hit]], k: int) -> list[Hit]:
    """Each passage with its best score over several searches, best first."""
    best: dict[int, float] = {}
    for hits in hit_lists:
        for hit in hits:
            best[hit.number] = max(hit.score, best.get(hit.number, hit.score))
    ranked = sorted(best.items(), key=lambda pair: -pair[1])[:k]
    return [Hit(number, score) for number, score in ranked]
