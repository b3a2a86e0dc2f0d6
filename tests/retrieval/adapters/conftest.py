"""A store on SQLite, and on PostgreSQL too where FOOTNOTE_TEST_POSTGRESQL_URL names an empty database."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from retrieval.adapters.sql import SqlStore, open_store
from retrieval.adapters.sql.schema import metadata

POSTGRESQL_URL = os.environ.get("FOOTNOTE_TEST_POSTGRESQL_URL")


@pytest.fixture(params=["sqlite", "postgresql"] if POSTGRESQL_URL else ["sqlite"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'footnote.db'}"
    assert POSTGRESQL_URL
    engine = sa.create_engine(POSTGRESQL_URL)
    metadata.drop_all(engine)
    engine.dispose()
    return POSTGRESQL_URL


@pytest.fixture
def store(store_url: str) -> Iterator[SqlStore]:
    opened = open_store(store_url)
    yield opened
    opened.close()
