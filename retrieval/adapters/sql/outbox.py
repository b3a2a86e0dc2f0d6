"""Replies that are being posted, as JSON by the message they answer."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from retrieval.adapters.sql.database import Database
from retrieval.adapters.sql.schema import messages, outbox
from retrieval.types import ThreadMessage


class SqlOutbox:
    """`retrieval.ports.Outbox` on a SQL database; safe between threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, message: ThreadMessage) -> int:
        """Counts one more attempt at answering a message; how many there were with this one. 0: not known."""
        here = (messages.c.channel == message.channel) & (messages.c.ts == message.ts)
        with self._database.writing() as connection:
            connection.execute(messages.update().where(here).values(attempts=messages.c.attempts + 1))
            return connection.execute(sa.select(messages.c.attempts).where(here)).scalar_one_or_none() or 0

    def keep(self, message: ThreadMessage, reply: Mapping[str, Any]) -> None:
        """Keeps the reply until the message is finished, in place of one kept before."""
        here = (outbox.c.channel == message.channel) & (outbox.c.ts == message.ts)
        with self._database.writing() as connection:
            connection.execute(outbox.delete().where(here))
            connection.execute(outbox.insert().values(channel=message.channel, ts=message.ts, reply=dict(reply)))

    def kept(self, message: ThreadMessage) -> Mapping[str, Any] | None:
        """The reply kept for a message; None when none is being posted."""
        here = (outbox.c.channel == message.channel) & (outbox.c.ts == message.ts)
        with self._database.reading() as connection:
            found: Mapping[str, Any] | None = connection.execute(
                sa.select(outbox.c.reply).where(here)
            ).scalar_one_or_none()
        return found
