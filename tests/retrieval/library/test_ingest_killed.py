"""A process killed in the middle of taking files in."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from retrieval.adapters.sql import open_store
from retrieval.types import Filters, Viewer
from tests.retrieval.library.word_vectors import WordVectors

ROOT = Path(__file__).parents[3]
PARAGRAPHS = 120


@pytest.mark.parametrize("seed", range(10))
def test_after_a_kill_each_document_is_wholly_there_or_wholly_absent(tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in "abc":
        body = "\n\n".join(f"Paragraph number {n} of document {name} says so." for n in range(PARAGRAPHS))
        (folder / f"{name}.md").write_text(f"first line\n\n{body}\n", "utf-8")
    database = f"sqlite:///{tmp_path / 'test.db'}"
    kill_at_a_random_point(folder, database, random.Random(seed))
    store = open_store(database)
    readable = store.readable(Viewer.admin(), Filters())
    entries = [entry for entry in store.vector_changes(0, WordVectors.name).added if entry.version_id in readable]
    for version in store.current():
        numbers = [entry.number for entry in entries if entry.version_id == version.id]
        texts = [passage.text for passage in store.passages(numbers).values()]
        assert len(texts) == version.chunks
        for n in range(PARAGRAPHS):
            assert any(f"Paragraph number {n} of document {version.document[0]} " in text for text in texts)
        assert sum("round" in text for text in texts) == 1
    assert {entry.version_id for entry in entries} == {version.id for version in store.current()}
    store.close()


def kill_at_a_random_point(folder: Path, database: str, chance: random.Random) -> None:
    """Lets the process take in some files, then kills it within the time that the next one takes."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.retrieval.library.ingesting", str(folder), database],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert process.stdout
    with process.stdout as told:
        assert told.readline()
        started = time.monotonic()
        for _ in range(chance.randint(1, 4)):
            assert told.readline()
        one_file_s = (time.monotonic() - started) / 2
        # A point in time is what this test is about; nothing is asserted of how long anything takes.
        time.sleep(chance.random() * one_file_s)
        process.send_signal(signal.SIGKILL)
        told.read()
    assert process.wait() == -signal.SIGKILL
