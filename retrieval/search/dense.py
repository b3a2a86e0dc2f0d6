"""Wordings to nearest passages by meaning, or to none while meaning cannot be searched."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from retrieval.budget import note_missing
from retrieval.ladder import ServedPart
from retrieval.ports import EmbeddingModel, VectorCatalogue
from retrieval.search.earlier import EarlierModels
from retrieval.search.indexes import SearchIndexes
from retrieval.types import Coverage, Hit, Missing, StoredVectors, Vectors

log = logging.getLogger(__name__)

Hits = list[list[Hit]]


@dataclass(frozen=True, slots=True)
class _Asked:
    wordings: Sequence[str]
    k: int
    allowed: frozenset[int] | None


@dataclass(frozen=True)
class DenseRecall:
    """Meaning search that may be out. `part` is the embedding server, None where the model is embedded.

    While not all documents have vectors of the configured model, the search goes by the model that most passages have
    vectors of, among those that can be asked; the rest is left to keywords.
    """

    indexes: SearchIndexes
    catalogue: VectorCatalogue
    embedding: EmbeddingModel
    earlier: EarlierModels
    part: ServedPart | None = None
    _told: set[str] = field(default_factory=set)

    def hits(self, wordings: Sequence[str], k: int, allowed: frozenset[int] | None) -> Hits:
        """Up to k hits a wording, best first, embedded in one batch; no list at all where no model can be asked that
        passages have vectors of. Raises ServiceUnavailable when the store does not answer."""
        asked, coverage = _Asked(wordings, k, allowed), self.catalogue.coverage()
        if self.part is None:
            return self._by_configured(coverage, asked)()
        return self.part.attempt(lambda: self._by_configured(coverage, asked), lambda: list)()

    def _by_configured(self, coverage: Coverage, asked: _Asked) -> Callable[[], Hits]:
        """What is left to do once the server has done its part, outside the time it is given."""
        name = self.embedding.name
        stored = coverage.whole(name)
        if stored is None:
            self._warn_once(f"not all passages have vectors of the embedding model {name}")
            return lambda: self._by_others(coverage, asked)
        vectors = self.embedding.embed(asked.wordings, "query")
        if (width := vectors.shape[1]) != stored.width:
            self._warn_once(
                f"the embedding model {name} gives vectors of {width} numbers now and gave the passages some of"
                f" {stored.width}: another model runs under its name"
            )
            return lambda: self._by_others(coverage, asked)
        return lambda: self._nearest(stored, vectors, asked)

    def _by_others(self, coverage: Coverage, asked: _Asked) -> Hits:
        note_missing(Missing.VECTORS)
        for stored in coverage.models:
            vectors = self.earlier.embed(asked.wordings, stored)
            if vectors is not None:
                return self._nearest(stored, vectors, asked)
        note_missing(Missing.EMBEDDING)
        return []

    def _nearest(self, stored: StoredVectors, vectors: Vectors, asked: _Asked) -> Hits:
        index = self.indexes.dense(stored.model, stored.width)
        return [index.search(row[None], asked.k, asked.allowed) for row in vectors]

    def _warn_once(self, what: str) -> None:
        if what not in self._told:
            self._told.add(what)
            log.warning("%s; run: footnote kb reembed", what)
