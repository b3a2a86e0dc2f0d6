"""The store's history to batches of changes that a search index takes in."""

from collections.abc import Callable
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from retrieval.adapters.sql import vectors
from retrieval.adapters.sql.database import Database
from retrieval.adapters.sql.schema import chunks, embedded_versions, embedding_models, embeddings, state, versions
from retrieval.types import Changes, KeywordEntry, VectorEntry

Entry = TypeVar("Entry")

BATCH_CHUNKS = 20_000
"""About how many chunks one batch holds: some 60 MB at 512 numbers a vector."""


class SqlChangeLog:
    """`retrieval.ports.ChangeLog` on a SQL database.

    Batches follow one another by generation. What was added and removed meanwhile is not added. A generation that the
    store has not reached belongs to another store: the batch then starts `anew`.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def generation(self) -> int:
        with self._database.reading() as connection:
            return _generation(connection)

    def keyword_changes(self, since: int) -> Changes[KeywordEntry]:
        """The next batch of versions added and removed after a generation, superseded ones included."""
        came = sa.select(versions.c.id, versions.c.chunks, versions.c.added_generation.label("generation")).where(
            versions.c.removed_generation.is_(None)
        )
        wanted = sa.select(chunks.c.number, chunks.c.version_id, chunks.c.terms)
        with self._database.reading() as connection:
            return _changes(connection, since, came, wanted, _keyword_entry)

    def vector_changes(self, since: int, embedding_model: str) -> Changes[VectorEntry]:
        """The next batch of versions that came to have vectors of the model, or were removed, after a generation."""
        model = sa.select(embedding_models.c.id).where(embedding_models.c.name == embedding_model).scalar_subquery()
        came = (
            sa.select(versions.c.id, versions.c.chunks, embedded_versions.c.generation)
            .join_from(versions, embedded_versions, embedded_versions.c.version_id == versions.c.id)
            .where(embedded_versions.c.model_id == model, versions.c.removed_generation.is_(None))
        )
        its_vector = (embeddings.c.number == chunks.c.number) & (embeddings.c.model_id == model)
        wanted = sa.select(chunks.c.number, chunks.c.version_id, embeddings.c.vector).join_from(
            chunks, embeddings, its_vector
        )
        with self._database.reading() as connection:
            return _changes(connection, since, came, wanted, _vector_entry)


def _generation(connection: Connection) -> int:
    return int(connection.execute(sa.select(state.c.generation)).scalar_one())


def _changes(
    connection: Connection,
    since: int,
    came: sa.Select[Any],
    wanted: sa.Select[Any],
    entry: Callable[[Row[Any]], Entry],
) -> Changes[Entry]:
    """`came`: id, chunks and generation of versions; `wanted`: what of their chunks makes an entry."""
    newest = _generation(connection)
    anew = since > newest
    since = 0 if anew else since
    reach, version_ids = _next_versions(connection, came.subquery(), since, newest)
    added = tuple(
        entry(row)
        for version_id in version_ids
        for row in connection.execute(wanted.where(chunks.c.version_id == version_id).order_by(chunks.c.position))
    )
    return Changes(reach, added, _removed(connection, since, reach), anew)


def _next_versions(connection: Connection, came: sa.Subquery, since: int, newest: int) -> tuple[int, list[int]]:
    """How far the batch reaches, and the versions it adds. Those of one generation stay together."""
    rows = connection.execute(sa.select(came).where(came.c.generation > since).order_by(came.c.generation, came.c.id))
    reach, size = since, 0
    version_ids: list[int] = []
    for row in rows:
        if version_ids and row.generation > reach and size + row.chunks > BATCH_CHUNKS:
            return reach, version_ids
        reach, size = row.generation, size + row.chunks
        version_ids.append(row.id)
    return newest, version_ids


def _removed(connection: Connection, since: int, reach: int) -> tuple[int, ...]:
    gone = versions.c.removed_generation
    rows = connection.execute(sa.select(versions.c.id).where(gone > since, gone <= reach).order_by(gone))
    return tuple(rows.scalars())


def _keyword_entry(row: Row[Any]) -> KeywordEntry:
    return KeywordEntry(row.number, row.version_id, tuple(row.terms.split()))


def _vector_entry(row: Row[Any]) -> VectorEntry:
    return VectorEntry(row.number, row.version_id, vectors.from_bytes(row.vector))
