"""What people think of replies, as rows by reply and person."""

import sqlalchemy as sa

from retrieval.adapters.sql.database import Database
from retrieval.adapters.sql.schema import feedback as rows
from retrieval.types import Feedback


class SqlFeedbackLog:
    """`retrieval.ports.FeedbackLog` on a SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def rate(self, feedback: Feedback) -> None:
        """Keeps it; the same person's earlier word on the same reply gives way."""
        key = {"channel": feedback.channel, "ts": feedback.ts, "person": feedback.person}
        same = sa.and_(*(rows.c[name] == value for name, value in key.items()))
        with self._database.writing() as connection:
            connection.execute(rows.delete().where(same))
            connection.execute(rows.insert().values(**key, value=feedback.value, given_at=feedback.given_at))

    def ratings(self) -> list[Feedback]:
        """All of it, oldest first."""
        wanted = sa.select(rows).order_by(rows.c.given_at, rows.c.ts, rows.c.person)
        with self._database.reading() as connection:
            return [
                Feedback(row.channel, row.ts, row.person, row.value, row.given_at) for row in connection.execute(wanted)
            ]
