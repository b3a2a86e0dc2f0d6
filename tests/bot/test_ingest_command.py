"""`footnote ingest`: what would happen, one document in place of another, a folder that is followed."""

import json
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.cli.progress import IngestBars
from bot.cli.watch import FolderWatch
from retrieval.types import IngestReport, SourceFile
from tests.command_line import COMMAND, environment

WAIT_S = 90

Footnote = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Footnote:
    """Runs a command of `footnote` on an empty data directory."""
    for name in list(os.environ):
        if name.startswith(("EMBEDDING_", "CHAT_", "DATABASE_URL")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(app, [str(argument) for argument in arguments])


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_dry_run_tells_what_would_happen_and_changes_nothing(run: Footnote, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "rules.md").write_text("# Rules\n\n## Door\n\nRing once.\n", "utf-8")
    (folder / "same.md").write_text("# Same\n\nAs ever.\n", "utf-8")
    run("ingest", folder)
    (folder / "rules.md").write_text("# Rules\n\n## Door\n\nRing twice.\n\n## Pets\n\nDogs only.\n", "utf-8")
    (folder / "empty.md").write_bytes(b"")
    before = run("kb", "list", "--json").stdout

    told = run("ingest", folder, "--dry-run", "--json")
    shown = run("ingest", folder, "--dry-run")

    assert told.exit_code == 1
    assert [(line["document"], line["status"], line["reason"]) for line in lines(told)] == [
        ("empty.md", "failed", "empty"),
        ("rules.md", "new_version", None),
        ("same.md", "unchanged", None),
    ]
    assert lines(told)[1]["changes"] == {"added": ["Pets"], "removed": [], "changed": ["Door"]}
    assert "“rules.md” would be taken in: 2 passages, 2 to embed. Changed: Door. Added: Pets." in shown.stdout
    assert run("kb", "list", "--json").stdout == before


def test_a_file_replaces_a_document_of_another_name(run: Footnote, tmp_path: Path) -> None:
    for name, times in (("rules.md", "once"), ("rules-2026.md", "twice")):
        (tmp_path / name).write_text(f"# Rules\n\nRing {times}.\n", "utf-8")
    run("ingest", tmp_path / "rules.md", "--owner", "Ada")

    replaced = run("ingest", tmp_path / "rules-2026.md", "--replace", "rules.md", "--json")
    nothing = run("ingest", tmp_path / "rules-2026.md", "--replace", "other.md", "--json")

    assert [(line["document"], line["status"]) for line in lines(replaced)] == [("rules.md", "new_version")]
    assert (nothing.exit_code, lines(nothing)[0]["reason"]) == (1, "no_such_document")
    listed = lines(run("kb", "list", "--json"))
    assert [(line["document"], line["version"], line["owner"]) for line in listed] == [("rules.md", 2, "Ada")]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "name PATHs"),
        (["a.md", "b.md", "--replace", "c.md"], "exactly one file"),
        ([".", "--replace", "c.md"], "exactly one file"),
        (["a.md", "--delete"], "--delete goes with --watch"),
        (["a.md", "--watch", "."], "--watch takes no"),
        (["--watch", ".", "--dry-run"], "--watch takes no"),
        (["--watch", "no-such-folder"], "--watch needs a folder"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(run: Footnote, arguments: list[str], says: str) -> None:
    done = run("ingest", *arguments)

    assert done.exit_code == 2
    assert says in " ".join(done.stderr.replace("│", " ").split())


def test_bars_show_the_files_and_the_pages_of_the_one_at_hand_beside_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ingest(file: SourceFile, *, progress: Callable[[str], None]) -> IngestReport:
        progress(f"{file.document}: page 3 of 10")
        return IngestReport(file.document, file.document, "new")

    shown = {}
    for terminal in ("1", "0"):
        monkeypatch.setenv("TTY_COMPATIBLE", terminal)
        bars = IngestBars(4)
        for name in ("a [draft].pdf", "b.pdf"):
            bars.shown(ingest, SourceFile(name, tmp_path / name))
        shown[terminal] = capsys.readouterr()

    assert all(part in shown["1"].err for part in ("a [draft].pdf: page 3 of 10", "3/10", "Files", "1/4"))
    assert (shown["1"].out, shown["0"].out, shown["0"].err) == ("", "", "")


@contextmanager
def watching(folder: Path, data_dir: Path) -> Iterator[tuple[Callable[[], dict[str, Any]], subprocess.Popen[str]]]:
    """`footnote ingest --watch` as a process, and what it reports next."""
    reports: queue.Queue[dict[str, Any]] = queue.Queue()
    with subprocess.Popen(
        [*COMMAND, "ingest", "--watch", str(folder), "--delete", "--json"],
        env=environment(data_dir),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        told = process.stdout

        def read() -> None:
            for line in told:
                reports.put(json.loads(line))

        reader = threading.Thread(target=read)
        reader.start()
        try:
            yield lambda: reports.get(timeout=WAIT_S), process
        finally:
            process.kill()
            reader.join()


def test_a_watched_folder_is_followed_until_the_watcher_is_stopped(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    (folder / "hr").mkdir(parents=True)
    (folder / "a.md").write_text("# A\n\nThe first.\n", "utf-8")

    with watching(folder, tmp_path / "data") as (told, process):
        seen = [told()]
        (folder / "hr" / "b.md").write_text("# B\n\nA new one.\n", "utf-8")
        seen.append(told())
        (folder / "a.md").write_text("# A\n\nThe first, changed.\n", "utf-8")
        seen.append(told())
        (folder / "a.md").unlink()
        seen.append(told())
        process.send_signal(signal.SIGINT)
        assert process.wait(WAIT_S) == 0
        assert process.stderr
        assert "Traceback" not in process.stderr.read()

    assert [(line["document"], line["status"]) for line in seen] == [
        ("a.md", "new"),
        ("hr/b.md", "new"),
        ("a.md", "new_version"),
        ("a.md", "deleted"),
    ]


@dataclass
class Watched:
    """A folder's watch with a library that does as it is told."""

    folder: Path
    outcome: dict[str, str] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def watch(self, *, delete: bool = True) -> FolderWatch:
        return FolderWatch(self._files, self._take_in, lambda report: self.told.append(report.document),
                           self._delete if delete else None)  # fmt: skip

    def _files(self) -> list[SourceFile]:
        return [SourceFile(path.name, path) for path in sorted(self.folder.iterdir())]

    def _take_in(self, file: SourceFile) -> IngestReport:
        self.taken.append(file.document)
        reason = self.outcome.get(file.document)
        return IngestReport(
            file.document, file.document, "failed" if reason else "new", reason=reason, message=reason or ""
        )

    def _delete(self, document: str) -> bool:
        self.deleted.append(document)
        return True


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    for name in ("a.md", "b.md", "c.md"):
        (tmp_path / name).write_text(name, "utf-8")
    return Watched(tmp_path)


def test_only_changed_files_are_looked_at_again(watched: Watched) -> None:
    watch = watched.watch()
    watch.catch_up(watched.stop)
    watched.taken.clear()
    (watched.folder / "b.md").write_text("longer than before", "utf-8")

    watch.catch_up(watched.stop)
    watch.catch_up(watched.stop)

    assert watched.taken == ["b.md"]


def test_a_failure_that_may_pass_is_tried_again_and_told_once(watched: Watched) -> None:
    watched.outcome = {"a.md": "embedding_failed", "b.md": "corrupt"}
    watch = watched.watch()
    for _ in range(3):
        watch.catch_up(watched.stop)
    watched.outcome.clear()
    watch.catch_up(watched.stop)
    watch.catch_up(watched.stop)

    assert watched.taken == ["a.md", "b.md", "c.md", "a.md", "a.md", "a.md"]
    assert watched.told == ["a.md", "b.md", "c.md", "a.md"]


def test_documents_whose_files_are_gone_are_deleted_only_where_that_is_wanted(watched: Watched) -> None:
    keeping, deleting = watched.watch(delete=False), watched.watch()
    keeping.catch_up(watched.stop)
    deleting.catch_up(watched.stop)
    (watched.folder / "b.md").unlink()

    keeping.catch_up(watched.stop)
    assert watched.deleted == []
    deleting.catch_up(watched.stop)
    deleting.catch_up(watched.stop)
    assert watched.deleted == ["b.md"]


def test_a_folder_that_is_suddenly_empty_deletes_nothing(watched: Watched, capsys: pytest.CaptureFixture[str]) -> None:
    watch = watched.watch()
    watch.catch_up(watched.stop)
    for path in watched.folder.iterdir():
        path.unlink()

    watch.catch_up(watched.stop)
    watch.catch_up(watched.stop)

    assert watched.deleted == []
    assert capsys.readouterr().err.count("nothing is deleted") == 1


def test_a_stop_is_heeded_between_files(watched: Watched) -> None:
    watched.stop.set()

    watched.watch().catch_up(watched.stop)

    assert watched.taken == []
