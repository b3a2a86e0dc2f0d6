"""Files, what is read from them, and what is stored of them."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from retrieval.types.asking import EVERYONE

Vectors = NDArray[np.float32]
"""Shape (n, dim), rows of unit length."""


_FIRST_CHARS = 200
_MOST_LISTED = 10

BlockKind = Literal["heading", "paragraph", "list", "table", "code", "formula", "caption", "footnote", "note"]
"""A caption is a figure's, a footnote stands at a page's foot, a note is what a speaker is to say with a slide."""

SURE_READING = 0.8
"""Confidence below which people should compare what was read off a picture with the picture."""

PageUnit = Literal["page", "slide", "sheet"]
"""What a page number of a document counts."""


@dataclass(frozen=True, slots=True)
class Block:
    """One structural unit of a document, as Markdown text without its heading marks.

    `level` is 1 to 6 for headings and 0 otherwise; `page` counts from 1, None where there are no pages.
    A table is GitHub-flavoured Markdown, a code block keeps its fences, a list keeps its markers. `confidence`, in
    [0, 1], is how sure the recogniser is of text that was read off a picture, None for text that was there as such.
    """

    kind: BlockKind
    text: str
    level: int = 0
    page: int | None = None
    confidence: float | None = None


Concealment = Literal[
    "invisible",  # switched off, transparent, covered
    "background",  # in the colour of what is behind it
    "tiny",
    "outside",  # beyond the edges of the page
    "comment",
    "characters",  # written in characters that nothing shows
]
"""What keeps a text of a file from being seen."""


@dataclass(frozen=True, slots=True)
class HiddenText:
    """Text of a file that its readers do not see, by its first words and the number of its letters and digits.

    It is left out of the document's blocks, unless it was `kept` since it may well be meant to be found.
    """

    why: Concealment
    words: str
    letters: int
    page: int | None = None
    kept: bool = False

    @classmethod
    def of(cls, why: Concealment, text: str, page: int | None = None, *, kept: bool = False) -> "HiddenText":
        return cls(why, " ".join(text[:_FIRST_CHARS].split()), sum(map(str.isalnum, text)), page, kept)


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A file read: blocks in reading order. `parser` names what read it, with its version. `unread` are pages that
    hold something but no text, as scanned ones do; `hidden` is what else was found in the file."""

    title: str
    blocks: tuple[Block, ...]
    parser: str
    pages: int | None = None
    page_unit: PageUnit = "page"
    unread: tuple[int, ...] = ()
    date: dt.date | None = None
    warnings: tuple[str, ...] = ()
    hidden: tuple[HiddenText, ...] = ()


def listed_pages(numbers: Sequence[int]) -> str:
    """Page numbers in a sentence, the first ten of many."""
    shown = ", ".join(map(str, numbers[:_MOST_LISTED])) + (" …" if len(numbers) > _MOST_LISTED else "")
    return f"page {shown}" if len(numbers) == 1 else f"pages {shown}"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document small enough to cite. `id` stays the same while document, section and text do.
    `confidence` is the least of its blocks."""

    id: str
    text: str
    section: tuple[str, ...] = ()
    page: int | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to take in: where its bytes lie and what the one who brings it says of it.

    What is None stays as the document has it: a new version never shows to more people than the one before
    because nobody thought of saying so. A new document is for everyone, without tags. `replaces` names another
    document whose next version this file is, whatever the file is called.
    """

    document: str
    path: Path
    visibility: str | None = None
    tags: tuple[str, ...] | None = None
    date: dt.date | None = None
    owner: str | None = None
    replaces: str | None = None


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
    page_unit: PageUnit = "page"
    owner: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """A published version as the knowledge base lists it. `version` counts from 1 within its document; `owner` is who
    answers for it, a Slack user id or a name."""

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
    page_unit: PageUnit = "page"
    owner: str | None = None
    parser: str = ""
    warnings: tuple[str, ...] = ()
    removed_at: dt.datetime | None = None


RESTORABLE = dt.timedelta(days=30)
"""How long a deletion can be taken back. Then the document goes for good."""


@dataclass(frozen=True, slots=True)
class SectionChanges:
    """What a new version changes, as section paths "A > B" in reading order; "" is the text outside sections."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


IngestStatus = Literal["new", "new_version", "unchanged", "failed"]


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What became of one file. `reason` is a RefusalCause for a failure, `message` is for people, `changes` is what a
    new version changes in the one before. `sections` counts the headings that passages stand under."""

    file: str
    document: str
    status: IngestStatus
    chunks: int = 0
    pages: int | None = None
    warnings: tuple[str, ...] = ()
    reason: str | None = None
    message: str = ""
    changes: SectionChanges | None = None
    page_unit: PageUnit = "page"
    sections: int = 0
