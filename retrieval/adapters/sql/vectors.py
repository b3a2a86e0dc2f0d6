"""Vectors to the rows that the store keeps, and back."""

from collections.abc import Sequence

import numpy as np
import sqlalchemy as sa
from numpy.typing import ArrayLike, NDArray
from sqlalchemy.engine import Connection

from retrieval.adapters.sql.schema import embedded_versions, embedding_models, embeddings
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


def model_id(connection: Connection, name: str, dim: int, whose: str) -> int:
    """The row of an embedding model, made when it is new. Raises DocumentRefused, saying whose vectors are of another
    width than the model's earlier ones."""
    known = connection.execute(sa.select(embedding_models).where(embedding_models.c.name == name)).one_or_none()
    if known is None:
        new = embedding_models.insert().values(name=name, dim=dim)
        return int(connection.execute(new.returning(embedding_models.c.id)).scalar_one())
    if known.dim != dim:
        raise DocumentRefused(
            RefusalCause.EMBEDDING_FAILED,
            f"The embedding model {name} gave vectors of {dim} numbers for {whose}, and earlier ones of {known.dim}. "
            "Nothing was stored. Check which model the embedding server runs; if it is meant to be another one, "
            "run: footnote kb reembed",
        )
    return int(known.id)


def insert(connection: Connection, model: int, numbers: Sequence[int], rows: Vectors) -> None:
    """A vector for each chunk number, of which none has one of this model."""
    if not numbers:
        return
    connection.execute(
        embeddings.insert(),
        [
            {"model_id": model, "number": number, "vector": row.astype(_STORED).tobytes()}
            for number, row in zip(numbers, rows, strict=True)
        ],
    )


def mark_embedded(connection: Connection, model: int, version_ids: Sequence[int], generation: int) -> None:
    """From this generation on, indexes of the model take in these versions, all of whose chunks have vectors."""
    if not version_ids:
        return
    connection.execute(
        embedded_versions.insert(),
        [{"model_id": model, "version_id": version_id, "generation": generation} for version_id in version_ids],
    )


def from_bytes(data: bytes) -> NDArray[np.float32]:
    return np.frombuffer(data, dtype=_STORED).astype(np.float32)


def _refused(document: str, why: str) -> DocumentRefused:
    return DocumentRefused(
        RefusalCause.EMBEDDING_FAILED,
        f"The embedding model gave unusable vectors for {document}: {why}. Nothing was stored. "
        "Check the embedding model and try again.",
    )
