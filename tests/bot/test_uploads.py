"""What admins upload is taken in once, across stops, crashes and full disks."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.clients import Clients
from bot.download import Downloader
from bot.file_intake import FileIntake
from bot.report import Report
from bot.settings import BotSettings
from bot.upload import Upload
from bot.uploads import Uploads
from retrieval.types import IngestReport
from tests.bot.scripted import Scripted, ScriptedLibrary, running_bot
from tests.running_workspace import BOT_TOKEN, WorkspaceHandle, running_workspace, wait_for


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
        (folder,) = (tmp_path / "uploads").iterdir()
        assert [path.name for path in folder.iterdir()] == ["job.json"]


def has_ended(folder: Path) -> bool:
    """Whether what is kept there is done."""
    return Upload.model_validate_json((folder / "job.json").read_text("utf-8")).ended


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
        assert "“next.pdf” could not be looked up" in text
        assert scripted.library.taken_in == []
        wait_for(lambda: has_ended(folder))


def test_files_taken_in_before_a_crash_are_reported_as_such_and_not_taken_in_again(tmp_path: Path) -> None:
    done = IngestReport("poison.pdf", "poison.pdf", "new", chunks=7, warnings=("Scanned.",))
    folder = kept_upload(tmp_path / "uploads" / "1", results=(done,))

    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        text = scripted.upload_report()

        assert "poison.pdf: added (7 passages)\n      • Scanned.\n" in text
        assert "“next.pdf” could not be looked up" in text
        wait_for(lambda: has_ended(folder))


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
        uploads = Uploads(tmp_path, FileIntake(library.ingest, clients, downloads), clients)
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
    uploads = Uploads(folder, FileIntake(ScriptedLibrary().ingest, clients, Downloader("", "", 5)), clients)
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
    result = IngestReport("rules.md", "rules.md", "new", chunks=2)
    report = Report(clients, "key", Upload(user="U0ADMIN", files=[{"id": "F1", "name": "rules.md"}]))

    report.begin(["rules.md"])
    report.result(0, result)
    report.end([result])

    told = [message["plain"] for message in scripted.workspace.messages("D0ADMIN")]
    assert [text for text in told if "rules.md: added (2 passages)" in text][-1].startswith("Done: 1 file taken in.")


def test_an_upload_is_announced_while_another_is_under_way(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        for name in ("slow.md", "next.md"):
            (view,) = scripted.command("U0ADMIN", "upload")
            scripted.upload(view, "U0ADMIN", {name: b"x"})
        told = wait_for(lambda: workspace.messages("D0ADMIN")[1:])

        assert "next.md: waiting" in told[0]["plain"]
        scripted.library.go.set()
        wait_for(lambda: all(message["text"].startswith("Done") for message in workspace.messages("D0ADMIN")))


def under_way(scripted: Scripted) -> dict[str, Any]:
    """The report on `slow.md` and `second.md`, once the first of them is being read."""
    (view,) = scripted.command("U0ADMIN", "upload")
    scripted.upload(view, "U0ADMIN", {"slow.md": b"x", "second.md": b"y"})

    def reading() -> list[dict[str, Any]]:
        return [message for message in scripted.workspace.messages("D0ADMIN") if "reading" in message["plain"]]

    return wait_for(reading)[0]


def press_cancel(workspace: WorkspaceHandle, report: dict[str, Any], user: str = "U0ADMIN") -> None:
    body = {"channel": "D0ADMIN", "user": user, "ts": report["ts"], "action_id": "kb_cancel_upload"}
    assert workspace.control("actions", body)["ack"] == {}


def test_cancelling_stops_the_file_under_way_at_its_next_step_and_leaves_the_others_out(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        report = under_way(scripted)
        press_cancel(workspace, report)
        wait_for(lambda: "Cancelling" in workspace.messages("D0ADMIN")[0]["plain"])
        scripted.library.go.set()

        assert scripted.upload_report().split("\n") == [
            "Cancelled: 0 files taken in, 2 left out.",
            ":no_entry_sign: slow.md: left out, cancelled",
            ":no_entry_sign: second.md: left out, cancelled",
        ]
        assert scripted.library.taken_in == []


def test_a_cancelled_upload_stays_so_over_a_restart(tmp_path: Path) -> None:
    folder = kept_upload(tmp_path / "uploads" / "1")
    (folder / "cancelled").touch()

    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        assert scripted.upload_report().startswith("Cancelled: 0 files taken in, 2 left out.")
        assert len(workspace.messages("D0ADMIN")) == 1


def test_nobody_else_cancels_an_upload_and_nothing_that_has_ended_is_cancelled(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        key = next(iter(under_way(scripted)["blocks"][-1]["elements"]))["value"]
        uploads = scripted.bot.desk.uploads.uploads

        assert not uploads.cancel(key, "U0ALICE")
        scripted.library.go.set()
        assert "slow.md: added" in scripted.upload_report()
        assert uploads.wait_for_end(key, 20)
        assert not uploads.cancel(key, "U0ADMIN")
        assert not uploads.cancel("../uploads", "U0ADMIN")


def test_a_report_that_was_posted_and_not_noted_before_a_crash_is_not_posted_again(
    tmp_path: Path, clients: Clients, scripted: Scripted
) -> None:
    scripted.workspace.control("reset", {})
    upload = Upload(user="U0ADMIN", files=[{"id": "F1", "name": "a.md"}])
    result = IngestReport("a.md", "a.md", "new", chunks=2)
    killed = Report(clients, "key", upload)
    killed.begin(upload.names)
    Report(clients, "another", upload).begin(upload.names)

    report = Report(clients, "key", upload, begun=True)
    report.begin(upload.names)
    report.end([result])

    assert [m["ts"] for m in scripted.workspace.messages("D0ADMIN") if m["text"].startswith("Done")] == [killed.ts]
    assert len(scripted.workspace.messages("D0ADMIN")) == 2


def test_a_rate_limit_on_progress_holds_up_no_file(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        fault = {"kind": "ratelimit", "method": "chat.update", "retry_after": 2, "times": 1}
        workspace.control("faults", fault)
        (view,) = scripted.command("U0ADMIN", "upload")
        scripted.upload(view, "U0ADMIN", {"first.md": b"x", "second.md": b"y"})

        wait_for(lambda: len(scripted.library.taken_in) == 2)
        assert not workspace.messages("D0ADMIN")[0]["text"].startswith("Done")
        assert "second.md: added" in scripted.upload_report()
