"""A database URL to what stands there, without making or changing anything."""

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.engine import make_url

from retrieval.adapters.sql.database import Database
from retrieval.adapters.sql.floors import SqlFloors
from retrieval.adapters.sql.migrations import STEPS
from retrieval.adapters.sql.reembedding import SqlVectors
from retrieval.adapters.sql.schema import IS_CURRENT, state
from retrieval.types import StoreState, embedded_text

_NEWEST = 1 + len(STEPS)


def look_at(url: str, embedding_model: str | None = None) -> StoreState:
    """What the store holds, counted where its schema is this version's. The example is by that embedding model.

    Raises ConfigurationError for a wrong URL, ServiceUnavailable when it cannot be read.
    """
    if _is_missing_file(url):
        return StoreState(0, _NEWEST)
    database = Database(url)
    try:
        return _state(database, embedding_model)
    finally:
        database.close()


def floor_at(url: str, rerank_query: str, reranker: str) -> float | None:
    """The floor calibrated for a reranker; None where there is none, or no store of this version's schema.

    Raises ConfigurationError for a wrong URL, ServiceUnavailable when it cannot be read.
    """
    if _is_missing_file(url):
        return None
    database = Database(url)
    try:
        is_newest = _schema(database) == _NEWEST
        return SqlFloors(database, rerank_query).get(reranker) if is_newest else None
    finally:
        database.close()


def _is_missing_file(url: str) -> bool:
    try:
        parsed = make_url(url)
    except exc.ArgumentError:
        return False
    is_file = parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:")
    return is_file and not Path(str(parsed.database)).exists()


def _schema(database: Database) -> int:
    """0 where no store was made yet."""
    with database.reading() as connection:
        if not sa.inspect(connection).has_table(state.name):
            return 0
        return int(connection.execute(sa.select(state.c.schema_version)).scalar_one())


def _state(database: Database, embedding_model: str | None) -> StoreState:
    schema = _schema(database)
    if schema != _NEWEST:
        return StoreState(schema, _NEWEST)
    with database.reading() as connection:
        documents = int(connection.execute(sa.select(sa.func.count()).where(IS_CURRENT)).scalar_one())
    catalogue = SqlVectors(database)
    coverage = catalogue.coverage()
    found = catalogue.example(embedding_model) if embedding_model else None
    example = found and (embedded_text(found[0].title, found[0]), found[1])
    return StoreState(schema, _NEWEST, documents, coverage.passages, coverage.models, example)
