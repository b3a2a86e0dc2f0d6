"""Rows of numbers, versions and vectors to an exact Faiss index that is never changed once it is served."""

import threading
from collections import OrderedDict
from typing import Any

import faiss as faiss_with_cpp_signatures
import numpy as np
from numpy.typing import NDArray

from retrieval.types import Hit, Vectors

faiss: Any = faiss_with_cpp_signatures  # its stubs know the C++ calls only, not the ones with arrays

Integers = NDArray[np.int64]
_KEPT_SELECTORS = 32


class Snapshot:
    """One state of the index: `numbers` and `versions` of its rows, in the order of the rows."""

    def __init__(self, index: Any, numbers: Integers, versions: Integers, generation: int) -> None:
        self._index = index
        self.numbers = numbers
        self.versions = versions
        self.generation = generation
        self._selectors: OrderedDict[frozenset[int], Any] = OrderedDict()
        self._selecting = threading.Lock()

    @classmethod
    def empty(cls, dim: int) -> "Snapshot":
        none = np.empty(0, np.int64)
        return cls(faiss.IndexIDMap2(faiss.IndexFlatIP(dim)), none, none, 0)

    def __len__(self) -> int:
        return len(self.numbers)

    def vectors(self) -> Vectors:
        """A copy of the rows, shape (n, dim)."""
        rows: Vectors = self._index.index.reconstruct_n(0, len(self))
        return rows

    def changed(
        self, generation: int, *, removed_versions: Integers, numbers: Integers, versions: Integers, vectors: Vectors
    ) -> "Snapshot":
        """A changed copy. Rows whose numbers come again replace the earlier ones. Numbers start from 0: Faiss
        says -1 for nothing."""
        if (numbers < 0).any():
            raise ValueError("a passage number must not be negative")
        gone = np.isin(self.versions, removed_versions) | np.isin(self.numbers, numbers)
        index = faiss.clone_index(self._index)
        if gone.any():
            index.remove_ids(self.numbers[gone])
        if len(numbers):
            index.add_with_ids(np.ascontiguousarray(vectors, np.float32), numbers)
        return Snapshot(
            index,
            np.concatenate([self.numbers[~gone], numbers]),
            np.concatenate([self.versions[~gone], versions]),
            generation,
        )

    def search(self, query: Vectors, k: int, allowed: frozenset[int] | None) -> list[Hit]:
        """Up to k hits, best first. `query`: shape (1, dim)."""
        k = min(k, len(self))
        if k <= 0 or allowed == frozenset():
            return []
        params = None
        if allowed is not None:
            selector = self._selector(allowed)
            params = faiss.SearchParameters(sel=selector)
        faiss.omp_set_num_threads(1)  # counts for the calling thread; questions come side by side, one thread each
        scores, numbers = self._index.search(query, k, params=params)
        hits = [Hit(int(n), float(s)) for n, s in zip(numbers[0], scores[0], strict=True) if n >= 0]
        return sorted(hits, key=lambda hit: (-hit.score, hit.number))

    def _selector(self, allowed: frozenset[int]) -> Any:
        """A bitmap over passage numbers, kept while the same versions are asked for."""
        with self._selecting:
            if allowed not in self._selectors:
                self._selectors[allowed] = self._bitmap(allowed)
            self._selectors.move_to_end(allowed)
            if len(self._selectors) > _KEPT_SELECTORS:
                self._selectors.popitem(last=False)
            return self._selectors[allowed]

    def _bitmap(self, allowed: frozenset[int]) -> Any:
        wanted = np.fromiter(allowed, np.int64, len(allowed))
        bits = np.zeros(int(self.numbers.max()) + 1, dtype=bool)
        bits[self.numbers[np.isin(self.versions, wanted)]] = True
        return faiss.IDSelectorBitmap(np.packbits(bits, bitorder="little"))
