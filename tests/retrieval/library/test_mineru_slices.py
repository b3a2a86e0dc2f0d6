"""Parts of a PDF of which MinerU dies, or on which it works without end."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]  # it carries no types

from retrieval.adapters.mineru_parser import local
from retrieval.adapters.mineru_parser.engine import Reading, ReadingFailed
from retrieval.adapters.mineru_parser.local import LocalMinerU
from retrieval.adapters.mineru_parser.pdf import MOST_FAILURES, PAGES_AT_ONCE, read_pdf

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes by way of /proc")


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINERU_HOME", str(tmp_path / "mineru"))
    monkeypatch.setenv("MINERU_MODEL_SOURCE", "local")


@pytest.fixture
def engine() -> Iterator[LocalMinerU]:
    with closing(LocalMinerU("flash")) as found:
        yield found


def pdf(path: Path, pages: int) -> Path:
    canvas = Canvas(str(path))
    for number in range(1, pages + 1):
        canvas.setFont("Helvetica-Bold", 20)
        canvas.drawString(72, 700, f"{number} Chapter")
        canvas.setFont("Helvetica", 11)
        canvas.drawString(72, 650, f"This is what page {number} says about the gauge in the well.")
        canvas.showPage()
    canvas.save()
    return path


def workers() -> list[int]:
    """Processes that run MinerU for this one."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
            if parent == str(os.getpid()) and b"mineru_parser.worker" in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


class Dying(LocalMinerU):
    """MinerU whose process is killed as soon as it is asked for one slice."""

    def __init__(self, first: int) -> None:
        super().__init__("flash")
        self._dies_at = first

    def read(self, path: Path, first: int = 0, last: int = 0) -> Reading:
        if first == self._dies_at:
            for worker in workers():
                os.kill(worker, signal.SIGKILL)
        return super().read(path, first, last)


def test_a_slice_that_mineru_dies_of_is_read_as_bare_text_and_told_while_the_others_keep_their_structure(
    tmp_path: Path,
) -> None:
    count = 2 * PAGES_AT_ONCE + 3
    with closing(Dying(PAGES_AT_ONCE + 1)) as engine:
        found = read_pdf(pdf(tmp_path / "input.pdf", count), engine)
    assert [block["page"] for block in found["blocks"] if "in the well" in block["text"]] == list(range(1, count + 1))
    bare = set(range(PAGES_AT_ONCE + 1, 2 * PAGES_AT_ONCE + 1))
    assert {block["page"] for block in found["blocks"] if block["kind"] == "heading"} == set(range(1, count + 1)) - bare
    assert [warning[:60] for warning in found["warnings"]] == [
        "Only bare text, without its structure, could be read on page"
    ]
    assert workers() == []


class Failing:
    """MinerU that reads nothing."""

    name = "mineru"

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def read(self, path: Path, first: int = 0, last: int = 0) -> Reading:
        self.asked.append((first, last))
        raise ReadingFailed

    def close(self) -> None:
        pass


def test_mineru_is_not_asked_for_ever_about_a_file_that_it_fails_on(tmp_path: Path) -> None:
    engine = Failing()
    found = read_pdf(pdf(tmp_path / "input.pdf", 4 * PAGES_AT_ONCE), engine)
    assert len(engine.asked) == MOST_FAILURES
    assert {block["page"] for block in found["blocks"]} == set(range(1, 4 * PAGES_AT_ONCE + 1))


def test_after_a_slice_that_takes_too_long_nothing_of_it_runs_on_and_the_next_is_read(
    tmp_path: Path, engine: LocalMinerU, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = pdf(tmp_path / "input.pdf", 2)
    with monkeypatch.context() as patched:
        patched.setattr(local, "seconds_for", lambda tier, pages: 0)
        with pytest.raises(ReadingFailed, match="too long"):
            engine.read(path, 1, 1)
    assert workers() == []
    assert [page["page_idx"] for page in engine.read(path, 2, 2).pages] == [1]
