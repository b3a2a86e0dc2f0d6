"""Vectors to the bytes that the store keeps, and back."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.types import Vectors

_STORED = np.dtype("<f4")


def checked(vectors: ArrayLike, rows: int, document: str) -> Vectors:
    """Float32 rows of unit length, shape (rows, dim), from numbers of any width.

    Raises DocumentRefused when there are not as many rows as chunks, or a row has no direction.
    """
    try:
        found = np.asarray(vectors, dtype=np.float64)
    except (TypeError, ValueError):
        raise _refused(document, "they differ in width or are not numbers") from None
    if found.ndim != 2 or found.shape[0] != rows or not found.shape[1]:
        raise _refused(document, f"{rows} were expected, and what came has the shape {found.shape}")
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
    useless = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))
    if useless.size:
        raise _refused(document, f"the one of passage {useless[0] + 1} is zero or not a number")
    unit: Vectors = (found / lengths).astype(np.float32)
    return unit


def to_bytes(vector: NDArray[np.float32]) -> bytes:
    return vector.astype(_STORED).tobytes()


def from_bytes(data: bytes) -> NDArray[np.float32]:
    return np.frombuffer(data, dtype=_STORED).astype(np.float32)


def _refused(document: str, why: str) -> DocumentRefused:
    return DocumentRefused(
        RefusalCause.EMBEDDING_FAILED,
        f"The embedding model gave unusable vectors for {document}: {why}. Nothing was stored. "
        "Check the embedding model and ingest the document again.",
    )
