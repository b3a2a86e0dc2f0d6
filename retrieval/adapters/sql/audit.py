"""Records of questions, as JSON by channel and message, with what is counted and decided of them beside it."""

import datetime as dt
from collections.abc import Collection, Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.engine import Connection, Row

from retrieval.adapters.sql.database import Database, batches
from retrieval.adapters.sql.passages import PASSAGE, passage_of
from retrieval.adapters.sql.schema import (
    IS_CURRENT,
    audit,
    audit_gaps,
    audit_reviews,
    chunks,
    feedback,
    messages,
    versions,
)
from retrieval.types import AuditRecord, KnowledgeGap, Passage, ReviewItem, Verdict, Viewer

_PAGE = 200


class SqlAudit:
    """`retrieval.ports.Audit` on a SQL database; safe between threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, record: AuditRecord) -> bool:
        """True for exactly one caller a message; its record stays as it is."""
        with self._database.writing() as connection:
            number = _inserted(connection, record)
            if number is None:
                return False
            gaps = [{"audit_id": number, "key": gap.key, "question": gap.question} for gap in record.gaps]
            reviews = [{"audit_id": number, "position": position} for position in range(len(record.doubts))]
            for table, rows in ((audit_gaps, gaps), (audit_reviews, reviews)):
                if rows:
                    connection.execute(table.insert(), rows)
            return True

    def find(self, channel: str, message: str) -> AuditRecord | None:
        """The record of that message."""
        return self._one((audit.c.channel == channel) & (audit.c.message == message))

    def get(self, number: int) -> AuditRecord | None:
        """The record of that id."""
        return self._one(audit.c.id == number)

    def newest(self, most: int, since: dt.datetime | None = None) -> list[AuditRecord]:
        """The last ones that were kept, oldest first."""
        wanted = sa.select(audit).where(_asked_since(since)).order_by(audit.c.id.desc()).limit(most)
        with self._database.reading() as connection:
            return [_record(row) for row in connection.execute(wanted)][::-1]

    def all(self, since: dt.datetime | None = None) -> Iterator[AuditRecord]:
        """In the order in which they were kept, a page at a time."""
        wanted = sa.select(audit).where(_asked_since(since)).order_by(audit.c.id).limit(_PAGE)
        last = 0
        while True:
            with self._database.reading() as connection:
                found = [_record(row) for row in connection.execute(wanted.where(audit.c.id > last))]
            yield from found
            if len(found) < _PAGE:
                return
            last = found[-1].id

    def passages(self, numbers: Collection[int], viewer: Viewer) -> dict[int, Passage]:
        """Of documents that are there, if both the version they are of and the current one carry a label of the
        viewer: what has become less public since is not shown in its old wording either."""
        labelled = versions.c.visibility.in_(sorted(viewer.labels))
        seen = sa.select(versions.c.document).where(IS_CURRENT, labelled).correlate(None)
        wanted = PASSAGE.where(versions.c.removed_generation.is_(None), labelled, versions.c.document.in_(seen))
        found: dict[int, Passage] = {}
        with self._database.reading() as connection:
            for batch in batches(sorted(set(numbers))):
                found |= {
                    row.number: passage_of(row) for row in connection.execute(wanted.where(chunks.c.number.in_(batch)))
                }
        return found

    def forget(self, before: dt.datetime) -> int:
        """Drops what was asked earlier, gaps and reviews included; how many questions went."""
        with self._database.writing() as connection:
            return _drop(connection, audit.c.asked_at < before)

    def forget_person(self, asker: str) -> int:
        """Drops what someone asked, rated and decided. Messages of theirs that are done stay as empty rows, by which
        they are known not to be new."""
        said = (messages.c.author == asker) & (messages.c.state != "accepted")
        with self._database.writing() as connection:
            connection.execute(messages.update().where(said).values(text="", author=""))
            connection.execute(feedback.delete().where(feedback.c.person == asker))
            connection.execute(
                audit_reviews.update().where(audit_reviews.c.decided_by == asker).values(decided_by=None)
            )
            return _drop(connection, audit.c.asker == asker)

    def gaps(self, most: int) -> list[KnowledgeGap]:
        """By key, those asked most often and last first, in the wording of the last time."""
        grouped = (
            sa.select(
                audit_gaps.c.key,
                sa.func.count().label("times"),
                sa.func.max(audit_gaps.c.audit_id).label("newest"),
                sa.func.max(audit.c.asked_at).label("last_asked"),
            )
            .join(audit, audit.c.id == audit_gaps.c.audit_id)
            .group_by(audit_gaps.c.key)
            .order_by(sa.desc("times"), sa.desc("newest"))
            .limit(most)
            .subquery()
        )
        wanted = (
            sa.select(audit_gaps.c.question, grouped.c.times, grouped.c.last_asked)
            .join(grouped, (grouped.c.newest == audit_gaps.c.audit_id) & (grouped.c.key == audit_gaps.c.key))
            .order_by(grouped.c.times.desc(), grouped.c.newest.desc())
        )
        with self._database.reading() as connection:
            return [KnowledgeGap(row.question, row.times, row.last_asked) for row in connection.execute(wanted)]

    def open_reviews(self, most: int) -> list[ReviewItem]:
        """Those without a verdict, oldest first."""
        wanted = (
            sa.select(audit_reviews.c.id.label("item"), audit_reviews.c.position, audit)
            .join(audit, audit.c.id == audit_reviews.c.audit_id)
            .where(audit_reviews.c.verdict.is_(None))
            .order_by(audit_reviews.c.id)
            .limit(most)
        )
        with self._database.reading() as connection:
            return [_review(row) for row in connection.execute(wanted)]

    def decide(self, item: int, verdict: Verdict, by: str) -> bool:
        """True for exactly one caller an item."""
        is_open = (audit_reviews.c.id == item) & audit_reviews.c.verdict.is_(None)
        decision = {"verdict": verdict, "decided_by": by, "decided_at": dt.datetime.now(dt.UTC)}
        with self._database.writing() as connection:
            return connection.execute(audit_reviews.update().where(is_open).values(**decision)).rowcount == 1

    def _one(self, which: sa.ColumnElement[bool]) -> AuditRecord | None:
        with self._database.reading() as connection:
            row = connection.execute(sa.select(audit).where(which)).one_or_none()
        return None if row is None else _record(row)


def _asked_since(since: dt.datetime | None) -> sa.ColumnElement[bool]:
    return sa.true() if since is None else audit.c.asked_at >= since


def _inserted(connection: Connection, record: AuditRecord) -> int | None:
    """Its id; None when another row is of the same message. A savepoint keeps the transaction usable then."""
    new = audit.insert().values(
        channel=record.channel,
        message=record.message,
        asker=record.asker,
        asked_at=record.asked_at,
        record=record.as_json(),
    )
    try:
        with connection.begin_nested():
            return int(connection.execute(new.returning(audit.c.id)).scalar_one())
    except exc.IntegrityError:
        return None


def _drop(connection: Connection, which: sa.ColumnElement[bool]) -> int:
    gone = sa.select(audit.c.id).where(which)
    for table in (audit_gaps, audit_reviews):
        connection.execute(table.delete().where(table.c.audit_id.in_(gone)))
    return connection.execute(audit.delete().where(which)).rowcount


def _record(row: Row[Any]) -> AuditRecord:
    return AuditRecord.from_json({**row.record, "id": row.id})


def _review(row: Row[Any]) -> ReviewItem:
    record = _record(row)
    return ReviewItem(row.item, record.id, record.asked_at, record.question, record.doubts[row.position])
