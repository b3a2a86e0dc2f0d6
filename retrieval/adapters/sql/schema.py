"""The tables, one Core definition for SQLite and PostgreSQL."""

import datetime as dt

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

metadata = sa.MetaData()

_Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
"""SQLite counts a key up by itself only when its type is exactly INTEGER."""


def clean(text: str) -> str:
    """Text without what databases and stemmers refuse: NUL, and halves of surrogate pairs."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


class CleanText(TypeDecorator[str]):
    """Text, cleaned on its way in."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else clean(value)


class UtcDateTime(TypeDecorator[dt.datetime]):
    """Moments with their time zone, kept as UTC where a database knows no time zones."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:
        return None if value is None else value.astimezone(dt.UTC)

    def process_result_value(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:
        if value is None:
            return None
        return value.astimezone(dt.UTC) if value.tzinfo else value.replace(tzinfo=dt.UTC)


state = sa.Table(
    "state",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("schema_version", sa.Integer, nullable=False),
    sa.Column("generation", _Number, nullable=False),
    sa.Column("terms_scheme", sa.Integer, nullable=False),
)
"""One row. Whoever writes documents updates it first, so that writers follow one another."""

versions = sa.Table(
    "versions",
    metadata,
    sa.Column("id", _Number, primary_key=True),
    sa.Column("document", CleanText, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("title", CleanText, nullable=False),
    sa.Column("sha256", sa.Text, nullable=False, index=True),
    sa.Column("parser", CleanText, nullable=False),
    sa.Column("visibility", CleanText, nullable=False),
    sa.Column("date", sa.Date),
    sa.Column("pages", sa.Integer),
    sa.Column("page_unit", sa.Text, nullable=False, server_default="page"),
    sa.Column("owner", CleanText),
    sa.Column("chunks", sa.Integer, nullable=False),
    sa.Column("tags", sa.JSON, nullable=False),
    sa.Column("warnings", sa.JSON, nullable=False),
    sa.Column("embedding_model", CleanText, nullable=False),
    sa.Column("ingested_at", UtcDateTime, nullable=False),
    sa.Column("added_generation", _Number, nullable=False, index=True),
    sa.Column("superseded_generation", _Number),
    sa.Column("removed_generation", _Number, index=True),
    sa.Column("removed_at", UtcDateTime),
    sa.UniqueConstraint("document", "version"),
    sqlite_autoincrement=True,
)
"""Document versions. A superseded one keeps its rows, a removed one does for a while, so that the step can be taken
back. Indexes take a version in from its `added_generation` on, which is that of its return where it was restored."""

IS_CURRENT = versions.c.superseded_generation.is_(None) & versions.c.removed_generation.is_(None)

sa.Index(
    "one_current_version",
    versions.c.document,
    unique=True,
    sqlite_where=IS_CURRENT,
    postgresql_where=IS_CURRENT,
)

version_tags = sa.Table(
    "version_tags",
    metadata,
    sa.Column("version_id", _Number, sa.ForeignKey("versions.id"), primary_key=True),
    sa.Column("tag", CleanText, primary_key=True, index=True),
)

chunks = sa.Table(
    "chunks",
    metadata,
    sa.Column("number", _Number, primary_key=True),
    sa.Column("version_id", _Number, sa.ForeignKey("versions.id"), nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("chunk_id", CleanText, nullable=False, index=True),
    sa.Column("text", CleanText, nullable=False),
    sa.Column("terms", CleanText, nullable=False),
    sa.Column("section", sa.JSON, nullable=False),
    sa.Column("page", sa.Integer),
    sa.Column("confidence", sa.Float),
    sa.UniqueConstraint("version_id", "position"),
    sqlite_autoincrement=True,
)
"""`number` is the row's name in the search indexes and is never used twice. `terms` are joined by spaces."""

embedding_models = sa.Table(
    "embedding_models",
    metadata,
    sa.Column("id", _Number, primary_key=True),
    sa.Column("name", CleanText, nullable=False, unique=True),
    sa.Column("dim", sa.Integer, nullable=False),
)

