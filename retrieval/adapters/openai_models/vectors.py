"""An embedding server's answer to unit vectors, or the reason why it holds none. No I/O."""

import base64
from typing import Any

import numpy as np

from retrieval.types import Vectors


def unit_rows(answer: object, count: int) -> Vectors:
    """Shape (count, dim), in the order of the texts. Raises ValueError with what is wrong with the answer."""
    match answer:
        case {"data": [*items]}:
            return _unit(np.array(_in_order(items, count), dtype=np.float64))
    raise ValueError("it holds no data")


def _in_order(items: list[Any], count: int) -> list[Any]:
    """The vectors by their index, which a server may leave out where it is the place in the list."""
    if not all(isinstance(item, dict) and "embedding" in item for item in items):
        raise ValueError("it holds no embeddings")
    by_index = {str(item.get("index", place)): _floats(item["embedding"]) for place, item in enumerate(items)}
    if len(items) != count or by_index.keys() != set(map(str, range(count))):
        raise ValueError(f"{len(items)} vectors for {count} texts, or not one for each")
    rows = [by_index[str(index)] for index in range(count)]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("vectors of different widths")
    return rows


def _floats(embedding: Any) -> Any:
    """A list of numbers, or little-endian 32-bit floats in base64."""
    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), "<f4")
    if not isinstance(embedding, list) or not set(map(type, embedding)) <= {int, float}:
        raise ValueError("vectors that are no lists of numbers")
    return embedding


def _unit(rows: Any) -> Vectors:
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and (lengths > 0).all()):
        raise ValueError("vectors that are zero or not finite")
    unit: Vectors = (rows / lengths).astype(np.float32)
    return unit
