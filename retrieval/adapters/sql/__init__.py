"""A database URL to the store: documents, passages, changes and deliveries in one SQL database.

The store is the truth and the search indexes are caches of it. After restoring an older copy of the database,
delete the index folders: they cannot tell that history went back and then on another way.
"""

from retrieval.adapters.sql.audit import SqlAudit
from retrieval.adapters.sql.changes import SqlChangeLog
from retrieval.adapters.sql.database import Database
from retrieval.adapters.sql.deletions import SqlDeletions
from retrieval.adapters.sql.deliveries import SqlDeliveries
from retrieval.adapters.sql.documents import SqlDocuments
from retrieval.adapters.sql.feedback import SqlFeedbackLog
from retrieval.adapters.sql.floors import SqlFloors
from retrieval.adapters.sql.migrations import prepare
from retrieval.adapters.sql.outbox import SqlOutbox
from retrieval.adapters.sql.passages import SqlPassages
from retrieval.adapters.sql.reembedding import SqlVectors

__all__ = ["SqlStore", "open_store"]


class SqlStore(
    SqlDocuments, SqlDeletions, SqlPassages, SqlChangeLog, SqlVectors, SqlDeliveries, SqlOutbox, SqlFeedbackLog
):
    """All that the store offers, for many threads; other processes may use the same database meanwhile."""

    @property
    def audit(self) -> SqlAudit:
        """What became of each question."""
        return SqlAudit(self._database)

    def floors(self, rerank_query: str) -> SqlFloors:
        """Of rerankers that are asked by that part of a query, a value of RERANK_QUERY."""
        return SqlFloors(self._database, rerank_query)

    def close(self) -> None:
        """Gives the connections back. The store must not be used afterwards."""
        self._database.close()


def open_store(url: str) -> SqlStore:
    """The store at an SQLAlchemy URL, its tables created or brought up to date.

    Raises ConfigurationError when the URL is wrong, the place cannot be used, or the database is newer than
    the code.
    """
    database = Database(url)
    try:
        prepare(database)
    except BaseException:
        database.close()
        raise
    return SqlStore(database)
