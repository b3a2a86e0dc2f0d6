"""Admins manage documents with `/kb`; everybody else is told no."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.access import NOT_ADMIN
from bot.form import REPLACES, submitted
from bot.upload import Upload
from retrieval.types import DocumentVersion
from tests.bot.lossy import lossy_line
from tests.bot.scripted import Scripted, running_bot
from tests.running_workspace import WorkspaceHandle, running_workspace, wait_for
from workspace.server import in_thread


@pytest.fixture(autouse=True)
def fresh(scripted: Scripted) -> None:
    scripted.workspace.control("reset", {})


def told(scripted: Scripted, user: str) -> str:
    return wait_for(lambda: scripted.private(user))[-1]


@pytest.mark.parametrize("text", ["", "help", "HELP"])
def test_anyone_gets_help(scripted: Scripted, text: str) -> None:
    scripted.command("U0BOB", text)

    assert "/kb upload" in told(scripted, "U0BOB")


@pytest.mark.parametrize("user", ["U0ALICE", "U0GUEST"])
@pytest.mark.parametrize("text", ["upload", "list", "delete handbook.md", "restore handbook.md"])
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
    text = scripted.upload_report()
    assert "Done: 1 file taken in, 3 refused." in text
    assert "员工手册.md: added (1 page, 3 passages)" in text
    assert "bad.pdf is damaged." in text
    assert "crash.md: Something went wrong on my side (incident" in text
    assert "“no.md” is empty." in text
    assert "tiger" not in text
    source, content = scripted.library.taken_in[-1]
    assert (source.document, source.visibility, source.tags, content) == ("员工手册.md", None, None, b"# Leave")
    assert not source.path.exists()


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

    scripted.upload_report()
    source = scripted.library.taken_in[-1][0]
    assert (source.visibility, source.tags, str(source.date)) == ("admins", ("pay", "2026"), "2026-02-01")


def test_someone_else_cannot_submit_the_form(scripted: Scripted) -> None:
    (view,) = scripted.command("U0ADMIN", "upload")
    taken_in = len(scripted.library.taken_in)

    errors = scripted.bot.desk.uploads.on_submitted("U0ALICE", scripted.workspace.control(f"views/{view}"))

    assert errors["files"].startswith("Only admins")
    assert len(scripted.library.taken_in) == taken_in


def test_who_is_no_admin_any_more_can_do_nothing_more(tmp_path: Path) -> None:
    with in_thread() as server, running_bot(WorkspaceHandle(server.url), tmp_path) as scripted:
        (view,) = scripted.command("U0ADMIN", "upload")
        server.workspace.state.people["U0ADMIN"].is_admin = False

        assert scripted.upload(view, "U0ADMIN", {"later.md": b"x"})["errors"]["files"].startswith("Only admins")
        for number, text in enumerate(("list", "delete later.md", "upload"), 1):
            assert scripted.command("U0ADMIN", text) == []
            assert wait_for(lambda n=number: scripted.private("U0ADMIN")[n - 1 :]) == [NOT_ADMIN]  # type: ignore[misc]
        assert scripted.library.taken_in == []


@pytest.mark.parametrize("text", ["list", "delete handbook.md"])
def test_an_admin_whom_slack_does_not_confirm_is_asked_to_try_again(scripted: Scripted, text: str) -> None:
    scripted.command("U0ADMIN", "list")
    told(scripted, "U0ADMIN")
    scripted.workspace.control("faults", {"kind": "error", "method": "users.info", "error": "internal_error"})

    scripted.command("U0ADMIN", text)

    assert "try again" in wait_for(lambda: scripted.private("U0ADMIN")[1:])[0]


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
        assert "later.md" in scripted.upload_report()


def test_what_nobody_listens_to_is_acknowledged(scripted: Scripted) -> None:
    ts = scripted.say("D0ADMIN", "U0ADMIN", "hello?")
    scripted.workspace.wait_for_reply("D0ADMIN", ts)
    shortcut = {"channel": "D0ADMIN", "user": "U0ADMIN", "ts": ts, "callback_id": "nothing"}

    assert scripted.workspace.control("shortcuts", shortcut)["ack"] == {}


@pytest.mark.parametrize(
    ("files", "says"),
    [([], "at least one"), ([{"id": f"F{n}"} for n in range(11)], "10 files at most")],
)
def test_a_form_with_too_few_or_too_many_files_is_not_accepted(files: list[dict[str, Any]], says: str) -> None:
    wrong = submitted({"state": {"values": {"files": {"files": {"files": files}}}}}, "U0ADMIN", list)

    assert not isinstance(wrong, Upload)
    assert says in wrong["files"]


def test_the_form_says_nothing_of_visibility_and_tags_unless_the_admin_does() -> None:
    files = {"files": {"files": {"files": [{"id": "F1"}]}}}
    chosen = {
        "visibility": {"visibility": {"selected_option": {"value": "everyone"}}},
        "tags": {"tags": {"value": "a"}},
    }

    silent, said = (submitted({"state": {"values": values}}, "U", list) for values in (files, files | chosen))

    assert isinstance(silent, Upload)
    assert isinstance(said, Upload)
    assert (silent.visibility, silent.tags) == (None, None)
    assert (said.visibility, said.tags) == ("everyone", ("a",))


def version(number: int, document: str) -> DocumentVersion:
    now = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    return DocumentVersion(number, document, 3, "", "", 1, "everyone", (), dt.date(2026, 1, 2), None, now, True)


KNOWN = [version(7, "handbook.md"), version(8, "Handbook of the works council.pdf"), version(9, "x" * 200 + "/pay.md")]


@pytest.fixture
def known(scripted: Scripted) -> Iterator[None]:
    scripted.library.documents = KNOWN
    yield
    scripted.library.documents = []


def offered(scripted: Scripted, user: str, typed: str) -> list[str]:
    """Names of the documents that the form offers somebody to replace."""
    (view,) = scripted.command("U0ADMIN", "upload")
    body = {"user": user, "action_id": REPLACES, "value": typed}
    options = scripted.workspace.control(f"views/{view}/suggestions", body)["options"]
    return [option["text"]["text"] for option in options]


@pytest.mark.usefixtures("known")
def test_the_form_offers_documents_to_replace_to_admins_alone(scripted: Scripted) -> None:
    assert offered(scripted, "U0ADMIN", "HAND") == ["Handbook of the works council.pdf", "handbook.md"]
    assert offered(scripted, "U0ADMIN", "pay") == ["…" + "x" * 67 + "/pay.md"]
    assert offered(scripted, "U0ADMIN", "nothing") == []
    assert offered(scripted, "U0ALICE", "") == []


def replacing(version_id: str) -> dict[str, Any]:
    return {REPLACES: {REPLACES: {"selected_option": {"value": version_id}}}}


@pytest.mark.usefixtures("known")
def test_a_file_replaces_the_document_that_was_chosen_and_has_the_admin_as_owner(scripted: Scripted) -> None:
    (view,) = scripted.command("U0ADMIN", "upload")

    assert scripted.upload(view, "U0ADMIN", {"handbook-2026.md": b"# Leave"}, **replacing("7")) == {}
    scripted.upload_report()
    source = scripted.library.taken_in[-1][0]
    assert (source.document, source.replaces, source.owner) == ("handbook-2026.md", "handbook.md", "U0ADMIN")


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("files", "values", "block", "says"),
    [
        ("ab", replacing("7"), REPLACES, "Only one file can replace a document; there are 2."),
        ("a", replacing("6"), REPLACES, "changed meanwhile"),
        ("a", {"tags": {"tags": {"value": ",".join(map(str, range(21)))}}}, "tags", "20 tags at most"),
        ("a", {"tags": {"tags": {"value": "t" * 61}}}, "tags", "60 characters"),
    ],
)
def test_what_is_wrong_with_the_form_is_told_at_the_field(
    scripted: Scripted, files: str, values: dict[str, Any], block: str, says: str
) -> None:
    (view,) = scripted.command("U0ADMIN", "upload")

    ack = scripted.upload(view, "U0ADMIN", {f"{name}.md": b"x" for name in files}, **values)

    assert ack["response_action"] == "errors"
    assert list(ack["errors"]) == [block]
    assert says in ack["errors"][block]


@pytest.mark.usefixtures("known")
def test_the_list_shows_version_and_date(scripted: Scripted) -> None:
    scripted.command("U0ADMIN", "list")

    assert "• handbook.md: v3, 1 passage, dated 2026-01-02" in told(scripted, "U0ADMIN")


def test_what_was_not_deleted_cannot_be_restored(scripted: Scripted) -> None:
    scripted.command("U0ADMIN", "restore `gone.md`")

    assert told(scripted, "U0ADMIN") == "No document named gone.md was deleted."
