"""What the library writes: versions ready to be published to rows, in one transaction each."""

import datetime as dt
import difflib
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection, Row

from retrieval.adapters.sql import terms, vectors
from retrieval.adapters.sql.database import Database, batches
from retrieval.adapters.sql.expiry import drop_expired
from retrieval.adapters.sql.passages import PASSAGE, passage_of
from retrieval.adapters.sql.schema import (
    IS_CURRENT,
    chunks,
    embedding_models,
    embeddings,
    state,
    version_tags,
    versions,
)
from retrieval.errors import DocumentNotFound, DocumentRefused, RefusalCause
from retrieval.types import DocumentVersion, NewVersion, Passage


class SqlDocuments:
    """`retrieval.ports.Documents` on a SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def publish(self, version: NewVersion) -> DocumentVersion:
        """The new current version of its document; the one before stays, superseded. Raises DocumentRefused
        for vectors that cannot be used and for no chunks, ServiceUnavailable when the database does not answer."""
        if not version.chunks:
            raise DocumentRefused(RefusalCause.NO_TEXT, f"{version.document} has no text to search.")
        rows = vectors.checked(version.vectors, len(version.chunks), version.document)
        found = [terms.chunk_terms(version.title, chunk) for chunk in version.chunks]
        with self._database.writing() as connection:
            generation = next_generation(connection)
            model_id = vectors.model_id(connection, version.embedding_model, rows.shape[1], version.document)
            ordinal = _supersede(connection, version.document, generation)
            version_id = _insert_version(connection, version, ordinal, generation)
            numbers = _insert_chunks(connection, version, version_id, found)
            vectors.insert(connection, model_id, numbers, rows)
            vectors.mark_embedded(connection, model_id, [version_id], generation)
            terms.insert_counts(connection, version_id, found)
            drop_expired(connection)
            return version_of(connection, version_id)

    def current(self, *, document: str | None = None, sha256: str | None = None) -> list[DocumentVersion]:
        """Current versions by document name, all of them or those of one document, or content, or both."""
        wanted = sa.select(versions).where(IS_CURRENT).order_by(versions.c.document)
        if document is not None:
            wanted = wanted.where(versions.c.document == document)
        if sha256 is not None:
            wanted = wanted.where(versions.c.sha256 == sha256)
        with self._database.reading() as connection:
            return [document_version(row) for row in connection.execute(wanted)]

    def versions(self, document: str) -> list[DocumentVersion]:
        """All versions of a document that is there, the current one last. Raises DocumentNotFound, naming documents of
        similar names."""
        wanted = sa.select(versions).where(versions.c.document == document, versions.c.removed_generation.is_(None))
        with self._database.reading() as connection:
            found = [document_version(row) for row in connection.execute(wanted.order_by(versions.c.version))]
            if not found:
                raise DocumentNotFound(not_found(connection, document))
            return found

    def passages_of(self, version_id: int) -> list[Passage]:
        """A version's passages in reading order."""
        wanted = PASSAGE.where(chunks.c.version_id == version_id).order_by(chunks.c.position)
        with self._database.reading() as connection:
            return [passage_of(row) for row in connection.execute(wanted)]

    def vectors_of(self, version_id: int, embedding_model: str) -> dict[int, NDArray[np.float32]]:
        """Vectors of shape (dim,) by passage number, of the passages that have one of the model."""
        wanted = (
            sa.select(embeddings.c.number, embeddings.c.vector)
            .join(embedding_models, embedding_models.c.id == embeddings.c.model_id)
            .join(chunks, chunks.c.number == embeddings.c.number)
            .where(chunks.c.version_id == version_id, embedding_models.c.name == embedding_model)
        )
        with self._database.reading() as connection:
            return {row.number: vectors.from_bytes(row.vector) for row in connection.execute(wanted)}


def next_generation(connection: Connection) -> int:
    """The generation that this transaction makes. Called first: it makes other writers wait."""
    connection.execute(state.update().values(generation=state.c.generation + 1))
    return int(connection.execute(sa.select(state.c.generation)).scalar_one())


def _supersede(connection: Connection, document: str, generation: int) -> int:
    """Ends the current version, if there is one, and gives the number of the next."""
    connection.execute(
        versions.update().where(IS_CURRENT, versions.c.document == document).values(superseded_generation=generation)
    )
    newest = sa.select(sa.func.max(versions.c.version)).where(versions.c.document == document)
    return int(connection.execute(newest).scalar() or 0) + 1


def _insert_version(connection: Connection, version: NewVersion, ordinal: int, generation: int) -> int:
    new = versions.insert().values(
        document=version.document,
        version=ordinal,
        title=version.title,
        sha256=version.sha256,
        parser=version.parser,
        visibility=version.visibility,
        date=version.date,
        pages=version.pages,
        page_unit=version.page_unit,
        owner=version.owner,
        chunks=len(version.chunks),
        tags=list(version.tags),
        warnings=list(version.warnings),
        embedding_model=version.embedding_model,
        ingested_at=dt.datetime.now(dt.UTC),
        added_generation=generation,
    )
    version_id = int(connection.execute(new.returning(versions.c.id)).scalar_one())
    if version.tags:
        rows = [{"version_id": version_id, "tag": tag} for tag in set(version.tags)]
        connection.execute(version_tags.insert(), rows)
    return version_id


def _insert_chunks(connection: Connection, version: NewVersion, version_id: int, found: list[list[str]]) -> list[int]:
    """The chunks' numbers, in their order."""
    rows = [
        {
            "version_id": version_id,
            "position": position,
            "chunk_id": chunk.id,
            "text": chunk.text,
            "terms": " ".join(chunk_terms),
            "section": list(chunk.section),
            "page": chunk.page,
            "confidence": chunk.confidence,
        }
        for position, (chunk, chunk_terms) in enumerate(zip(version.chunks, found, strict=True))
    ]
    new = chunks.insert().returning(chunks.c.number, sort_by_parameter_order=True)
    return [int(n) for batch in batches(rows) for n in connection.execute(new, batch).scalars()]


def version_of(connection: Connection, version_id: int) -> DocumentVersion:
    """The version of that id."""
    return document_version(connection.execute(sa.select(versions).where(versions.c.id == version_id)).one())


def document_version(row: Row[Any]) -> DocumentVersion:
    """A row of `versions` as it is."""
    return DocumentVersion(
        id=row.id,
        document=row.document,
        version=row.version,
        title=row.title,
        sha256=row.sha256,
        chunks=row.chunks,
        visibility=row.visibility,
        tags=tuple(row.tags),
        date=row.date,
        pages=row.pages,
        ingested_at=row.ingested_at,
        current=row.superseded_generation is None and row.removed_generation is None,
        embedding_model=row.embedding_model,
        page_unit=row.page_unit,
        owner=row.owner,
        parser=row.parser,
        warnings=tuple(row.warnings),
        removed_at=row.removed_at,
    )


def not_found(connection: Connection, document: str) -> str:
    """That there is no such document, and which may be meant."""
    names = list(connection.execute(sa.select(versions.c.document).where(IS_CURRENT)).scalars())
    wanted = document.casefold()
    within = [name for name in names if wanted and wanted in name.casefold()]
    near = list(dict.fromkeys([*within, *difflib.get_close_matches(document, names)]))[:3]
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    return f"There is no document {document} in the knowledge base.{hint}"
