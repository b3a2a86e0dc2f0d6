"""What admins upload is taken in once, across stops, crashes and full disks."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.clients import Clients
from bot.download import Downloader
from bot.report import Report
from bot.settings import BotSettings
from bot.upload import Upload, Uploads
from retrieval.types import IngestReport
from tests.bot.scripted import Scripted, ScriptedLibrary, running_bot
from tests.running_workspace import BOT_TOKEN, running_workspace, wait_for


@pytest.fixture
def clients(scripted: Scripted) -> Clients:
    return Clients.of(BotSettings(slack_bot_token=BOT_TOKEN, slack_api_url=scripted.workspace.api_url))


def test_an_upload_cut_short_by_a_stop_is_finished_after_the_next_start(tmp_path: Path) -> None:
    with running_workspace() as workspace:
        with running_bot(workspace, tmp_path) as scripted:
            (view,) = scripted.command("U0ADMIN", "upload")
            scripted.upload(view, "U0ADMIN", {"slow.md": b"x", "second.md": b"y"})
            wait_for(lambda: workspace.messages("D0ADMIN"))
        (message,) = workspace.messages("D0ADMIN")
        assert message["text"].startswith("Taking in")

        with running_bot(workspace, tmp_path) as scripted:
            text = scripted.upload_report()
            assert [file.document for file, _ in scripted.library.taken_in] == ["second.md"]

        assert "slow.md: added" in text
        assert "second.md: added" in text
        assert len(workspace.messages("D0ADMIN")) == 1
        assert list((tmp_path / "uploads").iterdir()) == []


def kept_upload(folder: Path, **fields: Any) -> Path:
    """Where an upload waits for the next start."""
    upload = Upload(user="U0ADMIN", files=[{"id": "F1", "name": "poison.pdf"}, {"id": "F2", "name": "next.pdf"}])
    folder.mkdir(parents=True)
    (folder / "job.json").write_text(upload.model_copy(update=fields).model_dump_json(), "utf-8")
    return folder


def test_a_file_that_brings_the_process_down_again_and_again_is_given_up_and_the_next_is_tried(tmp_path: Path) -> None:
    folder = kept_upload(tmp_path / "uploads" / "1", attempts=3)

    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        text = scripted.upload_report()

        assert "poison.pdf: gave up" in text
        assert "next.pdf could not be looked up" in text
        assert scripted.library.taken_in == []
        wait_for(lambda: not folder.exists())


def test_files_taken_in_before_a_crash_are_reported_as_such_and_not_taken_in_again(tmp_path: Path) -> None:
    done = IngestReport("poison.pdf", "poison.pdf", "new", chunks=7, warnings=("Scanned.",))
    folder = kept_upload(tmp_path / "uploads" / "1", results=(done,))

    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        text = scripted.upload_report()

        assert "poison.pdf: added (7 passages) Scanned." in text
        assert "next.pdf could not be looked up" in text
        wait_for(lambda: not folder.exists())


@dataclass(frozen=True)
class SlowDownloads(Downloader):
    """Downloads that begin, and end when they are told to."""

    begun: threading.Event = field(default_factory=threading.Event)
    go: threading.Event = field(default_factory=threading.Event)

    def fetch(self, file: Mapping[str, Any], target: Path) -> None:
        self.begun.set()
        assert self.go.wait(30)
        target.write_bytes(b"x")


def test_a_stop_in_the_middle_of_a_slow_file_is_no_failed_attempt(tmp_path: Path, clients: Clients) -> None:
    address = {"url_private_download": "https://files.slack.com/F1", "size": 1}
    kept_upload(tmp_path / "1", files=[{"id": "F1", "name": "slow.md", **address}])
    for _ in range(5):
        downloads = SlowDownloads("xoxb-local", "", 5)
        library = ScriptedLibrary()
        uploads = Uploads(tmp_path, library.ingest, clients, downloads)
        uploads.start()
        assert downloads.begun.wait(20)
        uploads.close()

        assert not uploads.wait_until_idle(0)  # here the process ends
        assert Upload.model_validate_json((tmp_path / "1" / "job.json").read_text("utf-8")).attempts == 0

        before = (tmp_path / "1" / "job.json").read_bytes()
        downloads.go.set()
        library.go.set()
        assert uploads.wait_until_idle(20)
        (tmp_path / "1").mkdir(exist_ok=True)
        (tmp_path / "1" / "job.json").write_bytes(before)


def test_an_upload_that_cannot_be_kept_takes_no_place_from_others(tmp_path: Path, clients: Clients) -> None:
    folder = tmp_path / "uploads"
    folder.touch()  # where a folder must be
    uploads = Uploads(folder, ScriptedLibrary().ingest, clients, Downloader("", "", 5))
    upload = Upload(user="U0ADMIN", files=[{"id": "F1", "name": "a.md"}])
    for _ in range(60):
        with pytest.raises(NotADirectoryError):
            uploads.accept(upload)

    folder.unlink()
    uploads.close()

    assert uploads.accept(upload)
    assert len(list(folder.glob("*/job.json"))) == 1


def test_the_results_of_an_upload_are_told_though_slack_fails_at_first(scripted: Scripted, clients: Clients) -> None:
    fault = {"kind": "error", "method": "chat.postMessage", "error": "fatal_error", "times": 2}
    scripted.workspace.control("faults", fault)
    report = Report(clients, "U0ADMIN")

    report.begin(["rules.md"])
    report.result(0, IngestReport("rules.md", "rules.md", "new", chunks=2))
    report.end()

    told = [message["plain"] for message in scripted.workspace.messages("D0ADMIN")]
    assert [text for text in told if "rules.md: added (2 passages)" in text][-1].startswith("Done: 1 file taken in.")
