"""Files, what is read from them, and what is stored of them."""

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from retrieval.types.asking import EVERYONE

Vectors = NDArray[np.float32]
"""Shape (n, dim), rows of unit length."""


BlockKind = Literal["heading", "paragraph", "list", "table", "code", "formula"]


@dataclass(frozen=True, slots=True)
class Block:
    """One structural unit of a document, as Markdown text without its heading marks.

    `level` is 1 to 6 for headings and 0 otherwise; `page` counts from 1, None where there are no pages.
    A table is GitHub-flavoured Markdown, a code block keeps its fences, a list keeps its markers.
    """

    kind: BlockKind
    text: str
    level: int = 0
    page: int | None = None


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A file read: blocks in reading order."""

    title: str
    blocks: tuple[Block, ...]
    parser: str
    pages: int | None = None
    date: dt.date | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document small enough to cite. `id` stays the same while document, section and text do."""

    id: str
    text: str
    section: tuple[str, ...] = ()
    page: int | None = None


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to take in: where its bytes lie and what the one who brings it says of it.

    What is None stays as the document has it: a new version never shows to more people than the one before
    because nobody thought of saying so. A new document is for everyone, without tags.
    """

    document: str
    path: Path
    visibility: str | None = None
    tags: tuple[str, ...] | None = None
    date: dt.date | None = None


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A document version ready to be published, with one vector row per chunk."""

    document: str
    title: str
    sha256: str
    parser: str
    chunks: tuple[Chunk, ...]
    vectors: Vectors
    embedding_model: str
    visibility: str = EVERYONE
    tags: tuple[str, ...] = ()
    date: dt.date | None = None
    pages: int | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """A published version as the knowledge base lists it. `version` counts from 1 within its document."""

    id: int
    document: str
    version: int
    title: str
    sha256: str
    chunks: int
    visibility: str
    tags: tuple[str, ...]
    date: dt.date | None
    pages: int | None
    ingested_at: dt.datetime
    current: bool
    embedding_model: str = ""


IngestStatus = Literal["new", "new_version", "unchanged", "failed"]


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What became of one file. `reason` is a RefusalCause for a failure, `message` is for people."""

    file: str
    document: str
    status: IngestStatus
    chunks: int = 0
    pages: int | None = None
    warnings: tuple[str, ...] = ()
    reason: str | None = None
    message: str = ""
