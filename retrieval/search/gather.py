"""A query to the evidence for each of its questions."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain, zip_longest

from retrieval.search.filters import loosened
from retrieval.search.recall import Recall
from retrieval.search.rerank import Ranked, Rerank, distinct
from retrieval.types import Evidence, ExtractedQuery, Viewer

Lap = Callable[[str], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Gathered:
    """A question and what was found for it."""

    query: ExtractedQuery
    ranked: Ranked


@dataclass(frozen=True)
class Search:
    """Both stages: recall, then reranking."""

    recall: Recall
    rerank: Rerank

    @property
    def generation(self) -> int:
        """The one of the knowledge base that was searched last."""
        return self.recall.indexes.lexical.generation

    def gather(self, query: ExtractedQuery, viewer: Viewer, candidates: int, lap: Lap) -> list[Gathered]:
        """What was found for the query, or for each of its parts, in their order."""
        return [self._gathered(part, viewer, candidates, lap) for part in query.parts or (query,)]

    def _gathered(self, query: ExtractedQuery, viewer: Viewer, candidates: int, lap: Lap) -> Gathered:
        """With the filters where something passes them and may answer, else with them as mere wishes."""
        found = self._ranked(query, viewer, candidates, lap)
        if not query.filters.narrow or found.holds_an_answer:
            return Gathered(query, found)
        wider = loosened(query)
        return Gathered(wider, self._ranked(wider, viewer, candidates, lap))

    def _ranked(self, query: ExtractedQuery, viewer: Viewer, candidates: int, lap: Lap) -> Ranked:
        with lap("recall"):
            recalled = self.recall.candidates(query, viewer, candidates)
        with lap("rerank"):
            return self.rerank.ranked(query, recalled)


def merged(gathered: Sequence[Gathered], most: int) -> list[Evidence]:
    """The best of each question in turn, each passage once: up to `most`, and at least two for every question."""
    in_turn = chain.from_iterable(zip_longest(*(found.ranked.evidence for found in gathered)))
    return distinct(item for item in in_turn if item is not None)[: max(most, 2 * len(gathered))]
