"""Documents taken out of the knowledge base, and taken back as long as what was kept of them is there."""

import datetime as dt

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from retrieval.adapters.sql.database import Database
from retrieval.adapters.sql.documents import document_version, next_generation, not_found, version_of
from retrieval.adapters.sql.expiry import drop_expired, restorable_since
from retrieval.adapters.sql.schema import IS_CURRENT, embedded_versions, versions
from retrieval.errors import DocumentNotFound
from retrieval.types import RESTORABLE, DocumentVersion


class SqlDeletions:
    """The part of `retrieval.ports.Documents` that deletes and restores."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def delete(self, document: str) -> DocumentVersion:
        """The version that was current. All versions leave recall; their rows stay for a while, so that the deletion
        can be taken back. Raises DocumentNotFound, naming documents of similar names."""
        with self._database.writing() as connection:
            version_id = connection.execute(
                sa.select(versions.c.id).where(IS_CURRENT, versions.c.document == document)
            ).scalar()
            if version_id is None:
                raise DocumentNotFound(not_found(connection, document))
            connection.execute(
                versions.update()
                .where(versions.c.document == document, versions.c.removed_generation.is_(None))
                .values(removed_generation=next_generation(connection), removed_at=dt.datetime.now(dt.UTC))
            )
            drop_expired(connection)
            return version_of(connection, version_id)

    def deleted(self) -> list[DocumentVersion]:
        """What can be restored, by document name: of each the version that was current."""
        gone = sa.select(versions.c.document, sa.func.max(versions.c.version).label("version")).group_by(
            versions.c.document
        )
        newest = gone.where(versions.c.removed_at > restorable_since()).subquery()
        wanted = (
            sa.select(versions)
            .join(newest, (newest.c.document == versions.c.document) & (newest.c.version == versions.c.version))
            .where(versions.c.document.not_in(sa.select(versions.c.document).where(IS_CURRENT)))
            .order_by(versions.c.document)
        )
        with self._database.reading() as connection:
            return [document_version(row) for row in connection.execute(wanted)]

    def restore(self, document: str) -> DocumentVersion:
        """The version that is current again. All versions that went with it come back to the search indexes. Raises
        DocumentNotFound when nothing of that name was deleted, or it is there again."""
        with self._database.writing() as connection:
            generation = next_generation(connection)
            drop_expired(connection)
            version_ids = _last_deleted(connection, document)
            connection.execute(
                versions.update()
                .where(versions.c.id.in_(version_ids))
                .values(removed_generation=None, removed_at=None, added_generation=generation)
            )
            connection.execute(
                embedded_versions.update()
                .where(embedded_versions.c.version_id.in_(version_ids))
                .values(generation=generation)
            )
            return version_of(connection, version_ids[-1])


def _last_deleted(connection: Connection, document: str) -> list[int]:
    """Ids of the versions that the last deletion took away, oldest first."""
    of_it = versions.c.document == document
    if connection.execute(sa.select(versions.c.id).where(IS_CURRENT, of_it)).first():
        raise DocumentNotFound(f"{document} is in the knowledge base; there is nothing to restore.")
    last = sa.select(sa.func.max(versions.c.removed_generation)).where(of_it).scalar_subquery()
    wanted = sa.select(versions.c.id).where(of_it, versions.c.removed_generation == last).order_by(versions.c.version)
    version_ids = list(connection.execute(wanted).scalars())
    if not version_ids:
        raise DocumentNotFound(
            f"No document {document} was deleted within the last {RESTORABLE.days} days; footnote kb list --deleted "
            "shows what can be restored."
        )
    return version_ids
