"""A file to the passages that it would become, before anything is embedded or stored."""

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from retrieval.errors import DocumentRefused, RefusalCause, new_incident
from retrieval.library.chunk import chunk
from retrieval.ports import DocumentParser
from retrieval.types import Chunk, ParsedDocument, SourceFile, embedded_text

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Draft:
    """A document read and cut. `key` is the document that it is to be a version of, `name` the file's own."""

    key: str
    name: str
    sha256: str
    document: ParsedDocument
    chunks: tuple[Chunk, ...]

    @property
    def texts(self) -> list[str]:
        """What of each chunk is embedded."""
        return [embedded_text(self.document.title, part) for part in self.chunks]


@dataclass(frozen=True)
class Drafting:
    """Reads and cuts files. Sizes in characters."""

    parser: DocumentParser
    chunk_size: int
    chunk_overlap: int

    def draft(self, file: SourceFile, sha256: str, progress: Callable[[str], None]) -> Draft:
        """Raises DocumentRefused, also where the bytes are no longer those of that hash once all is read."""
        key, name = key_of(file), PurePosixPath(file.document).name
        progress(f"{name}: reading")
        try:
            document = self.parser.parse(file, progress=progress)
            chunks = chunk(document, key=key, size=self.chunk_size, overlap=self.chunk_overlap)
        except DocumentRefused:
            raise
        except Exception as error:  # one strange file must not stop the others
            incident = new_incident()
            _log.exception("reading %s failed, incident %s", name, incident)
            message = f"“{name}” could not be read because of a fault in Footnote (incident {incident})."
            raise DocumentRefused(RefusalCause.UNREADABLE, message) from error
        if not chunks:
            raise DocumentRefused(RefusalCause.NO_TEXT, f"“{name}” holds no text.")
        if content_hash(file.path) != sha256:
            raise DocumentRefused(RefusalCause.UNREADABLE, f"“{name}” changed while it was being read. Send it again.")
        return Draft(key, name, sha256, document, tuple(chunks))


def key_of(file: SourceFile) -> str:
    """The document that a file is to be a version of."""
    return file.document if file.replaces is None else file.replaces


def content_hash(path: Path) -> str:
    """SHA-256 of the file's bytes; "" where it cannot be read, which the parser then tells."""
    if not path.is_file():
        return ""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
