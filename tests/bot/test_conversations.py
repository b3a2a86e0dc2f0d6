"""Which messages get a reply, where it stands, and what the bot knows when it answers."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest

from bot.delivery import Delivery
from bot.listener import Listener
from retrieval.adapters.sql import open_store
from retrieval.types import Message
from tests.bot.scripted import Scripted
from tests.running_workspace import wait_for


def settle(scripted: Scripted) -> None:
    """Return once everything said before has gone through the bot."""
    scripted.reply("D0BOB", "U0BOB", "are you through?")


def test_a_mention_gets_one_answer_with_sources_in_its_thread(scripted: Scripted) -> None:
    ts = scripted.say("C0GENERAL", "U0ALICE", "@footnote how many days of leave?")

    reply = scripted.workspace.wait_for_reply("C0GENERAL", ts)
    settle(scripted)

    sources, buttons = "[1] handbook.md (v1), Leave, page 3", "Good answer Bad answer\nHow I found this"
    shown = f"You asked: how many days of leave? [1].\n{sources}\n{buttons}"
    assert reply["plain"] == shown
    assert reply["thread_ts"] == ts
    assert len(scripted.workspace.replies_of_bot("C0GENERAL", ts)) == 1


def test_what_follows_in_the_thread_is_answered_without_a_mention_and_with_the_context(scripted: Scripted) -> None:
    ts = scripted.say("C0GENERAL", "U0ALICE", "@footnote how long is the warranty?")
    scripted.workspace.wait_for_reply("C0GENERAL", ts)

    scripted.say("C0GENERAL", "U0BOB", "and for pumps?", thread_ts=ts)
    wait_for(lambda: len(scripted.workspace.replies_of_bot("C0GENERAL", ts)) == 2)

    assert scripted.pipeline.last("and for pumps?")[0].earlier == (
        Message("person", "how long is the warranty?"),
        Message("bot", "You asked: how long is the warranty?."),
    )


def test_a_remark_to_somebody_else_in_the_thread_is_heard_not_answered(scripted: Scripted) -> None:
    ts = scripted.say("C0GENERAL", "U0ALICE", "@footnote when does the canteen open?")
    scripted.workspace.wait_for_reply("C0GENERAL", ts)

    scripted.say("C0GENERAL", "U0ALICE", "@bob I bet it is closed on Fridays", thread_ts=ts)
    wait_for(lambda: any("Fridays" in message.text for message in scripted.deliveries.thread("C0GENERAL", ts)))
    scripted.say("C0GENERAL", "U0ALICE", "is that so?", thread_ts=ts)
    wait_for(lambda: len(scripted.workspace.replies_of_bot("C0GENERAL", ts)) == 2)

    earlier = [message.text for message in scripted.pipeline.last("is that so?")[0].earlier]
    assert any("closed on Fridays" in text for text in earlier)


def test_other_threads_are_left_alone_and_nothing_of_them_is_kept(scripted: Scripted) -> None:
    ts = scripted.say("C0GENERAL", "U0ALICE", "lunch at noon?")
    scripted.say("C0GENERAL", "U0BOB", "yes", thread_ts=ts)

    settle(scripted)

    assert scripted.workspace.replies_of_bot("C0GENERAL", ts) == []
    assert scripted.deliveries.thread("C0GENERAL", ts) == []


def test_called_into_a_running_thread_the_bot_reads_what_was_said_before(scripted: Scripted) -> None:
    ts = scripted.say("C0HR", "U0ALICE", "Does anyone know how many days we keep door logs?")
    for n in range(20):
        scripted.say("C0HR", "U0BOB", f"no idea {n}", thread_ts=ts)

    scripted.say("C0HR", "U0BOB", "@footnote can you answer that?", thread_ts=ts)
    scripted.workspace.wait_for_reply("C0HR", ts)

    earlier = scripted.pipeline.last("can you answer that?")[0].earlier
    assert earlier[0] == Message("person", "Does anyone know how many days we keep door logs?")
    assert [message.text for message in earlier[1:]] == [f"no idea {n}" for n in range(20)]


def test_when_slack_refuses_the_thread_the_bot_goes_on_with_what_it_has(scripted: Scripted) -> None:
    ts = scripted.say("C0HR", "U0ALICE", "Where are the keys?")
    scripted.workspace.control("faults", {"kind": "error", "method": "conversations.replies", "error": "missing_scope"})

    scripted.say("C0HR", "U0BOB", "@footnote do you know where?", thread_ts=ts)
    scripted.workspace.wait_for_reply("C0HR", ts)

    assert scripted.pipeline.last("do you know where?")[0].earlier == ()


def test_edits_and_deletions_start_no_second_answer(scripted: Scripted) -> None:
    ts = scripted.say("C0GENERAL", "U0ALICE", "@footnote how wide is the gate?")
    scripted.workspace.wait_for_reply("C0GENERAL", ts)

    edit = {"user": "U0ALICE", "text": "@footnote how high is the gate?"}
    scripted.workspace.control(f"messages/C0GENERAL/{ts}", edit, method="PATCH")
    scripted.workspace.control(f"messages/C0GENERAL/{ts}", {"user": "U0ALICE"}, method="DELETE")
    settle(scripted)

    assert len(scripted.workspace.replies_of_bot("C0GENERAL", ts)) == 1
    assert wait_for(lambda: scripted.workspace.control("state")["unacknowledged"] == 0)


def test_joining_a_channel_is_no_question(scripted: Scripted) -> None:
    asked = len(scripted.pipeline.asked)

    scripted.workspace.control("members", {"channel": "C0GENERAL", "user": "U0OUTSIDER"})
    settle(scripted)

    assert len(scripted.pipeline.asked) == asked + 1
    assert wait_for(lambda: scripted.workspace.control("state")["unacknowledged"] == 0)


@pytest.mark.parametrize("text", ["what does this form need?", "@footnote what does this form need?"])
def test_a_question_with_a_file_is_answered(scripted: Scripted, text: str) -> None:
    body = {"channel": "D0ALICE", "user": "U0ALICE", "text": text}
    ts = scripted.workspace.control("messages", body, files={"form.pdf": b"%PDF-"})["ts"]

    assert "what does this form need?" in scripted.workspace.wait_for_reply("D0ALICE", ts)["plain"]


def test_a_file_alone_is_told_where_files_go(scripted: Scripted) -> None:
    body = {"channel": "D0ADMIN", "user": "U0ADMIN", "text": ""}
    ts = scripted.workspace.control("messages", body, files={"form.md": b"# Form"})["ts"]

    assert "/kb upload" in scripted.workspace.wait_for_reply("D0ADMIN", ts)["plain"]
    assert scripted.library.taken_in == []


def test_while_it_works_the_thread_shows_a_status_that_ends_with_the_reply(scripted: Scripted) -> None:
    ts = scripted.say("D0ALICE", "U0ALICE", "wait for it")
    status = wait_for(lambda: scripted.workspace.control("state")["status"].get(f"D0ALICE:{ts}"))
    assert status == "is searching the documents…"

    scripted.pipeline.go.set()
    scripted.workspace.wait_for_reply("D0ALICE", ts)
    scripted.pipeline.go.clear()

    assert f"D0ALICE:{ts}" not in scripted.workspace.control("state")["status"]


def test_one_message_told_in_two_events_and_again_is_answered_once(scripted: Scripted) -> None:
    scripted.workspace.control("faults", {"kind": "duplicate", "times": 2})

    ts = scripted.say("C0GENERAL", "U0BOB", "@footnote only once, please?")
    scripted.workspace.wait_for_reply("C0GENERAL", ts)
    settle(scripted)

    assert [asked[0].question for asked in scripted.pipeline.asked].count("only once, please?") == 1


def taken_up(folder: Path, events: Sequence[dict[str, Any]]) -> list[str]:
    """Timestamps of the messages that the bot U1BOT would answer, after events as Slack sends them."""
    with closing(open_store(f"sqlite:///{folder / 'test.db'}")) as store:
        listener = Listener(Delivery(store, cast(Any, None), cast(Any, None)), "U1BOT")
        for event in events:
            listener.on_message(event, shared_channel=False)
        return [message.ts for message in store.unfinished()]


def mention(ts: str, **fields: str) -> dict[str, Any]:
    return {"type": "app_mention", "user": "U1", "channel": "C1", "ts": ts, "text": "<@U1BOT> hi", **fields}


def test_link_previews_that_change_a_message_again_and_again_start_no_other_answer(tmp_path: Path) -> None:
    said = {"user": "U1", "ts": "10.1", "text": "<@U1BOT> hi"}
    preview = {
        "type": "message",
        "subtype": "message_changed",
        "channel": "C1",
        "ts": "11.0",
        "message": said | {"attachments": [{"from_url": "https://x.example"}]},
        "previous_message": said,
    }

    assert taken_up(tmp_path, [mention("10.1"), preview, preview, preview]) == ["10.1"]


def test_the_bots_own_message_is_no_question(tmp_path: Path) -> None:
    own = {"type": "message", "channel": "D1", "channel_type": "im", "user": "U1BOT", "bot_id": "B1", "ts": "20.1"}

    assert taken_up(tmp_path, [own | {"text": "Here is the answer?"}]) == []
    without_bot_id = {name: value for name, value in own.items() if name != "bot_id"}
    assert taken_up(tmp_path, [without_bot_id | {"text": "Here is the answer?"}]) == []


def test_another_bot_that_mentions_this_one_again_and_again_gets_no_answer(tmp_path: Path) -> None:
    thanks = [
        mention(f"{n}.0", user="U2BOT", bot_id="B2", thread_ts="30.0", text="<@U1BOT> thanks!") for n in range(30, 35)
    ]

    assert taken_up(tmp_path, thanks) == []
    assert taken_up(tmp_path, [mention("36.0", thread_ts="30.0")]) == ["36.0"]
