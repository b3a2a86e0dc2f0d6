"""A wish for the past to the superseded versions that are meant."""

import datetime as dt
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from retrieval.adapters.sql.schema import IS_CURRENT, version_tags, versions
from retrieval.types import Filters, Past, Viewer


def superseded(
    connection: Connection, viewer: Viewer, filters: Filters, past: Past
) -> tuple[frozenset[int], frozenset[int]]:
    """Ids of the superseded versions meant, one a document at most, and of the current versions of those documents.

    Both carry one of the viewer's labels: what became secret stays so in its earlier versions. Tags and names are the
    current version's.
    """
    meant = [
        (one.id, rows[-1].id)
        for _, group in groupby(connection.execute(_histories(viewer, filters)), key=lambda row: row.document)
        for rows in [list(group)]
        if (one := _meant(rows, past)) is not None and one is not rows[-1] and one.visibility in viewer.labels
    ]
    return frozenset(earlier for earlier, _ in meant), frozenset(current for _, current in meant)


def _histories(viewer: Viewer, filters: Filters) -> sa.Select[Any]:
    """All versions, oldest first, of the documents that the viewer may see and that have more than one."""
    seen = sa.select(versions.c.document).where(
        IS_CURRENT,
        versions.c.visibility.in_(sorted(viewer.labels)),
        versions.c.version > 1,
        *meets(Filters(documents=filters.documents, tags=filters.tags)),
    )
    return (
        sa.select(versions)
        .where(versions.c.document.in_(seen), versions.c.removed_generation.is_(None))
        .order_by(versions.c.document, versions.c.version)
    )


def _meant(rows: list[Row[Any]], past: Past) -> Row[Any] | None:
    """The version of that number or, in force on the day, the last one that was dated by then; a version without a
    date has that of its arrival."""
    if past.version is not None:
        place = past.version if past.version > 0 else rows[-1].version + past.version
        return next((row for row in rows if row.version == place), None)
    day = past.as_of or dt.date.max
    return next((row for row in reversed(rows) if (row.date or row.ingested_at.date()) <= day), None)


def meets(filters: Filters) -> list[sa.ColumnElement[bool]]:
    """What versions must meet to pass the filters, but for being current or not."""
    wanted: list[sa.ColumnElement[bool]] = []
    if filters.documents:
        wanted.append(versions.c.document.in_(filters.documents))
    if filters.tags:
        tagged = sa.select(version_tags.c.version_id).where(version_tags.c.tag.in_(filters.tags))
        wanted.append(versions.c.id.in_(tagged))
    if filters.since:
        wanted.append(versions.c.date >= filters.since)
    if filters.until:
        wanted.append(versions.c.date <= filters.until)
    return wanted