embeddings = sa.Table(
    "embeddings",
    metadata,
    sa.Column("model_id", _Number, sa.ForeignKey("embedding_models.id"), primary_key=True),
    sa.Column("number", _Number, sa.ForeignKey("chunks.number"), primary_key=True, index=True),
    sa.Column("vector", sa.LargeBinary, nullable=False),
)
"""`vector` is little-endian float32, of unit length."""

embedded_versions = sa.Table(
    "embedded_versions",
    metadata,
    sa.Column("model_id", _Number, sa.ForeignKey("embedding_models.id"), primary_key=True),
    sa.Column("version_id", _Number, sa.ForeignKey("versions.id"), primary_key=True),
    sa.Column("generation", _Number, nullable=False),
    sa.Index("embedded_since", "model_id", "generation"),
)
"""The versions whose every chunk has a vector of the model, and the generation from which on they had."""

term_counts = sa.Table(
    "term_counts",
    metadata,
    sa.Column("version_id", _Number, sa.ForeignKey("versions.id"), primary_key=True),
    sa.Column("term", CleanText, primary_key=True, index=True),
    sa.Column("chunks", sa.Integer, nullable=False),
)
"""In how many chunks of a version a term stands."""

messages = sa.Table(
    "messages",
    metadata,
    sa.Column("channel", sa.Text, primary_key=True),
    sa.Column("ts", sa.Text, primary_key=True),
    sa.Column("thread", sa.Text, nullable=False),
    sa.Column("author", CleanText, nullable=False),
    sa.Column("text", CleanText, nullable=False),
    sa.Column("by_bot", sa.Boolean, nullable=False),
    sa.Column("state", sa.Text, nullable=False, index=True),
    sa.Column("recorded_at", UtcDateTime, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    sa.Index("messages_of_thread", "channel", "thread"),
)

outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("channel", sa.Text, primary_key=True),
    sa.Column("ts", sa.Text, primary_key=True),
    sa.Column("reply", sa.JSON, nullable=False),
)
"""Replies that are being posted, by the message they answer. Gone once they stand."""

feedback = sa.Table(
    "feedback",
    metadata,
    sa.Column("channel", sa.Text, primary_key=True),
    sa.Column("ts", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
    sa.Column("given_at", UtcDateTime, nullable=False),
)
"""What people think of a reply; of each person the latest word."""

audit = sa.Table(
    "audit",
    metadata,
    sa.Column("id", _Number, primary_key=True),
    sa.Column("channel", sa.Text, nullable=False),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("asker", CleanText, nullable=False, index=True),
    sa.Column("asked_at", UtcDateTime, nullable=False, index=True),
    sa.Column("record", sa.JSON, nullable=False),
    sa.UniqueConstraint("channel", "message"),
    sqlite_autoincrement=True,
)
"""Questions and what became of them, one row each."""

audit_gaps = sa.Table(
    "audit_gaps",
    metadata,
    sa.Column("audit_id", _Number, sa.ForeignKey("audit.id"), primary_key=True),
    sa.Column("key", CleanText, primary_key=True, index=True),
    sa.Column("question", CleanText, nullable=False),
)
"""Questions without an answer. Those of one key ask the same."""

audit_reviews = sa.Table(
    "audit_reviews",
    metadata,
    sa.Column("id", _Number, primary_key=True),
    sa.Column("audit_id", _Number, sa.ForeignKey("audit.id"), nullable=False, index=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("verdict", sa.Text),
    sa.Column("decided_by", CleanText),
    sa.Column("decided_at", UtcDateTime),
    sqlite_autoincrement=True,
)
"""Doubts of a record, by their place in it. Without a verdict nobody has looked yet."""

floors = sa.Table(
    "floors",
    metadata,
    sa.Column("reranker", CleanText, primary_key=True),
    sa.Column("rerank_query", sa.Text, primary_key=True),
    sa.Column("floor", sa.Float, nullable=False),
    sa.Column("questions", sa.Integer, nullable=False),
    sa.Column("calibrated_at", UtcDateTime, nullable=False),
)
"""The best relevance below which a question has no answer, as measured for a reranker on so many questions."""
