"""Search indexes and what they follow."""

from collections.abc import Sequence
from typing import Protocol

from retrieval.types import (
    Changes,
    Hit,
    KeywordEntry,
    VectorEntry,
    Vectors,
)


class DenseIndex(Protocol):
    """Nearest vectors by inner product. A cache of the store, standing at one of its generations."""

    @property
    def generation(self) -> int:
        """0 when the index is new or could not be read."""

    def update(self, changes: Changes[VectorEntry]) -> None:
        """Take in changes, all or nothing. Searches meanwhile see the state before."""

    def search(self, vector: Vectors, k: int, allowed: frozenset[int] | None) -> list[Hit]:
        """Up to k hits, best first, among the allowed version ids (None: all). `vector`: shape (1, dim)."""


class LexicalIndex(Protocol):
    """Best passages by BM25 over terms. A cache of the store, standing at one of its generations."""

    @property
    def generation(self) -> int: ...

    def update(self, changes: Changes[KeywordEntry]) -> None: ...

    def search(self, terms: Sequence[str], k: int, allowed: frozenset[int] | None) -> list[Hit]:
        """Up to k hits, best first. A repeated term counts more. No terms: no hits."""


class ChangeLog(Protocol):
    """What the indexes follow."""

    def generation(self) -> int:
        """Grows by one with every publication, deletion and batch of passages embedded anew."""

    def keyword_changes(self, since: int) -> Changes[KeywordEntry]:
        """The next batch of changes after a generation; its own generation says how far it reaches."""

    def vector_changes(self, since: int, embedding_model: str) -> Changes[VectorEntry]:
        """The same for the documents whose passages all have vectors of the model: they are new to an index of it
        from when the last vector came, however old they are."""
