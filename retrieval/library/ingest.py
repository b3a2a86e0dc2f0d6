"""A file to a published document version: parsed, cut, embedded, stored in one step."""

import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np

from retrieval.errors import DocumentRefused, RefusalCause, ServiceUnavailable, new_incident
from retrieval.library.chunk import chunk
from retrieval.ports import DocumentParser, Documents, EmbeddingModel
from retrieval.types import (
    EVERYONE,
    Chunk,
    DocumentVersion,
    IngestReport,
    NewVersion,
    ParsedDocument,
    SourceFile,
    Vectors,
    embedded_text,
)

Progress = Callable[[str], None]

_log = logging.getLogger(__name__)
EMBEDDED_AT_ONCE = 192
"""Enough that a server is asked for as much at a time as it takes, and that progress is still told."""


class Library:
    """The documents of the knowledge base: takes them in, lists them, takes them out."""

    def __init__(
        self,
        documents: Documents,
        embedding: EmbeddingModel,
        parser: DocumentParser,
        *,
        chunk_size: int = 500,
        chunk_overlap: int = 50,
    ) -> None:
        self._documents = documents
        self._embedding = embedding
        self._parser = parser
        self._chunk_size = chunk_size
        self._chunk_overlap = chunk_overlap

    def ingest(self, file: SourceFile, *, progress: Progress = lambda _: None) -> IngestReport:
        """What became of the file: a new document, a new version, nothing new, or a failure with its reason.

        Either all of it is in the knowledge base afterwards or nothing. A bad file is reported, not raised.
        Raises only when the store fails.
        """
        try:
            return self._ingest(file, progress)
        except DocumentRefused as refusal:
            return IngestReport(
                str(file.path), file.document, "failed", reason=refusal.cause.value, message=str(refusal)
            )

    def list(self) -> Sequence[DocumentVersion]:
        """The current version of every document, by name."""
        return self._documents.current()

    def delete(self, document: str) -> DocumentVersion:
        """Takes a document out of recall. Raises DocumentNotFound."""
        return self._documents.delete(document)

    def _ingest(self, file: SourceFile, progress: Progress) -> IngestReport:
        sha256 = _sha256(file.path)
        before = self._documents.current(document=file.document)
        file = _with_attributes(file, before[0] if before else None)
        if before and self._same(before[0], file, sha256):
            now = before[0]
            message = f"“{file.document}” is already in the knowledge base, unchanged."
            return IngestReport(str(file.path), file.document, "unchanged", now.chunks, now.pages, message=message)
        version = self._version(file, sha256, progress)
        published = self._documents.publish(version)
        return IngestReport(
            str(file.path),
            file.document,
            "new_version" if before else "new",
            published.chunks,
            published.pages,
            version.warnings,
            message=f"“{file.document}” was taken in: {published.chunks} passages, version {published.version}.",
        )

    def _same(self, version: DocumentVersion, file: SourceFile, sha256: str) -> bool:
        """Whether nothing would change. A file without a date keeps the one found in its content."""
        attributes = (version.sha256, version.visibility, version.tags, version.embedding_model)
        given = (sha256, file.visibility, file.tags, self._model_name(file.document))
        return attributes == given and file.date in (None, version.date)

    def _version(self, file: SourceFile, sha256: str, progress: Progress) -> NewVersion:
        name = PurePosixPath(file.document).name
        progress(f"{name}: reading")
        document, chunks = self._read(file, name, progress)
        if _sha256(file.path) != sha256:
            raise DocumentRefused(RefusalCause.UNREADABLE, f"“{name}” changed while it was being read. Send it again.")
        vectors = self._embedded(name, [embedded_text(document.title, part) for part in chunks], progress)
        return NewVersion(
            document=file.document,
            title=document.title,
            sha256=sha256,
            parser=document.parser,
            chunks=tuple(chunks),
            vectors=vectors,
            embedding_model=self._model_name(name),
            visibility=file.visibility or EVERYONE,
            tags=file.tags or (),
            date=file.date or document.date,
            pages=document.pages,
            page_unit=document.page_unit,
            owner=file.owner,
            warnings=(*document.warnings, *self._doubles(file, sha256)),
        )

    def _read(self, file: SourceFile, name: str, progress: Progress) -> tuple[ParsedDocument, Sequence[Chunk]]:
        try:
            document = self._parser.parse(file, progress=progress)
            chunks = chunk(document, key=file.document, size=self._chunk_size, overlap=self._chunk_overlap)
        except DocumentRefused:
            raise
        except Exception as error:  # one strange file must not stop the others
            incident = new_incident()
            _log.exception("reading %s failed, incident %s", name, incident)
            message = f"“{name}” could not be read because of a fault in Footnote (incident {incident})."
            raise DocumentRefused(RefusalCause.UNREADABLE, message) from error
        if not chunks:
            raise DocumentRefused(RefusalCause.NO_TEXT, f"“{name}” holds no text.")
        return document, chunks

    def _embedded(self, name: str, texts: Sequence[str], progress: Progress) -> Vectors:
        batches = []
        for start in range(0, len(texts), EMBEDDED_AT_ONCE):
            progress(f"{name}: {start} of {len(texts)} passages")
            try:
                batches.append(self._embedding.embed(texts[start : start + EMBEDDED_AT_ONCE], "passage"))
            except ServiceUnavailable as error:
                message = f"“{name}” was not taken in because its passages could not be embedded: {error}"
                raise DocumentRefused(RefusalCause.EMBEDDING_FAILED, message) from error
        vectors = np.concatenate(batches)
        if vectors.shape != (len(texts), self._embedding.dim) or not np.isfinite(vectors).all():
            message = f"“{name}” was not taken in because the embedding model gave unusable vectors."
            raise DocumentRefused(RefusalCause.EMBEDDING_FAILED, message)
        return vectors

    def _model_name(self, name: str) -> str:
        try:
            return self._embedding.name
        except ServiceUnavailable as error:  # only the server knows what it serves
            raise DocumentRefused(RefusalCause.EMBEDDING_FAILED, f"“{name}” was not taken in: {error}") from error

    def _doubles(self, file: SourceFile, sha256: str) -> Sequence[str]:
        others = sorted(
            version.document for version in self._documents.current(sha256=sha256) if version.document != file.document
        )
        return [f"The same content is already in the knowledge base as “{other}”." for other in others]


def _with_attributes(file: SourceFile, before: DocumentVersion | None) -> SourceFile:
    """The file with what was not said of it taken from the version before."""
    visibility = file.visibility or (before.visibility if before else EVERYONE)
    tags = file.tags if file.tags is not None else (before.tags if before else ())
    return replace(file, visibility=visibility, tags=tags)


def _sha256(path: Path) -> str:
    """The file's content as a hash; "" where it cannot be read, which the parser then tells."""
    if not path.is_file():
        return ""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
