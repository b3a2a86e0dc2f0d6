"""A reply is posted exactly once, over lost answers, restarts and floods."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.clients import Clients
from bot.lock import only_bot_on
from bot.posting import Place, Poster, Unreachable
from bot.reply import Part
from bot.response import Response
from bot.settings import BotSettings
from retrieval.adapters.sql import open_store
from retrieval.errors import ConfigurationError
from retrieval.types import ThreadMessage
from tests.bot.lossy import LossyLine, lossy_line
from tests.bot.scripted import running_bot
from tests.running_workspace import BOT_TOKEN, WorkspaceHandle, running_workspace, wait_for
from workspace.settings import Settings

BOT = "U0FOOTNOTE"


def poster(line: LossyLine, pauses: list[float]) -> Poster:
    settings = BotSettings(slack_bot_token=BOT_TOKEN, slack_api_url=line.url)
    return Poster(Clients.of(settings), BOT, pause=pauses.append)


def posted(workspace: WorkspaceHandle, ts: str) -> list[str]:
    return [message["text"] for message in workspace.replies_of_bot("C0GENERAL", ts)]


@pytest.mark.parametrize("lost", ["answers_lost", "requests_lost"])
def test_after_a_lost_answer_the_thread_is_looked_at_before_posting_again(
    workspace: WorkspaceHandle, lost: str
) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "hello")
    with lossy_line(workspace.api_url) as line:
        getattr(line, lost)["chat.postMessage"] = 1

        (reply,) = poster(line, []).post(Place("C0GENERAL", ts, ts), [Part("Hi.")])

    assert posted(workspace, ts) == ["Hi."]
    assert workspace.replies_of_bot("C0GENERAL", ts)[0]["ts"] == reply


def test_earlier_replies_in_the_thread_are_not_taken_for_the_lost_one(workspace: WorkspaceHandle) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "hello")
    with lossy_line(workspace.api_url) as line:
        speaker = poster(line, [])
        again = workspace.say("C0GENERAL", "U0ALICE", "and hello again", thread_ts=ts)
        speaker.post(Place("C0GENERAL", ts, ts), [Part("One.")])  # stands below both
        line.requests_lost["chat.postMessage"] = 1
        speaker.post(Place("C0GENERAL", ts, again), [Part("Two."), Part("Three.")])

    assert posted(workspace, ts) == ["One.", "Two.", "Three."]


def test_nothing_is_posted_again_while_the_thread_cannot_be_looked_at(workspace: WorkspaceHandle) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "hello")
    pauses: list[float] = []
    with lossy_line(workspace.api_url) as line:
        line.answers_lost["chat.postMessage"] = 1
        line.requests_lost["conversations.replies"] = 100

        with pytest.raises(Unreachable):
            poster(line, pauses).post(Place("C0GENERAL", ts, ts), [Part("Hi.")])

    assert posted(workspace, ts) == ["Hi."]
    assert pauses == sorted(pauses)


def test_a_bot_that_may_not_look_into_threads_still_replies(workspace: WorkspaceHandle) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "hello")
    workspace.control("faults", {"kind": "error", "method": "chat.postMessage", "error": "internal_error"})
    workspace.control("faults", {"kind": "error", "method": "conversations.replies", "error": "missing_scope"})
    with lossy_line(workspace.api_url) as line:
        poster(line, []).post(Place("C0GENERAL", ts, ts), [Part("Hi.")])

    assert posted(workspace, ts) == ["Hi."]


def test_a_question_asked_while_the_token_is_refused_is_answered_once_it_is_good_again(tmp_path: Path) -> None:
    with running_workspace() as workspace:
        with running_bot(workspace, tmp_path) as scripted:
            workspace.control("faults", {"kind": "error", "method": "chat.postMessage", "error": "invalid_auth"})
            ts = workspace.say("C0GENERAL", "U0ALICE", "@footnote are you there?")
            wait_for(lambda: scripted.pipeline.asked)
            wait_for(lambda: scripted.deliveries.unfinished())

        with running_bot(workspace, tmp_path):
            assert "are you there?" in workspace.wait_for_reply("C0GENERAL", ts)["plain"]


def accepted(workspace: WorkspaceHandle, text: str) -> ThreadMessage:
    """A message said while no bot was there, as an earlier run would have kept it."""
    ts = workspace.say("C0GENERAL", "U0ALICE", f"@footnote {text}")
    return ThreadMessage("C0GENERAL", ts, ts, "U0ALICE", text, state="accepted")


def test_what_was_accepted_before_a_restart_is_answered_after_it(tmp_path: Path) -> None:
    with running_workspace() as workspace:
        with running_bot(workspace, tmp_path):
            pass
        question = accepted(workspace, "still there?")
        keep(tmp_path, question)

        with running_bot(workspace, tmp_path) as scripted:
            reply = workspace.wait_for_reply("C0GENERAL", question.ts)
            assert "still there?" in reply["plain"]
            wait_for(lambda: not scripted.deliveries.unfinished())

        with running_bot(workspace, tmp_path) as scripted:
            scripted.reply("D0BOB", "U0BOB", "are you through?")
            assert len(workspace.replies_of_bot("C0GENERAL", question.ts)) == 1


def test_a_reply_whose_note_was_lost_in_a_crash_is_not_posted_again(tmp_path: Path) -> None:
    with running_workspace() as workspace:
        question = accepted(workspace, "twice?")
        reply = [Part("Once."), Part("And the rest.")]
        with lossy_line(workspace.api_url) as line:
            poster(line, []).post(Place("C0GENERAL", question.ts, question.ts), reply[:1])
        keep(tmp_path, question, Response(reply))

        with running_bot(workspace, tmp_path) as scripted:
            wait_for(lambda: not scripted.deliveries.unfinished())
            assert scripted.pipeline.asked == []

        assert posted(workspace, question.ts) == ["Once.", "And the rest."]


def test_a_message_that_brings_the_process_down_each_time_is_given_up_with_an_apology(tmp_path: Path) -> None:
    with running_workspace() as workspace:
        question = accepted(workspace, "boom?")
        keep(tmp_path, question, attempts=5)

        with running_bot(workspace, tmp_path) as scripted:
            reply = workspace.wait_for_reply("C0GENERAL", question.ts)
            assert "incident" in reply["plain"]
            assert scripted.pipeline.asked == []


def test_a_reply_that_began_as_text_goes_on_as_text(workspace: WorkspaceHandle) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "hello")
    part = Part("**One.** " + "Words. " * 1000)
    with lossy_line(workspace.api_url) as line:
        speaker, place = poster(line, []), Place("C0GENERAL", ts, ts)
        workspace.control("faults", {"kind": "error", "method": "chat.postMessage", "error": "invalid_blocks"})
        line.requests_lost["conversations.replies"] = 100
        line.answers_kept["chat.postMessage"], line.answers_lost["chat.postMessage"] = 1, 1
        with pytest.raises(Unreachable):
            speaker.post(place, [part])
        line.requests_lost.clear()
        speaker.post(place, [part], begun=True)

    assert posted(workspace, ts) == [payload["text"] for payload in part.as_texts()]


def test_a_message_repeated_after_a_restart_is_not_answered_again(tmp_path: Path) -> None:
    with running_workspace() as workspace:
        with running_bot(workspace, tmp_path) as scripted:
            ts = scripted.say("C0GENERAL", "U0ALICE", "@footnote hello?")
            workspace.wait_for_reply("C0GENERAL", ts)
            known = wait_for(lambda: scripted.deliveries.thread("C0GENERAL", ts)[1:])
            assert known

        with running_bot(workspace, tmp_path) as scripted:
            message = ThreadMessage("C0GENERAL", ts, ts, "U0ALICE", "hello?", state="accepted")
            assert not scripted.deliveries.record(message)


def test_a_message_is_not_acknowledged_before_it_is_kept(tmp_path: Path) -> None:
    settings = Settings(ack_timeout_s=0.2, retry_delays_s=(0.0, 0.0, 0.0))
    with running_workspace(settings) as workspace, running_bot(workspace, tmp_path) as scripted:
        with closing(sqlite3.connect(tmp_path / "footnote.db", isolation_level=None)) as store:
            store.execute("BEGIN IMMEDIATE")  # nobody else can write now
            ts = scripted.say("D0ALICE", "U0ALICE", "do you keep this?")
            wait_for(lambda: _attempts(workspace) > 1)
            store.execute("ROLLBACK")

        workspace.wait_for_reply("D0ALICE", ts)
        scripted.reply("D0BOB", "U0BOB", "are you through?")
        assert len(workspace.replies_of_bot("D0ALICE", ts)) == 1


def _attempts(workspace: WorkspaceHandle) -> int:
    """How often Slack has sent the message for want of an ack."""
    entries = workspace.control("traffic")["entries"]
    return max((entry["attempts"] for entry in entries if entry["kind"] == "envelope"), default=0)


def test_when_too_many_wait_the_person_is_told_at_once(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path, waiting_most=1) as scripted:
        asked = [scripted.say("D0ALICE", "U0ALICE", f"wait {n}") for n in range(8)]

        def told() -> list[dict[str, Any]]:
            return [m for m in workspace.messages("D0ALICE") if "more questions waiting" in m["plain"]]

        wait_for(lambda: len(told()) == 4)  # three are being worked on, which is the most of one channel, one waits
        scripted.pipeline.go.set()

        for ts in asked:
            workspace.wait_for_reply("D0ALICE", ts)
        assert [len(workspace.replies_of_bot("D0ALICE", ts)) for ts in asked] == [1] * 8


def test_stopping_finishes_what_is_under_way_and_leaves_the_rest_for_the_next_start(tmp_path: Path) -> None:
    with running_workspace() as workspace:
        with running_bot(workspace, tmp_path) as scripted:
            asked = [scripted.say("D0ALICE", "U0ALICE", f"wait {n}") for n in range(6)]
            wait_for(lambda: len(scripted.pipeline.asked) == 3 and len(scripted.deliveries.unfinished()) == 6)
        answered = [ts for ts in asked if workspace.replies_of_bot("D0ALICE", ts)]
        assert len(answered) == 3

        with running_bot(workspace, tmp_path) as scripted:
            scripted.pipeline.go.set()
            for ts in asked:
                workspace.wait_for_reply("D0ALICE", ts)
        assert [len(workspace.replies_of_bot("D0ALICE", ts)) for ts in asked] == [1] * 6


def test_a_second_bot_on_the_same_data_is_refused(tmp_path: Path) -> None:
    with only_bot_on(tmp_path), pytest.raises(ConfigurationError, match="DATA_DIR: another bot"), only_bot_on(tmp_path):
        pytest.fail("two bots on the same data")

    with only_bot_on(tmp_path):
        pass  # it is free again once the first has ended


def test_when_the_store_fails_the_person_gets_one_apology(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        with closing(sqlite3.connect(tmp_path / "footnote.db")) as store:
            store.execute("DROP TABLE messages")

        ts = scripted.say("C0GENERAL", "U0ALICE", "@footnote can you remember this?")

        assert "incident" in workspace.wait_for_reply("C0GENERAL", ts)["plain"]
        assert scripted.command("U0ALICE", "help") == []
        assert len(workspace.replies_of_bot("C0GENERAL", ts)) == 1
        assert scripted.pipeline.asked == []


def keep(folder: Path, message: ThreadMessage, reply: Response | None = None, *, attempts: int = 0) -> None:
    store = open_store(f"sqlite:///{folder / 'footnote.db'}")
    assert store.record(message)
    for _ in range(attempts):
        store.begin(message)
    if reply:
        store.keep(message, reply.as_json())
    store.close()
