"""Deletions that can no longer be taken back: what was kept of them goes for good."""

import datetime as dt

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from retrieval.adapters.sql.schema import (
    chunks,
    embedded_versions,
    embeddings,
    term_counts,
    version_tags,
    versions,
)
from retrieval.types import RESTORABLE


def restorable_since() -> dt.datetime:
    """What was deleted after this moment can be restored."""
    return dt.datetime.now(dt.UTC) - RESTORABLE


def drop_expired(connection: Connection) -> None:
    """Drops the rows of versions whose deletion is too long ago. To be called by whoever writes documents."""
    expired = sa.select(versions.c.id).where(versions.c.removed_at <= restorable_since())
    version_ids = connection.execute(expired).scalars().all()
    for version_id in version_ids:
        numbers = sa.select(chunks.c.number).where(chunks.c.version_id == version_id)
        connection.execute(embeddings.delete().where(embeddings.c.number.in_(numbers)))
        for table in (embedded_versions, term_counts, version_tags, chunks):
            connection.execute(table.delete().where(table.c.version_id == version_id))
        connection.execute(versions.delete().where(versions.c.id == version_id))
