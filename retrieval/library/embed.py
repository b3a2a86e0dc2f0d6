"""A document's passages to vectors, those of the version before used again where nothing has changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import DocumentRefused, RefusalCause, ServiceUnavailable
from retrieval.ports import EmbeddingModel
from retrieval.types import Vectors

EMBEDDED_AT_ONCE = 192
"""Enough that a server is asked for as much at a time as it takes, and that progress is still told."""

Known = Mapping[str, NDArray[np.float32]]
"""Vectors of shape (dim,) by the text they were made from."""


def model_name(embedding: EmbeddingModel, name: str) -> str:
    """The model's. Raises DocumentRefused, saying of which file, where its server does not tell."""
    try:
        return embedding.name
    except ServiceUnavailable as error:
        raise DocumentRefused(RefusalCause.EMBEDDING_FAILED, f"“{name}” was not taken in: {error}") from error


def embedded(
    embedding: EmbeddingModel, name: str, texts: Sequence[str], known: Known, progress: Callable[[str], None]
) -> Vectors:
    """Rows of shape (len(texts), dim) in the order of the texts. Raises DocumentRefused, saying of which file."""
    try:
        usable = {text: known[text] for text in texts if text in known and known[text].shape == (embedding.dim,)}
        fresh = list(dict.fromkeys(text for text in texts if text not in usable))
        rows = [row for batch in _batches(embedding, name, fresh, progress) for row in batch]
        if len(rows) != len(fresh) or any(row.shape != (embedding.dim,) or not np.isfinite(row).all() for row in rows):
            message = f"“{name}” was not taken in because the embedding model gave unusable vectors."
            raise DocumentRefused(RefusalCause.EMBEDDING_FAILED, message)
    except ServiceUnavailable as error:
        message = f"“{name}” was not taken in because its passages could not be embedded: {error}"
        raise DocumentRefused(RefusalCause.EMBEDDING_FAILED, message) from error
    by_text = usable | dict(zip(fresh, rows, strict=True))
    return np.stack([by_text[text] for text in texts])


def _batches(
    embedding: EmbeddingModel, name: str, texts: Sequence[str], progress: Callable[[str], None]
) -> Iterable[Vectors]:
    for start in range(0, len(texts), EMBEDDED_AT_ONCE):
        progress(f"{name}: {start} of {len(texts)} passages")
        yield embedding.embed(texts[start : start + EMBEDDED_AT_ONCE], "passage")
