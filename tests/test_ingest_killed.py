"""`footnote ingest` killed at any point: each document wholly at its new version or wholly at the one before."""

import os
import random
import subprocess
import time
from pathlib import Path

import pytest

from retrieval.build import build
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Viewer
from tests.command_line import COMMAND, environment

DOCUMENTS = 8
KILLS = int(os.environ.get("FOOTNOTE_KILLS", "10"))


def write_round(folder: Path, number: int) -> None:
    """Eight documents whose every passage names its document and its round, of a length that tells rounds apart."""
    for place in range(DOCUMENTS):
        sections = "\n\n".join(
            f"## Part {part}\n\nRule {part} of manual {place} was written in edition {number}."
            for part in range(2 + number % 7)
        )
        (folder / f"manual{place}.md").write_text(f"# Manual {place}\n\n{sections}\n", "utf-8")


def ingest_and_kill(folder: Path, data_dir: Path, *, after_reports: int, pause_s: float) -> None:
    with subprocess.Popen(
        [*COMMAND, "ingest", str(folder), "--json"],
        env=environment(data_dir),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout
        for _ in range(after_reports):
            assert process.stdout.readline().startswith("{")
        time.sleep(pause_s)
        process.kill()


@pytest.mark.timeout(900)
def test_search_agrees_with_the_store_wherever_an_ingest_was_killed(tmp_path: Path) -> None:
    folder, data_dir = tmp_path / "manuals", tmp_path / "data"
    folder.mkdir()
    chance = random.Random(17)
    write_round(folder, 0)
    subprocess.run([*COMMAND, "ingest", str(folder)], env=environment(data_dir), check=True, capture_output=True)
    footnote = build(load(RetrievalSettings, {"_env_file": None, "data_dir": data_dir}))

    for edition in range(1, KILLS + 1):
        write_round(folder, edition)
        ingest_and_kill(folder, data_dir, after_reports=chance.randrange(1, DOCUMENTS), pause_s=chance.uniform(0, 0.08))

        versions = {version.document: version for version in footnote.library.list()}
        assert len(versions) == DOCUMENTS
        for place in range(DOCUMENTS):
            document = f"manual{place}.md"
            _, hits = footnote.pipeline.search(f"Rule of manual {place}", Viewer(), 1000)
            texts = [hit.passage.text for hit in hits if hit.passage.document == document]
            editions = {text.partition("edition ")[2] for text in texts}
            assert len(editions) == 1, f"{document} is found in two states: {editions}"
            assert len(texts) == versions[document].chunks
    footnote.close()
