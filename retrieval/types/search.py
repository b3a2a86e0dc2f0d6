"""What search indexes hold, and what search finds."""

import datetime as dt
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from retrieval.types.documents import PageUnit

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Passage:
    """A stored chunk with all that a citation needs. `number` is its row in the store and in the indexes."""

    number: int
    chunk_id: str
    text: str
    document: str
    title: str
    version: int
    version_id: int
    section: tuple[str, ...] = ()
    page: int | None = None
    date: dt.date | None = None
    page_unit: PageUnit = "page"
    confidence: float | None = None

    @property
    def heading(self) -> str:
        """Title and section path, "A > B > C": what gives the bare text its meaning in search."""
        path = self.section if self.section[:1] == (self.title,) else (self.title, *self.section)
        return " > ".join(part for part in path if part)


@dataclass(frozen=True, slots=True)
class KeywordEntry:
    """What a lexical index holds of a passage."""

    number: int
    version_id: int
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VectorEntry:
    """What a dense index holds of a passage. `vector` has shape (dim,)."""

    number: int
    version_id: int
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Changes(Generic[Entry]):
    """What an index must take in to stand at `generation`. `anew`: it first forgets all that it holds."""

    generation: int
    added: tuple[Entry, ...] = ()
    removed_versions: tuple[int, ...] = ()
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """An index's answer: a passage number and the index's own score (cosine, or BM25)."""

    number: int
    score: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A recalled passage. `dense` is a cosine in [-1, 1] and `lexical` a BM25 score, None where that side
    did not return it; `fused` is in [0, 1]."""

    passage: Passage
    dense: float | None
    lexical: float | None
    fused: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A candidate after reranking. `relevance` is in [0, 1], comparable across questions."""

    candidate: Candidate
    relevance: float

    @property
    def passage(self) -> Passage:
        return self.candidate.passage
