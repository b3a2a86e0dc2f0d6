"""What search and the library read from the store and write to it."""

from collections.abc import Collection, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.types import (
    Coverage,
    DocumentVersion,
    Filterable,
    Filters,
    NewVersion,
    Passage,
    Vectors,
    Viewer,
)


class Passages(Protocol):
    """What recall reads from the store."""

    def readable(self, viewer: Viewer, filters: Filters) -> frozenset[int]:
        """Ids of the document versions that the viewer may see and the filters admit: current ones, and superseded
        ones where the filters ask for the past."""

    def filterable(self, viewer: Viewer) -> Filterable:
        """What filters can name, among the current documents that the viewer may see."""

    def passages(self, numbers: Collection[int]) -> dict[int, Passage]:
        """By number. Numbers that are no longer there are left out."""

    def current_passages(self, viewer: Viewer) -> list[Passage]:
        """All that the viewer may see, by document name, each document's in reading order."""

    def document_frequencies(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """In how many current chunks each term stands (0 left out), and how many chunks there are."""


class Documents(Protocol):
    """What the library writes to the store."""

    def publish(self, version: NewVersion) -> DocumentVersion:
        """In one transaction: the version, its chunks and vectors, and the step to it from the one before."""

    def delete(self, document: str) -> DocumentVersion:
        """Takes the document out of recall. Raises DocumentNotFound."""

    def restore(self, document: str) -> DocumentVersion:
        """Takes a deletion back, within RESTORABLE. Raises DocumentNotFound."""

    def deleted(self) -> list[DocumentVersion]:
        """What can be restored, by document name: of each the version that was current."""

    def current(self, *, document: str | None = None, sha256: str | None = None) -> list[DocumentVersion]:
        """Current versions, by document name; all of them, or those of one document or content."""

    def versions(self, document: str) -> list[DocumentVersion]:
        """All versions of a document, the current one last. Raises DocumentNotFound."""

    def passages_of(self, version_id: int) -> list[Passage]:
        """A version's passages in reading order."""

    def vectors_of(self, version_id: int, embedding_model: str) -> dict[int, NDArray[np.float32]]:
        """Vectors of shape (dim,) by passage number, of the passages that have one of the model."""


class VectorCatalogue(Protocol):
    """Which embedding models the current documents can be searched by."""

    def coverage(self) -> Coverage: ...

    def example(self, embedding_model: str) -> tuple[Passage, NDArray[np.float32]] | None:
        """A current passage and its vector of shape (dim,), to tell whether a server still runs this model."""


class VectorStore(Protocol):
    """What embedding the current documents anew reads from the store and writes to it."""

    def adopt(self, embedding_model: str, dim: int) -> None:
        """Makes this the model of the documents that have vectors of it.

        Vectors of the same name and another width are of another model, and are dropped.
        """

    def lacking(self, embedding_model: str) -> list[int]:
        """Numbers of the current passages that have no vector of the model."""

    def passages(self, numbers: Collection[int]) -> dict[int, Passage]:
        """By number. Numbers that are no longer there are left out."""

    def add_vectors(self, embedding_model: str, numbers: Sequence[int], rows: Vectors) -> None:
        """In one transaction: unit rows of shape (len(numbers), dim), and what is thereby complete becomes the
        model's own. Passages that have a vector by now keep it."""


class Floors(Protocol):
    """The best relevance below which a question has no answer, as calibrated for each reranker by its name."""

    def get(self, reranker: str) -> float | None:
        """None where none was calibrated. Raises ServiceUnavailable."""

    def set(self, reranker: str, floor: float, questions: int) -> None:
        """Keeps a floor found on so many questions, in place of the one before."""
