"""The store's history to batches of changes that a search index takes in."""

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from retrieval.adapters.sql import vectors
from retrieval.adapters.sql.database import Database
from retrieval.adapters.sql.schema import (
    IS_CURRENT,
    chunks,
    embedding_models,
    embeddings,
    state,
    versions,
)
from retrieval.errors import ServiceUnavailable
from retrieval.types import Changes, IndexEntry

BATCH_CHUNKS = 20_000
"""About how many chunks one batch holds: some 60 MB at 512 numbers a vector."""


class SqlChangeLog:
    """`retrieval.ports.ChangeLog` on a SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def generation(self) -> int:
        with self._database.reading() as connection:
            return _generation(connection)

    def changes_since(self, generation: int, embedding_model: str) -> Changes:
        """The next batch of versions added and removed after `generation`, in order. What was added and removed
        meanwhile is not added; superseded versions without a vector of this model are passed over.

        A generation that the store has not reached belongs to another store: the batch then starts `anew`.
        Raises ServiceUnavailable while a current document has no vectors of this embedding model.
        """
        with self._database.reading() as connection:
            newest = _generation(connection)
            anew = generation > newest
            since = 0 if anew else generation
            _require_vectors(connection, since, embedding_model)
            reach, version_ids = _next_versions(connection, since, newest)
            added = _entries(connection, version_ids, embedding_model)
            return Changes(reach, added, _removed(connection, since, reach), anew)


def _generation(connection: Connection) -> int:
    return int(connection.execute(sa.select(state.c.generation)).scalar_one())


def _next_versions(connection: Connection, since: int, newest: int) -> tuple[int, list[int]]:
    """How far the batch reaches, and the versions it adds."""
    rows = connection.execute(
        sa.select(versions.c.id, versions.c.chunks, versions.c.added_generation)
        .where(versions.c.added_generation > since, versions.c.removed_generation.is_(None))
        .order_by(versions.c.added_generation)
    )
    reach, size = since, 0
    version_ids: list[int] = []
    for row in rows:
        if version_ids and size + row.chunks > BATCH_CHUNKS:
            return reach, version_ids
        reach, size = row.added_generation, size + row.chunks
        version_ids.append(row.id)
    return newest, version_ids


def _removed(connection: Connection, since: int, reach: int) -> tuple[int, ...]:
    gone = versions.c.removed_generation
    rows = connection.execute(sa.select(versions.c.id).where(gone > since, gone <= reach).order_by(gone))
    return tuple(rows.scalars())


def _entries(connection: Connection, version_ids: list[int], model: str) -> tuple[IndexEntry, ...]:
    wanted = (
        sa.select(chunks.c.number, chunks.c.version_id, chunks.c.terms, embeddings.c.vector)
        .join(embeddings, embeddings.c.number == chunks.c.number)
        .join(embedding_models, embedding_models.c.id == embeddings.c.model_id)
        .where(embedding_models.c.name == model)
        .order_by(chunks.c.position)
    )
    return tuple(
        IndexEntry(row.number, row.version_id, tuple(row.terms.split()), vectors.from_bytes(row.vector))
        for version_id in version_ids
        for row in connection.execute(wanted.where(chunks.c.version_id == version_id))
    )


def _require_vectors(connection: Connection, since: int, model: str) -> None:
    vector = (
        sa.select(embeddings.c.number)
        .join(embedding_models, embedding_models.c.id == embeddings.c.model_id)
        .where(embedding_models.c.name == model, embeddings.c.number == chunks.c.number)
    )
    lacking = (
        sa.select(versions.c.document, versions.c.embedding_model)
        .join(chunks, chunks.c.version_id == versions.c.id)
        .where(IS_CURRENT, versions.c.added_generation > since, ~vector.exists())
        .distinct()
    )
    rows = connection.execute(lacking.order_by(versions.c.document)).all()
    if rows:
        others = " and ".join(sorted({row.embedding_model for row in rows}))
        raise ServiceUnavailable(
            f"{len(rows)} documents ({rows[0].document} first) were embedded with {others}, and the embedding "
            f"model is {model} now. Ingest them again, or set the embedding model back."
        )
