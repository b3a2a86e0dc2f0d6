"""What recall reads: who may see what, and passage numbers to passages."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from retrieval.adapters.sql.database import Database, batches
from retrieval.adapters.sql.past import meets, superseded
from retrieval.adapters.sql.schema import IS_CURRENT, chunks, term_counts, version_tags, versions
from retrieval.types import Filterable, Filters, Passage, Viewer

PASSAGE: sa.Select[Any] = sa.select(
    chunks, versions.c.document, versions.c.title, versions.c.version, versions.c.date, versions.c.page_unit
).join(versions, versions.c.id == chunks.c.version_id)
"""Chunks with what of their version makes them passages."""


class SqlPassages:
    """`retrieval.ports.Passages` on a SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def readable(self, viewer: Viewer, filters: Filters) -> frozenset[int]:
        """Ids of the current versions that carry one of the viewer's labels and meet every filter that is set:
        one of the documents, one of the tags, a date not before `since` and not after `until`.

        A document without a date meets no date filter. Superseded versions come beside these or, of documents where
        the past `alone` is asked for, instead. Where only they meet the dates, the current ones need not.
        """
        with self._database.reading() as connection:
            ids = _current(connection, viewer, filters)
            if filters.past is None:
                return ids
            earlier, superseding = superseded(connection, viewer, filters, filters.past)
            if earlier and not ids:
                ids = _current(connection, viewer, replace(filters, since=None, until=None))
            return (ids - superseding if filters.past.alone else ids) | earlier

    def filterable(self, viewer: Viewer) -> Filterable:
        """Names, tags, first and last date of the current documents that carry one of the viewer's labels."""
        seen = IS_CURRENT & versions.c.visibility.in_(sorted(viewer.labels))
        names = sa.select(versions.c.document).where(seen).order_by(versions.c.document)
        tags = sa.select(version_tags.c.tag).join(versions, versions.c.id == version_tags.c.version_id).where(seen)
        dates = sa.select(sa.func.min(versions.c.date), sa.func.max(versions.c.date)).where(seen)
        with self._database.reading() as connection:
            since, until = connection.execute(dates).one()
            return Filterable(
                tuple(connection.execute(names).scalars()),
                tuple(connection.execute(tags.distinct().order_by(version_tags.c.tag)).scalars()),
                since,
                until,
            )

    def passages(self, numbers: Collection[int]) -> dict[int, Passage]:
        """By number. Numbers of removed documents, or of none, are left out."""
        wanted = PASSAGE.where(versions.c.removed_generation.is_(None))
        found: dict[int, Passage] = {}
        with self._database.reading() as connection:
            for batch in batches(sorted(set(numbers))):
                rows = connection.execute(wanted.where(chunks.c.number.in_(batch)))
                found |= {row.number: passage_of(row) for row in rows}
        return found

    def current_passages(self, viewer: Viewer) -> list[Passage]:
        """Those of current versions that carry one of the viewer's labels, by document, in reading order."""
        seen = PASSAGE.where(IS_CURRENT, versions.c.visibility.in_(sorted(viewer.labels)))
        with self._database.reading() as connection:
            rows = connection.execute(seen.order_by(versions.c.document, chunks.c.number)).all()
        return [passage_of(row) for row in rows]

    def document_frequencies(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """In how many current chunks each term stands (0 left out), and how many chunks there are."""
        total = sa.select(sa.func.coalesce(sa.func.sum(versions.c.chunks), 0)).where(IS_CURRENT)
        counts = (
            sa.select(term_counts.c.term, sa.func.sum(term_counts.c.chunks))
            .join(versions, versions.c.id == term_counts.c.version_id)
            .where(IS_CURRENT)
            .group_by(term_counts.c.term)
        )
        frequencies: dict[str, int] = {}
        with self._database.reading() as connection:
            for batch in batches(sorted(set(terms))):
                rows = connection.execute(counts.where(term_counts.c.term.in_(batch)))
                frequencies |= {term: int(count) for term, count in rows}
            return frequencies, int(connection.execute(total).scalar_one())


def _current(connection: Connection, viewer: Viewer, filters: Filters) -> frozenset[int]:
    seen = IS_CURRENT & versions.c.visibility.in_(sorted(viewer.labels))
    return frozenset(connection.execute(sa.select(versions.c.id).where(seen, *meets(filters))).scalars())


def passage_of(row: Row[Any]) -> Passage:
    """A row of `PASSAGE` as it is."""
    return Passage(
        number=row.number,
        chunk_id=row.chunk_id,
        text=row.text,
        document=row.document,
        title=row.title,
        version=row.version,
        version_id=row.version_id,
        section=tuple(row.section),
        page=row.page,
        date=row.date,
        page_unit=row.page_unit,
        confidence=row.confidence,
    )
