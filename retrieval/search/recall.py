"""A query to candidates: dense and keyword search over what the viewer may see, fused."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

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
        wordings = [query.main_query, *filter(None, [query.explanation]), *query.expansions]
        near = self.dense.hits(wordings, k, allowed)
        asked = [terms(wording, query.language) for wording in wordings]
        said = [self.indexes.lexical.search(words, k, allowed) for words in asked]
        weights = inverse_document_frequencies(self.passages, chain.from_iterable(asked))
        ceilings = [SATURATION * sum(weights[word] for word in words) for words in asked]
        fused = [self._fused(*one) for one in zip(near or [[] for _ in said], said, ceilings, strict=True)]
        dense, lexical = (_best((hit.number, hit.score) for hit in chain.from_iterable(hits)) for hits in (near, said))
        best = _best(chain.from_iterable(scores.items() for scores in fused))
        return self._with_passages(best, dense, lexical, k)

    def _fused(self, near: Sequence[Hit], said: Sequence[Hit], ceiling: float) -> dict[int, float]:
        """For one wording. Keywords have all the say where meaning has none."""
        return fuse(near, said, alpha=self.alpha if near else 0.0, lexical_ceiling=ceiling)

    def _with_passages(
        self, fused: dict[int, float], dense: dict[int, float], lexical: dict[int, float], k: int
    ) -> list[Candidate]:
        numbers = sorted(fused, key=fused.__getitem__, reverse=True)[:k]
        found = self.passages.passages(numbers)
        return [
            Candidate(found[number], dense.get(number), lexical.get(number), fused[number])
            for number in numbers
            if number in found
        ]


def _best(scores: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Each passage's best score over several searches. One wording that finds it is enough: all of them as one bag of
    words would drown the short ones."""
    best: dict[int, float] = {}
    for number, score in scores:
        best[number] = max(score, best.get(number, score))
    return best
