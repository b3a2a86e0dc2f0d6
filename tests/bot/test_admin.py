"""Admins manage documents with `/kb`; everybody else is told no."""

from pathlib import Path
from typing import Any

import pytest

from bot.form import submitted
from bot.upload import Upload
from tests.bot.lossy import lossy_line
from tests.bot.scripted import Scripted, running_bot
from tests.running_workspace import running_workspace, wait_for


@pytest.fixture(autouse=True)
def fresh(scripted: Scripted) -> None:
    scripted.workspace.control("reset", {})


def told(scripted: Scripted, user: str) -> str:
    return wait_for(lambda: scripted.private(user))[-1]


def report(scripted: Scripted) -> str:
    """What the admin reads in the end about an upload."""
    (message,) = wait_for(lambda: [m for m in scripted.workspace.messages("D0ADMIN") if m["text"].startswith("Done")])
    text: str = message["plain"]
    return text


@pytest.mark.parametrize("text", ["", "help", "HELP"])
def test_anyone_gets_help(scripted: Scripted, text: str) -> None:
    scripted.command("U0BOB", text)

    assert "/kb upload" in told(scripted, "U0BOB")


@pytest.mark.parametrize("user", ["U0ALICE", "U0GUEST"])
@pytest.mark.parametrize("text", ["upload", "list", "delete handbook.md"])
def test_others_are_told_no(scripted: Scripted, user: str, text: str) -> None:
    assert scripted.command(user, text) == []
    assert told(scripted, user).startswith("Only admins")


def test_an_unknown_command_gets_the_help(scripted: Scripted) -> None:
    scripted.command("U0ADMIN", "frobnicate <!channel>")

    assert told(scripted, "U0ADMIN").startswith("I do not know /kb frobnicate.")


def test_an_empty_list_says_how_to_begin(scripted: Scripted) -> None:
    scripted.command("U0ADMIN", "list")

    assert "/kb upload" in told(scripted, "U0ADMIN")


def test_an_unknown_document_cannot_be_deleted(scripted: Scripted) -> None:
    scripted.command("U0ADMIN", 'delete "no such.md"')

    assert told(scripted, "U0ADMIN") == "There is no document named no such.md."


def test_deleting_needs_a_name(scripted: Scripted) -> None:
    scripted.command("U0ADMIN", "delete")

    assert "NAME" in told(scripted, "U0ADMIN")


def test_uploaded_files_are_taken_in_and_each_is_reported_to_the_admin(scripted: Scripted) -> None:
    (view,) = scripted.command("U0ADMIN", "upload")

    ack = scripted.upload(
        view, "U0ADMIN", {"员工手册.md": b"# Leave", "bad.pdf": b"%PDF", "crash.md": b"x", "no.md": b""}
    )

    assert ack == {}
    text = report(scripted)
    assert "Done: 1 file taken in, 3 refused." in text
    assert "员工手册.md: added (3 passages, 1 page)" in text
    assert "bad.pdf is damaged." in text
    assert "crash.md: Something went wrong on my side (incident" in text
    assert "no.md is empty." in text
    assert "tiger" not in text
    source, content = scripted.library.taken_in[-1]
    assert (source.document, source.visibility, source.tags, content) == ("员工手册.md", "everyone", (), b"# Leave")
    assert wait_for(lambda: not source.path.parent.exists())


def test_what_the_form_says_goes_with_the_files(scripted: Scripted) -> None:
    (view,) = scripted.command("U0ADMIN", "upload")

    scripted.upload(
        view,
        "U0ADMIN",
        {"pay.md": b"# Pay"},
        visibility={"visibility": {"selected_option": {"value": "admins"}}},
        tags={"tags": {"value": " pay, 2026 ,,pay"}},
        date={"date": {"selected_date": "2026-02-01"}},
    )

    report(scripted)
    source = scripted.library.taken_in[-1][0]
    assert (source.visibility, source.tags, str(source.date)) == ("admins", ("pay", "2026"), "2026-02-01")


def test_someone_else_cannot_submit_the_form(scripted: Scripted) -> None:
    (view,) = scripted.command("U0ADMIN", "upload")
    taken_in = len(scripted.library.taken_in)

    errors = scripted.bot.desk.on_upload("U0ALICE", scripted.workspace.control(f"views/{view}"))

    assert errors["files"].startswith("Only admins")
    assert len(scripted.library.taken_in) == taken_in


def test_the_form_opens_in_time_while_slack_does_not_say_who_asks_but_submitting_waits_for_it(tmp_path: Path) -> None:
    with (
        running_workspace() as workspace,
        lossy_line(workspace.api_url) as line,
        running_bot(workspace, tmp_path, api_url=line.url) as scripted,
    ):
        line.held["users.info"] = 2
        scripted.command("U0ADMIN", "upload")
        (view,) = wait_for(lambda: workspace.control("state")["views"])
        refused = scripted.upload(view, "U0ADMIN", {"later.md": b"x"})
        line.go.set()
        accepted = scripted.upload(view, "U0ADMIN", {"later.md": b"x"})

        assert refused["response_action"] == "errors"
        assert "try again" in refused["errors"]["files"]
        assert accepted == {}
        assert "later.md" in report(scripted)


def test_what_nobody_listens_to_is_acknowledged(scripted: Scripted) -> None:
    ts = scripted.say("D0ADMIN", "U0ADMIN", "hello?")
    scripted.workspace.wait_for_reply("D0ADMIN", ts)
    shortcut = {"channel": "D0ADMIN", "user": "U0ADMIN", "ts": ts, "callback_id": "nothing"}

    assert scripted.workspace.control("shortcuts", shortcut)["ack"] == {}


def test_an_upload_cut_short_by_a_stop_is_finished_after_the_next_start(tmp_path: Path) -> None:
    with running_workspace() as workspace:
        with running_bot(workspace, tmp_path) as scripted:
            (view,) = scripted.command("U0ADMIN", "upload")
            scripted.upload(view, "U0ADMIN", {"slow.md": b"x", "second.md": b"y"})
            wait_for(lambda: workspace.messages("D0ADMIN"))
        (message,) = workspace.messages("D0ADMIN")
        assert message["text"].startswith("Taking in")

        with running_bot(workspace, tmp_path) as scripted:
            scripted.library.go.set()
            text = report(scripted)

        assert "slow.md: added" in text
        assert "second.md: added" in text
        assert len(workspace.messages("D0ADMIN")) == 1
        assert list((tmp_path / "uploads").iterdir()) == []


def test_an_upload_that_brings_the_process_down_again_and_again_is_given_up(tmp_path: Path) -> None:
    folder = tmp_path / "uploads" / "1"
    folder.mkdir(parents=True)
    upload = Upload(user="U0ADMIN", files=[{"id": "F1", "name": "poison.pdf"}], visibility="everyone", attempts=3)
    (folder / "job.json").write_text(upload.model_dump_json(), "utf-8")

    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        text = report(scripted)

        assert "poison.pdf: gave up" in text
        assert scripted.library.taken_in == []
        wait_for(lambda: not folder.exists())


@pytest.mark.parametrize(
    ("files", "says"),
    [([], "at least one"), ([{"id": f"F{n}"} for n in range(11)], "10 files at most")],
)
def test_a_form_with_too_few_or_too_many_files_is_not_accepted(files: list[dict[str, Any]], says: str) -> None:
    wrong = submitted({"state": {"values": {"files": {"files": {"files": files}}}}}, "U0ADMIN")

    assert not isinstance(wrong, Upload)
    assert says in wrong["files"]
