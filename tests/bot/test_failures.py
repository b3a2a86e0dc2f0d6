"""Whatever fails, a message gets exactly one visible reply."""

import logging
import re
from pathlib import Path

import pytest

from bot.responder import late_note
from tests.bot.scripted import Scripted, running_bot
from tests.running_workspace import running_workspace, wait_for


def fail(scripted: Scripted, method: str, error: str, times: int = 1) -> None:
    scripted.workspace.control("faults", {"kind": "error", "method": method, "error": error, "times": times})


def test_a_failure_is_one_apology_whose_number_leads_to_the_traceback(
    scripted: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "bot"):
        reply = scripted.reply("C0GENERAL", "U0ALICE", "@footnote boom")

    number = re.search(r"incident ([0-9a-f]{8})", reply["plain"])
    assert number
    assert "tiger" not in reply["plain"]
    (record,) = [record for record in caplog.records if number[1] in record.getMessage()]
    assert record.exc_info
    assert "tiger" in str(record.exc_info[1])


def test_an_outage_is_told_as_one_and_never_as_a_refusal(scripted: Scripted, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "bot"):
        reply = scripted.reply("D0ALICE", "U0ALICE", "how much is the deposit during an outage?")

    assert "not available right now (incident" in reply["plain"]
    assert "knowledge base" not in reply["plain"]
    assert "tiger" not in reply["plain"]
    assert any(record.exc_info for record in caplog.records)


def test_after_an_apology_the_thread_goes_on_without_it(scripted: Scripted) -> None:
    ts = scripted.say("C0GENERAL", "U0ALICE", "@footnote boom again")
    scripted.workspace.wait_for_reply("C0GENERAL", ts)

    scripted.say("C0GENERAL", "U0ALICE", "are you well?", thread_ts=ts)
    wait_for(lambda: len(scripted.workspace.replies_of_bot("C0GENERAL", ts)) == 2)

    assert [message.text for message in scripted.pipeline.last("are you well?")[0].earlier] == ["boom again"]


@pytest.mark.parametrize("error", ["invalid_blocks", "msg_blocks_too_long"])
def test_where_blocks_are_refused_the_same_content_is_posted_as_text(scripted: Scripted, error: str) -> None:
    fail(scripted, "chat.postMessage", error)

    reply = scripted.reply("D0ALICE", "U0ALICE", f"does {error} matter?")

    assert reply["blocks"] == []
    assert reply["plain"] == f"You asked: does {error} matter? [1].\n\n[1] handbook.md (v1), Leave, page 3"


def test_a_passing_failure_of_slacks_is_tried_again(scripted: Scripted) -> None:
    fail(scripted, "chat.postMessage", "internal_error")

    assert "try again?" in scripted.reply("D0ALICE", "U0ALICE", "will you try again?")["plain"]


def test_a_rate_limit_is_waited_for(scripted: Scripted) -> None:
    scripted.workspace.control("faults", {"kind": "ratelimit", "method": "chat.postMessage", "retry_after": 1})

    assert "patient" in scripted.reply("D0ALICE", "U0ALICE", "are you patient?")["plain"]


def test_a_status_line_that_cannot_be_shown_stops_nothing(scripted: Scripted) -> None:
    fail(scripted, "assistant.threads.setStatus", "missing_scope")

    assert "status" in scripted.reply("D0ALICE", "U0ALICE", "is the status needed?")["plain"]


def test_a_reply_that_slack_refuses_for_good_does_not_stop_the_next_one(scripted: Scripted) -> None:
    fail(scripted, "chat.postMessage", "is_archived")
    ts = scripted.say("D0ALICE", "U0ALICE", "hello archive?")
    wait_for(lambda: [message.state for message in scripted.deliveries.thread("D0ALICE", ts)] == ["failed"])

    assert "next" in scripted.reply("D0ALICE", "U0ALICE", "and the next?")["plain"]


@pytest.mark.parametrize("kind", ["drop", "disconnect"])
def test_after_a_lost_connection_the_bot_is_back(scripted: Scripted, kind: str) -> None:
    scripted.workspace.control("faults", {"kind": kind})

    assert kind in scripted.reply("D0ALICE", "U0ALICE", f"are you back after a {kind}?")["plain"]


@pytest.mark.parametrize(
    ("ts", "note"),
    [("1000.5", ""), ("1295.0", ""), ("700.0", "This message reached me 10 minutes late.")],
)
def test_a_reply_that_comes_very_late_says_so(ts: str, note: str) -> None:
    assert late_note(ts, now=1300.0) == note


def test_a_message_that_arrives_minutes_late_is_answered_with_a_note(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        workspace.control("clock", {"offset_s": -480})

        late = scripted.reply("D0ALICE", "U0ALICE", "where was I?")
        workspace.control("clock", {"offset_s": -5})
        prompt = scripted.reply("D0ALICE", "U0ALICE", "and where am I?")

        assert "This message reached me 8 minutes late." in late["plain"]
        assert "late" not in prompt["plain"]


@pytest.mark.parametrize("error", ["internal_error", "fatal_error"])
def test_a_post_that_stands_although_slack_says_it_failed_is_not_repeated(scripted: Scripted, error: str) -> None:
    fault = {"kind": "error", "method": "chat.postMessage", "error": error, "after": True}
    scripted.workspace.control("faults", fault)

    ts = scripted.say("C0GENERAL", "U0ALICE", f"@footnote does it stand after {error}?")
    scripted.workspace.wait_for_reply("C0GENERAL", ts)
    wait_for(lambda: not scripted.deliveries.unfinished())

    assert len(scripted.workspace.replies_of_bot("C0GENERAL", ts)) == 1


def test_fifty_messages_at_once_get_one_reply_each_and_commands_are_acknowledged_meanwhile(scripted: Scripted) -> None:
    asked = [scripted.say("C0HR", "U0ALICE", f"@footnote question {n}?") for n in range(50)]

    assert scripted.command("U0BOB", "help") == []
    for ts in asked:
        scripted.workspace.wait_for_reply("C0HR", ts)
    scripted.reply("D0BOB", "U0BOB", "are you through?")

    assert [len(scripted.workspace.replies_of_bot("C0HR", ts)) for ts in asked] == [1] * 50
    assert wait_for(lambda: scripted.workspace.control("state")["unacknowledged"] == 0)
