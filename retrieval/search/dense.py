"""Wordings to nearest passages by meaning, or to none while meaning cannot be searched."""

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.ladder import ServedPart
from retrieval.ports import EmbeddingModel
from retrieval.search.indexes import SearchIndexes
from retrieval.types import Hit


@dataclass(frozen=True)
class DenseRecall:
    """Meaning search that may be out. `part` is the embedding server, None where the model is embedded."""

    indexes: SearchIndexes
    embedding: EmbeddingModel
    part: ServedPart | None = None

    def hits(self, wordings: Sequence[str], k: int, allowed: frozenset[int] | None) -> list[list[Hit]]:
        """Up to k hits a wording, best first, embedded in one batch; no list at all while the server is out."""
        if self.part is None:
            return self._found(wordings, k, allowed)
        return self.part.attempt(lambda: self._found(wordings, k, allowed), list)

    def _found(self, wordings: Sequence[str], k: int, allowed: frozenset[int] | None) -> list[list[Hit]]:
        vectors = self.embedding.embed(wordings, "query")
        return [self.indexes.dense.search(row[None], k, allowed) for row in vectors]
