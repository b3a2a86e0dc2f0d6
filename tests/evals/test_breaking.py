"""The evaluations that break what reads files, on small files."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evals import fuzz, hostile
from evals.report import Report
from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.types import Block, ParsedDocument, SourceFile


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "documents" / "good").mkdir(parents=True)
    (tmp_path / "documents" / "good" / "rules.md").write_text("# Rules\n\nRing twice.\n", "utf-8")
    return tmp_path


def figures(report: Report) -> dict[str, float]:
    return {figure.name: figure.value for figure in report.figures}


def test_hostile_files_end_as_they_may_and_those_that_do_not_are_told(data: Path) -> None:
    (data / "documents" / "hostile").mkdir()
    files = {"empty.pdf": b"", "nul.txt": bytes(500), "wide.csv": b"a," * 20_000, "leak.md": b"root:x\n"}
    for name, content in files.items():
        (data / "documents" / "hostile" / name).write_bytes(content)
    allowed = {"empty.pdf": ["empty"], "nul.txt": ["accepted"], "wide.csv": ["too_large"], "leak.md": ["accepted"]}
    truth = {name: {"outcome": outcome, "must_not_contain": ["root:"]} for name, outcome in allowed.items()}
    (data / "documents" / "truth.json").write_text(json.dumps({"hostile": truth}), "utf-8")

    report = hostile.evaluate(data)

    found = figures(report)
    assert found["end as they may, of 4"] == 0.5
    assert found["good files beside them indexed"] == 1
    assert found["files left behind"] == 0
    assert sorted(miss.partition(":")[0] for miss in report.misses) == ["leak.md", "nul.txt"]
    assert not report.holds


def test_broken_files_of_a_seed_end_in_the_same_ways_each_time(data: Path) -> None:
    first, again = (fuzz.evaluate(data, 60, seed=3) for _ in range(2))
    counted = [{name: n for name, n in figures(run).items() if name.isidentifier()} for run in (first, again)]
    assert counted[0] == counted[1]
    assert counted[0]["crashes"] == 0
    assert counted[0]["read"] > 20
    assert first.holds


@pytest.mark.parametrize(
    ("read", "outcome"),
    [
        (lambda _: ParsedDocument("", (Block("paragraph", "Ring"),), ""), "read"),
        (lambda _: ParsedDocument("", (Block("paragraph", "***"),), ""), "!empty"),
        (lambda _: 1 / 0, "!ZeroDivisionError('division by zero')"),
        (lambda _: _refuse("It is damaged."), "corrupt"),
        (lambda _: _refuse(""), "!unclear"),
    ],
)
def test_what_becomes_of_a_broken_file_is_told_apart(
    tmp_path: Path, read: Callable[[SourceFile], ParsedDocument], outcome: str
) -> None:
    ended = fuzz.ended(tmp_path / "a.md", b"x", lambda file, progress: read(file))
    assert ended.outcome == outcome


def _refuse(message: str) -> ParsedDocument:
    raise DocumentRefused(RefusalCause.CORRUPT, message)
