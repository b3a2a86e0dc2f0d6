"""The bot's memory of messages, as rows by channel and timestamp."""

import datetime as dt
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.engine import Connection, Row

from retrieval.adapters.sql.database import Database
from retrieval.adapters.sql.schema import messages, outbox
from retrieval.types import ThreadMessage


class SqlDeliveries:
    """`retrieval.ports.Deliveries` on a SQL database; safe between threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, message: ThreadMessage) -> bool:
        """True for exactly one caller when the message is new, or was only heard and is now accepted."""
        with self._database.writing() as connection:
            if _inserted(connection, message):
                return True
            if message.state != "accepted":
                return False
            raised = connection.execute(
                messages.update()
                .where(_is(message), messages.c.state == "heard")
                .values(state="accepted", thread=message.thread, text=message.text)
            )
            return raised.rowcount == 1

    def finish(self, message: ThreadMessage, reply: ThreadMessage | None) -> None:
        """Marks the message answered, or failed when there is no reply, and keeps the reply: both or neither."""
        with self._database.writing() as connection:
            _put(connection, message, "failed" if reply is None else "answered")
            if reply is not None:
                _put(connection, reply, reply.state)
            here = (outbox.c.channel == message.channel) & (outbox.c.ts == message.ts)
            connection.execute(outbox.delete().where(here))

    def thread(self, channel: str, thread: str) -> list[ThreadMessage]:
        """All known messages of a thread, oldest first, the bot's own included."""
        within = (messages.c.thread == thread) | (messages.c.ts == thread)
        return self._messages(messages.c.channel == channel, within)

    def unfinished(self) -> list[ThreadMessage]:
        """Accepted but neither answered nor failed, oldest first."""
        return self._messages(messages.c.state == "accepted")

    def forget(self, before: dt.datetime) -> int:
        """Drops threads in which nothing happened since, and nothing is unfinished; how many messages went."""
        unfinished = sa.func.sum(sa.case((messages.c.state == "accepted", 1), else_=0))
        quiet = (
            sa.select(messages.c.channel, messages.c.thread)
            .group_by(messages.c.channel, messages.c.thread)
            .having((sa.func.max(messages.c.recorded_at) < before) & (unfinished == 0))
        )
        gone = messages.delete().where(sa.tuple_(messages.c.channel, messages.c.thread).in_(quiet))
        with self._database.writing() as connection:
            return connection.execute(gone).rowcount

    def _messages(self, *conditions: sa.ColumnElement[bool]) -> list[ThreadMessage]:
        wanted = sa.select(messages).where(*conditions).order_by(messages.c.ts, messages.c.channel)
        with self._database.reading() as connection:
            return [_message(row) for row in connection.execute(wanted)]


def _is(message: ThreadMessage) -> sa.ColumnElement[bool]:
    return (messages.c.channel == message.channel) & (messages.c.ts == message.ts)


def _inserted(connection: Connection, message: ThreadMessage) -> bool:
    """False when another row has the same channel and ts. A savepoint keeps the transaction usable then."""
    try:
        with connection.begin_nested():
            connection.execute(
                messages.insert().values(
                    channel=message.channel,
                    ts=message.ts,
                    thread=message.thread,
                    author=message.author,
                    text=message.text,
                    by_bot=message.by_bot,
                    state=message.state,
                    recorded_at=dt.datetime.now(dt.UTC),
                )
            )
    except exc.IntegrityError:
        return False
    return True


def _put(connection: Connection, message: ThreadMessage, state: str) -> None:
    """Inserts the message, or, where Slack has told of it already, brings its row to what we know."""
    if not _inserted(connection, message):
        connection.execute(
            messages.update()
            .where(_is(message))
            .values(text=message.text, author=message.author, by_bot=message.by_bot)
        )
    connection.execute(messages.update().where(_is(message)).values(state=state))


def _message(row: Row[Any]) -> ThreadMessage:
    return ThreadMessage(
        channel=row.channel,
        ts=row.ts,
        thread=row.thread,
        author=row.author,
        text=row.text,
        by_bot=row.by_bot,
        state=row.state,
    )
