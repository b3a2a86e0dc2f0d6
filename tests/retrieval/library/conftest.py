"""What the tests of the library share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.adapters.sql import SqlStore, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    opened = open_store(f"sqlite:///{tmp_path / 'test.db'}")
    yield opened
    opened.close()
