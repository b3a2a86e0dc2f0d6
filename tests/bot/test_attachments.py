"""Files of messages are taken in where an admin mentions the bot with them or chooses the shortcut, else left alone."""

from pathlib import Path
from typing import Any

import pytest

from bot.access import NOT_ADMIN
from bot.app import ADD_FILES
from bot.attachments import only_adds
from bot.checkup import manifest_shortcuts
from bot.form import attached_files, upload_form
from bot.upload import Upload
from bot.upload_desk import NO_FILES
from retrieval.adapters.sql import open_store
from retrieval.types import ThreadMessage
from tests.bot.scripted import Scripted, running_bot
from tests.running_workspace import running_workspace, wait_for


@pytest.fixture(autouse=True)
def fresh(scripted: Scripted) -> None:
    scripted.workspace.control("reset", {})
    scripted.library.taken_in.clear()


def choose_shortcut(scripted: Scripted, channel: str, user: str, ts: str) -> list[str]:
    """Ids of the views that the shortcut opens."""
    body = {"channel": channel, "user": user, "ts": ts, "callback_id": ADD_FILES}
    outcome = scripted.workspace.control("shortcuts", body)
    assert outcome["ack"] == {}
    views: list[str] = outcome["views"]
    return views


def test_the_manifest_names_the_shortcut_that_the_bot_listens_to() -> None:
    assert manifest_shortcuts() == {ADD_FILES: "Add to knowledge base"}


@pytest.mark.parametrize(
    ("channel", "text"),
    [("C0GENERAL", "@footnote"), ("C0GENERAL", "@footnote please add these to the knowledge base!"), ("D0ADMIN", "")],
)
def test_files_that_an_admin_sends_to_the_bot_are_taken_in_with_one_reply_that_says_so(
    scripted: Scripted, channel: str, text: str
) -> None:
    ts = scripted.workspace.share(channel, "U0ADMIN", text, {"a.md": b"# A", "b.md": b"# B"})

    reply = scripted.workspace.wait_for_reply(channel, ts)
    assert reply["plain"].startswith("I am taking in 2 files of your message")
    assert scripted.upload_report().startswith("Done: 2 files taken in.")
    assert [(file.document, file.owner) for file, _ in scripted.library.taken_in] == [
        ("a.md", "U0ADMIN"),
        ("b.md", "U0ADMIN"),
    ]
    assert scripted.pipeline.asked == []
    assert len(scripted.workspace.replies_of_bot(channel, ts)) == 1


def test_a_question_beside_files_is_answered_once_they_are_taken_in(scripted: Scripted) -> None:
    ts = scripted.workspace.share(
        "C0GENERAL", "U0ADMIN", "@footnote what do they say of leave?", {"a.md": b"# A", "bad.md": b"# B"}
    )

    reply = scripted.workspace.wait_for_reply("C0GENERAL", ts)
    assert "You asked: what do they say of leave?" in reply["plain"]
    assert "1 file of your message taken in, 1 could not be" in reply["plain"]
    assert [file.document for file, _ in scripted.library.taken_in] == ["a.md"]
    assert len(scripted.workspace.replies_of_bot("C0GENERAL", ts)) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("@footnote how long is leave?", "You asked: how long is leave?"),
        ("@footnote add this", "only admins add documents"),
        ("@footnote", "An admin can add them"),
    ],
)
@pytest.mark.parametrize("channel", ["C0GENERAL", "D0ALICE"])
def test_files_of_others_are_left_alone_and_that_is_told_in_the_one_reply(
    scripted: Scripted, channel: str, text: str, says: str
) -> None:
    ts = scripted.workspace.share(channel, "U0ALICE", text, {"a.md": b"# A"})

    reply = scripted.workspace.wait_for_reply(channel, ts)
    assert says in reply["plain"]
    assert "admin" in reply["plain"]
    scripted.reply("D0BOB", "U0BOB", "are you through?")
    assert len(scripted.workspace.replies_of_bot(channel, ts)) == 1
    assert scripted.library.taken_in == []


def test_files_in_a_thread_that_goes_on_without_a_mention_are_not_taken_in(scripted: Scripted) -> None:
    ts = scripted.say("C0GENERAL", "U0ADMIN", "@footnote how long is leave?")
    scripted.workspace.wait_for_reply("C0GENERAL", ts)
    body = {"channel": "C0GENERAL", "user": "U0ADMIN", "text": "and in this plan?", "thread_ts": ts}
    scripted.workspace.control("messages", body, files={"a.md": b"# A"})

    replies = wait_for(lambda: scripted.workspace.replies_of_bot("C0GENERAL", ts)[1:])
    assert "and in this plan?" in replies[0]["plain"]
    assert scripted.library.taken_in == []


