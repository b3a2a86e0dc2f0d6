"""Vectors to nearest passages by cosine, with Faiss: exact, in memory, kept in one file."""

import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.adapters.faiss_index import file
from retrieval.adapters.faiss_index.snapshot import Snapshot
from retrieval.errors import ConfigurationError, IndexCorrupt, ServiceUnavailable
from retrieval.types import Changes, Hit, VectorEntry, Vectors

__all__ = ["FaissIndex"]

log = logging.getLogger(__name__)

_ROWS_PER_UNSAVED_ROW = 50
"""The file is written once 2 % of the rows have changed: the store has the rest, and writing takes time."""


class FaissIndex:
    """`retrieval.ports.DenseIndex` on Faiss.

    Each process has its own copy in memory; the file only saves reading everything from the store at the start.
    """

    def __init__(self, path: Path, *, dim: int, model: str) -> None:
        """Starts from the file at `path`, or empty at generation 0 when it is missing, damaged or holds the
        vectors of another model."""
        self._path = path
        self._dim = dim
        self._model = model
        self._writing = threading.Lock()
        self._unsaved_rows = 0
        self._served = self._opened()

    @classmethod
    def of_model(cls, folder: Path, model: str, dim: int) -> "FaissIndex":
        """The index of a model among those of other models in a folder."""
        return cls(file.path_of(folder, model), dim=dim, model=model)

    @property
    def generation(self) -> int:
        return self._served.generation

    def __len__(self) -> int:
        """How many passages it holds, superseded ones included."""
        return len(self._served)

    def update(self, changes: Changes[VectorEntry]) -> None:
        """Take in changes, all or nothing; searches meanwhile see the state before. When the file cannot be
        written, that is logged and the index serves from memory. Raises ConfigurationError for another width.
        """
        rows = self._rows(changes.added)
        with self._writing:
            served = self._served
            if changes.generation <= served.generation and not changes.anew:
                return
            before = Snapshot.empty(self._dim) if changes.anew else served
            self._served = before.changed(
                changes.generation,
                removed_versions=np.array(changes.removed_versions, np.int64),
                numbers=np.array([entry.number for entry in changes.added], np.int64),
                versions=np.array([entry.version_id for entry in changes.added], np.int64),
                vectors=rows,
            )
            removed = len(served) + len(rows) - len(self._served)
            self._unsaved_rows += len(rows) + removed
            if self._unsaved_rows * _ROWS_PER_UNSAVED_ROW >= len(self._served):
                self._save()

    def search(self, vector: Vectors, k: int, allowed: frozenset[int] | None) -> list[Hit]:
        """Up to k hits with cosines, best first, among the allowed version ids (None: all). `vector`: (1, dim).

        Raises ConfigurationError for another width and ServiceUnavailable for a vector without direction.
        """
        return self._served.search(self._unit(np.asarray(vector)), k, allowed)

    def _rows(self, entries: Sequence[VectorEntry]) -> Vectors:
        """Shape (n, dim), unit rows."""
        for entry in entries:
            self._require_width(entry.vector.shape[-1])
        stacked = np.stack([entry.vector for entry in entries]) if entries else np.empty((0, self._dim))
        return self._unit(stacked)

    def _unit(self, rows: NDArray[Any]) -> Vectors:
        self._require_width(rows.shape[-1])
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not (np.isfinite(lengths) & (lengths > 0)).all():
            raise ServiceUnavailable(f"The embedding model {self._model} gave a vector without direction")
        unit: Vectors = np.ascontiguousarray(rows / lengths, dtype=np.float32)
        return unit

    def _require_width(self, width: int) -> None:
        if width != self._dim:
            raise ConfigurationError(
                f"The vector index takes vectors of {self._dim} numbers ({self._model}) and met one of {width}: "
                "another embedding model runs under its name. Set the former one back, or run: footnote kb reembed"
            )

    def _opened(self) -> Snapshot:
        file.remove_leftovers(self._path)
        try:
            return file.read(self._path, model=self._model, dim=self._dim)
        except FileNotFoundError:
            log.info("there is no vector index %s yet", self._path)
        except IndexCorrupt as error:
            log.warning("vector index %s is not used and will be made again: %s", self._path, error)
        return Snapshot.empty(self._dim)

    def _save(self) -> None:
        try:
            file.write(self._served, self._path, model=self._model, dim=self._dim)
            self._unsaved_rows = 0
        except OSError as error:
            log.warning("vector index %s cannot be written, it is served from memory: %s", self._path, error)
