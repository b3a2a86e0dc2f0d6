"""Every message that gets a reply leaves one record, and keeping it never costs the reply."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.audit import AuditTrail, asked_on_slack
from bot.reply import Part
from bot.responder import BUSY
from bot.response import Response
from retrieval.adapters.sql import open_store
from retrieval.types import AuditRecord, ThreadMessage, Viewer
from tests.bot.lossy import lossy_line
from tests.bot.scripted import Scripted, running_bot
from tests.retrieval.auditing import answered, evidence
from tests.running_workspace import WorkspaceHandle, running_workspace, wait_for


def recorded(scripted: Scripted, channel: str, ts: str) -> AuditRecord:
    """The record of a message, once it is kept."""
    wait_for(lambda: scripted.audit.find(channel, ts))
    (found,) = [record for record in scripted.audit.all() if (record.channel, record.message) == (channel, ts)]
    return found


def count(scripted: Scripted) -> int:
    return len(list(scripted.audit.all()))


@pytest.mark.parametrize(
    ("channel", "user", "text", "kind", "reason"),
    [
        ("C0GENERAL", "U0ALICE", "@footnote how long is the lease?", "answer", ""),
        ("D0ALICE", "U0ALICE", "please refuse this", "refusal", "below_floor"),
        ("D0ALICE", "U0ALICE", "boom", "failure", "incident"),
        ("D0ALICE", "U0ALICE", "an outage", "failure", "incident"),
        ("D0GUEST", "U0GUEST", "who earns what?", "notice", "not_allowed"),
        ("C0EXT", "U0ALICE", "@footnote who earns what?", "notice", "not_allowed"),
    ],
)
def test_answers_refusals_failures_and_notices_leave_a_record(
    scripted: Scripted, channel: str, user: str, text: str, kind: str, reason: str
) -> None:
    ts = scripted.say(channel, user, text)
    reply = scripted.workspace.wait_for_reply(channel, ts)

    record = recorded(scripted, channel, ts)

    assert (record.kind, record.reason.split(" ")[0]) == (kind, reason)
    assert (record.asker, record.thread, record.question) == (user, ts, text.removeprefix("@footnote "))
    assert record.reply_message == reply["ts"]
    assert record.reply.split("\n")[0] in reply["plain"]
    assert abs(record.asked_at.timestamp() - float(ts)) < 1
    assert "tiger" not in json.dumps(record.as_json())


def test_a_question_in_a_thread_is_recorded_as_it_was_put(scripted: Scripted) -> None:
    thread = scripted.say("C0GENERAL", "U0ALICE", "@footnote what does parking cost?")
    scripted.workspace.wait_for_reply("C0GENERAL", thread)
    ts = scripted.say("C0GENERAL", "U0BOB", "and for <bikes> & so on?", thread_ts=thread)

    record = recorded(scripted, "C0GENERAL", ts)

    assert (record.asker, record.thread, record.question) == ("U0BOB", thread, "and for <bikes> & so on?")
    assert record.labels == ("everyone",)


def test_an_admins_question_in_private_is_recorded_with_what_they_may_see(scripted: Scripted) -> None:
    ts = scripted.say("D0ADMIN", "U0ADMIN", "what do we earn?")

    assert recorded(scripted, "D0ADMIN", ts).labels == ("admins", "everyone")


def test_an_event_that_comes_twice_leaves_one_record(scripted: Scripted) -> None:
    before = count(scripted)
    scripted.workspace.control("faults", {"kind": "duplicate", "times": 1})
    ts = scripted.say("D0BOB", "U0BOB", "once or twice?")
    recorded(scripted, "D0BOB", ts)

    assert count(scripted) == before + 1


def test_who_is_told_that_the_queue_is_full_is_recorded_too(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path, waiting_most=0) as scripted:
        ts = scripted.say("D0ALICE", "U0ALICE", "is there room?")

        record = recorded(scripted, "D0ALICE", ts)

    assert (record.kind, record.reason, record.reply) == ("notice", "busy", BUSY)


def in_the_store(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "footnote.db", timeout=30)) as connection, connection:
        connection.execute(statement)


def test_where_no_record_can_be_kept_the_reply_goes_out_and_the_failure_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        in_the_store(tmp_path, "ALTER TABLE audit RENAME TO elsewhere")
        reply = scripted.reply("D0ALICE", "U0ALICE", "do I still hear from you?")
        wait_for(lambda: not scripted.deliveries.unfinished())

    assert "do I still hear from you?" in reply["plain"]
    assert any("keeping the record" in logged.getMessage() for logged in caplog.records)


def test_where_no_record_can_be_made_the_reply_goes_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        scripted.pipeline.trace = None  # type: ignore[assignment]  # what no pipeline returns
        reply = scripted.reply("D0ALICE", "U0ALICE", "do I still hear from you?")
        wait_for(lambda: not scripted.deliveries.unfinished())

        assert list(scripted.audit.all()) == []
    assert "do I still hear from you?" in reply["plain"]
    assert any("incident" in logged.getMessage() for logged in caplog.records)


def said_before(workspace: WorkspaceHandle, folder: Path, response: dict[str, Any] | None) -> ThreadMessage:
    """A message accepted by an earlier run, which died with this reply kept."""
    ts = workspace.say("C0GENERAL", "U0ALICE", "@footnote how many days?")
    message = ThreadMessage("C0GENERAL", ts, ts, "U0ALICE", "how many days?", state="accepted")
    with closing(open_store(f"sqlite:///{folder / 'footnote.db'}")) as store:
        store.record(message)
        if response:
            store.begin(message)
            store.keep(message, response)
    return message


def test_a_record_lost_in_a_crash_after_the_reply_was_posted_is_kept_after_it_once(tmp_path: Path) -> None:
    with running_workspace() as workspace:
        with running_bot(workspace, tmp_path) as scripted:
            trail = AuditTrail(scripted.audit, 90)
        message = said_before(workspace, tmp_path, None)
        record = trail.of_outcome(asked_on_slack(message, Viewer()), answered(evidence(1)))
        assert record
        response = Response([Part("26 days.")], "26 days.", record).as_json()
        with closing(open_store(f"sqlite:///{tmp_path / 'footnote.db'}")) as store:
            store.begin(message)
            store.keep(message, response)
            store.audit.add(AuditRecord.from_json(record))  # the crash may have come even later

        with running_bot(workspace, tmp_path) as scripted:
            wait_for(lambda: not scripted.deliveries.unfinished())
            kept = list(scripted.audit.all())
            assert scripted.pipeline.asked == []

    assert [(each.message, each.kind, each.knowledge_base) for each in kept] == [(message.ts, "answer", 4)]


def test_a_reply_that_slack_cannot_be_reached_for_is_recorded_once_it_stands(tmp_path: Path) -> None:
    with (
        running_workspace() as workspace,
        lossy_line(workspace.api_url) as line,
        running_bot(workspace, tmp_path, api_url=line.url) as scripted,
    ):
        line.requests_lost["chat.postMessage"] = 1
        ts = scripted.say("D0ALICE", "U0ALICE", "are you slow?")

        record = recorded(scripted, "D0ALICE", ts)

        assert [record.reply_message] == [reply["ts"] for reply in workspace.replies_of_bot("D0ALICE", ts)]


def test_a_reply_kept_by_a_version_without_an_audit_goes_out(tmp_path: Path) -> None:
    with running_workspace() as workspace:
        with running_bot(workspace, tmp_path):
            pass
        part = {"markdown": "26 days.", "small_print": [], "rated": True}
        message = said_before(workspace, tmp_path, {"parts": [part], "remembered": "26 days."})

        with running_bot(workspace, tmp_path) as scripted:
            assert "26 days." in workspace.wait_for_reply("C0GENERAL", message.ts)["plain"]
            wait_for(lambda: not scripted.deliveries.unfinished())
            assert list(scripted.audit.all()) == []


def test_a_starting_bot_forgets_what_was_asked_long_ago(tmp_path: Path) -> None:
    with running_workspace() as workspace:
        with closing(open_store(f"sqlite:///{tmp_path / 'footnote.db'}")) as store:
            trail = AuditTrail(store.audit, 90)
            old = ThreadMessage("C0GENERAL", "1600000000.000100", "1600000000.000100", "U0ALICE", "long ago?")
            trail.keep(trail.of_outcome(asked_on_slack(old, Viewer()), answered(evidence(1))))
            assert len(list(store.audit.all())) == 1

        with running_bot(workspace, tmp_path) as scripted:
            wait_for(lambda: list(scripted.audit.all()) == [])