def test_files_of_a_message_accepted_before_a_crash_are_taken_in_once(tmp_path: Path) -> None:
    with running_workspace() as workspace:
        with running_bot(workspace, tmp_path):
            pass
        ts = workspace.share("D0ADMIN", "U0ADMIN", "add this", {"a.md": b"# A"})
        store = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
        assert store.record(ThreadMessage("D0ADMIN", ts, ts, "U0ADMIN", "add this", state="accepted"))
        store.close()

        for _ in range(2):
            with running_bot(workspace, tmp_path) as scripted:
                assert "taking in 1 file" in workspace.wait_for_reply("D0ADMIN", ts)["plain"]
                scripted.upload_report()
                wait_for(lambda running=scripted: not running.deliveries.unfinished())  # type: ignore[misc]

        assert len(workspace.replies_of_bot("D0ADMIN", ts)) == 1
        assert len([m for m in workspace.messages("D0ADMIN") if m["text"].startswith("Done")]) == 1
        assert scripted.library.taken_in == []


def test_the_shortcut_opens_the_form_with_the_files_of_the_message(scripted: Scripted) -> None:
    ts = scripted.workspace.share("C0HR", "U0ALICE", "the new plan", {"plan.md": b"# Plan", "<b>.md": b"# B"})
    (view,) = choose_shortcut(scripted, "C0HR", "U0ADMIN", ts)

    shown = scripted.workspace.control(f"views/{view}")
    assert "• plan.md" in shown["blocks"][0]["text"]["text"]
    assert "<b>" not in shown["blocks"][0]["text"]["text"]
    assert all(block.get("element", {}).get("type") != "file_input" for block in shown["blocks"])
    body = {"user": "U0ADMIN", "values": {"tags": {"tags": {"value": "plans"}}}}
    assert scripted.workspace.control(f"views/{view}/submit", body)["ack"] == {}
    assert scripted.upload_report().startswith("Done: 2 files taken in.")
    taken_in = [(file.document, file.tags, content) for file, content in scripted.library.taken_in]
    assert taken_in == [("plan.md", ("plans",), b"# Plan"), ("(b).md", ("plans",), b"# B")]


def test_a_file_of_which_slack_tells_the_id_alone_is_looked_up(scripted: Scripted) -> None:
    ts = scripted.workspace.share("C0EXT", "U0OUTSIDER", "our offer", {"offer.md": b"# Offer"})
    (message,) = [m for m in scripted.workspace.messages("C0EXT") if m["ts"] == ts]
    stub = {"id": message["files"][0]["id"], "mode": "file_access", "file_access": "check_file_info"}

    assert scripted.bot.desk.uploads.uploads.accept(Upload(user="U0ADMIN", files=attached_files({"files": [stub]})))

    assert "offer.md: added" in scripted.upload_report()
    assert [content for _, content in scripted.library.taken_in] == [b"# Offer"]


def test_the_shortcut_refuses_others_in_private(scripted: Scripted) -> None:
    ts = scripted.workspace.share("C0GENERAL", "U0ALICE", "the new plan", {"plan.md": b"# Plan"})

    assert choose_shortcut(scripted, "C0GENERAL", "U0BOB", ts) == []
    assert wait_for(lambda: scripted.private("U0BOB")) == [NOT_ADMIN]


def test_the_shortcut_on_a_message_without_files_says_so(scripted: Scripted) -> None:
    ts = scripted.say("C0GENERAL", "U0ALICE", "no files here")

    assert choose_shortcut(scripted, "C0GENERAL", "U0ADMIN", ts) == []
    assert wait_for(lambda: scripted.private("U0ADMIN")) == [NO_FILES]


def test_ten_files_with_long_names_fit_into_the_form() -> None:
    files: list[dict[str, Any]] = [{"id": f"F0123456789{n}", "name": "条" * 250} for n in range(10)]

    form = upload_form("U0ADMIN", files)

    assert len(form["private_metadata"]) <= 3000
    assert len(form["blocks"][0]["text"]["text"]) <= 3000


@pytest.mark.parametrize(
    ("text", "adds"),
    [
        ("", True),
        ("add this", True),
        ("Please add these files to the knowledge base, thanks!", True),
        ("can you add it?", True),
        ("请把这个文件添加到知识库", True),
        ("Bitte diese Datei aufnehmen", True),
        ("このファイルを追加してください", True),
        ("add this and tell me how long leave is", False),
        ("what is this?", False),
        ("这个文件里年假有几天", False),
    ],
)
def test_a_request_to_add_is_told_from_a_question(text: str, adds: bool) -> None:
    assert only_adds(text) is adds
