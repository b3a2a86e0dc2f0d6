"""Document versions made for tests: vectors are a pure function of the text, so that a text finds itself."""

import hashlib
import zlib
from collections.abc import Sequence

import numpy as np

from retrieval.types import Chunk, DeliveryState, NewVersion, ThreadMessage, Vectors

DIM = 16
MODEL = "embed-a"


def embedded(texts: Sequence[str], dim: int = DIM) -> Vectors:
    """Unit rows of shape (len(texts), dim); the same text gives the same row, another text another one."""
    seeds = [zlib.crc32(text.encode("utf-8", "surrogatepass")) for text in texts]
    rows = np.array([np.random.default_rng(seed).normal(size=dim) for seed in seeds]).reshape(len(texts), dim)
    unit: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


def new_version(document: str, *texts: str, model: str = MODEL, dim: int = DIM) -> NewVersion:
    chunks = tuple(Chunk(f"{document}#{i}", text, ("Part", f"No. {i}"), i + 1) for i, text in enumerate(texts))
    return NewVersion(
        document=document,
        title=document.removesuffix(".md"),
        sha256=hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest(),
        parser="test 1",
        chunks=chunks,
        vectors=embedded(texts, dim),
        embedding_model=model,
    )


def said(
    ts: str, text: str = "How many days?", *, state: DeliveryState = "accepted", by_bot: bool = False
) -> ThreadMessage:
    """A message in one channel and thread."""
    return ThreadMessage("C1", ts, "100.0", "B1" if by_bot else "U1", text, by_bot, state)
