"""What all tests share."""

import os

import pytest
from hypothesis import settings

# No test is about time: machines are noisy. On a build machine the examples are the same each time.
settings.register_profile("footnote", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("footnote")

_LONGEST_FIRST = (
    "test_ingest_killed.py",
    "test_upload_killed.py",
    "test_command_line.py",
    "test_kb_reembed.py",
    "test_page_with_the_bot.py",
    "test_mineru_slices.py",
    "test_mineru_contract.py",
    "test_demo.py",
    "test_ingest_command.py",
    "test_reader.py",
    "test_scans.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long come first: each goes to one process whole, and at the end nobody should wait for it."""
    items.sort(key=lambda item: item.path.name not in _LONGEST_FIRST)
