"""What people do, as the events a connected Bolt app gets."""

from typing import Any

import pytest
from slack_bolt import App
from slack_sdk import WebClient

from tests.running_workspace import Connect, WorkspaceHandle, wait_for
from tests.workspace.arriving import Events, arrived


def test_a_mention_in_a_channel_is_a_message_and_a_mention(workspace: WorkspaceHandle, events: Events) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "@footnote how & why?")
    message, mention = sorted(arrived(workspace, events, 2), key=lambda event: event["type"], reverse=True)

    assert [message["type"], mention["type"]] == ["message", "app_mention"]
    for event in (message, mention):
        assert (event["ts"], event["channel"], event["user"]) == (ts, "C0GENERAL", "U0ALICE")
        assert event["text"] == "<@U0FOOTNOTE> how &amp; why?"
        assert event["team"] == "T0LOCAL"
    assert message["channel_type"] == "channel"
    assert "channel_type" not in mention


def test_a_message_without_a_mention_is_a_message_only(workspace: WorkspaceHandle, events: Events) -> None:
    workspace.say("C0GENERAL", "U0ALICE", "@bob hello")
    workspace.say("C0GENERAL", "U0ALICE", "done")

    assert [event["type"] for event in arrived(workspace, events, 2)] == ["message", "message"]


def test_a_direct_message_is_of_the_channel_type_im(workspace: WorkspaceHandle, events: Events) -> None:
    workspace.say("D0ALICE", "U0ALICE", "@footnote hello")
    [event] = arrived(workspace, events, 1)

    assert (event["type"], event["channel"], event["channel_type"]) == ("message", "D0ALICE", "im")


def test_a_thread_reply_names_its_parent(workspace: WorkspaceHandle, events: Events) -> None:
    parent = workspace.say("C0GENERAL", "U0ALICE", "one")
    workspace.say("C0GENERAL", "U0BOB", "two", thread_ts=parent)
    reply = next(event for event in arrived(workspace, events, 2) if event["text"] == "two")

    assert (reply["thread_ts"], reply["parent_user_id"]) == (parent, "U0ALICE")


def test_nothing_is_heard_from_where_the_bot_is_not(workspace: WorkspaceHandle, events: Events) -> None:
    workspace.say("C0OPS", "U0ALICE", "@footnote hello?")
    workspace.say("C0HR", "U0ALICE", "hello")

    assert [event["channel"] for event in arrived(workspace, events, 1)] == ["C0HR"]


def test_an_outsider_in_a_shared_channel_is_of_another_team(
    workspace: WorkspaceHandle, app: App, connect: Connect
) -> None:
    bodies: Events = []
    app.event("message")(lambda body: bodies.append(body))
    connect(app)
    workspace.say("C0EXT", "U0OUTSIDER", "hello")
    [body] = arrived(workspace, bodies, 1)

    assert body["is_ext_shared_channel"] is True
    assert body["team_id"] == "T0LOCAL"
    assert (body["event"]["user_team"], body["event"]["source_team"]) == ("T0OTHER", "T0OTHER")
    assert body["authorizations"][0]["user_id"] == "U0FOOTNOTE"


def test_an_edit_and_a_deletion_are_told_with_what_was_before(workspace: WorkspaceHandle, events: Events) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "befor")
    workspace.control(f"messages/C0GENERAL/{ts}", {"user": "U0ALICE", "text": "before & after"}, method="PATCH")
    workspace.control(f"messages/C0GENERAL/{ts}", {"user": "U0ALICE"}, method="DELETE")
    by_subtype = {event.get("subtype"): event for event in arrived(workspace, events, 3)}
    changed, deleted = by_subtype["message_changed"], by_subtype["message_deleted"]

    assert changed["message"]["text"] == "before &amp; after"
    assert changed["message"]["edited"]["user"] == "U0ALICE"
    assert changed["previous_message"]["text"] == "befor"
    assert (deleted["deleted_ts"], deleted["previous_message"]["text"]) == (ts, "before &amp; after")
    assert workspace.messages("C0GENERAL") == []


def test_a_deleted_parent_leaves_a_tombstone(workspace: WorkspaceHandle, events: Events) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "question")
    workspace.say("C0GENERAL", "U0BOB", "answer", thread_ts=ts)
    workspace.control(f"messages/C0GENERAL/{ts}", {"user": "U0ALICE"}, method="DELETE")
    changed = next(e for e in arrived(workspace, events, 3) if e.get("subtype") == "message_changed")

    assert changed["message"]["subtype"] == "tombstone"
    assert [m["plain"] for m in workspace.messages("C0GENERAL")] == ["This message was deleted.", "answer"]


def test_a_message_with_files_is_a_file_share(workspace: WorkspaceHandle, client: WebClient, events: Events) -> None:
    body = {"channel": "C0GENERAL", "user": "U0ALICE", "text": "@footnote read this"}
    workspace.control("messages", body, files={"a.md": b"# A", "b.txt": b"B"})
    message = next(event for event in arrived(workspace, events, 2) if event["type"] == "message")

    assert message["subtype"] == "file_share"
    assert [file["name"] for file in message["files"]] == ["a.md", "b.txt"]
    assert client.files_info(file=message["files"][0]["id"])["file"]["size"] == 3


def test_files_in_a_shared_channel_have_to_be_asked_for(
    workspace: WorkspaceHandle, client: WebClient, events: Events
) -> None:
    body = {"channel": "C0EXT", "user": "U0OUTSIDER", "text": "read this"}
    workspace.control("messages", body, files={"a.md": b"# A"})
    [message] = arrived(workspace, events, 1)
    [file] = message["files"]

    assert file == {"id": file["id"], "mode": "file_access", "file_access": "check_file_info"}
    assert client.files_info(file=file["id"])["file"]["name"] == "a.md"


def test_who_joins_is_told_by_a_message_and_an_event(workspace: WorkspaceHandle, events: Events) -> None:
    workspace.control("members", {"channel": "C0GENERAL", "user": "U0OUTSIDER"})
    message, joined = sorted(arrived(workspace, events, 2), key=lambda event: event["type"], reverse=True)

    assert message["subtype"] == "channel_join"
    assert (joined["channel"], joined["user"]) == ("C0GENERAL", "U0OUTSIDER")


def test_an_invited_bot_hears_what_is_said_from_then_on(workspace: WorkspaceHandle, events: Events) -> None:
    workspace.control("members", {"channel": "C0OPS", "user": "U0FOOTNOTE"})
    workspace.say("C0OPS", "U0ALICE", "hello at last")

    wait_for(lambda: "hello at last" in [event.get("text") for event in events])


def test_the_bots_own_post_comes_back_with_its_ids(
    workspace: WorkspaceHandle, client: WebClient, connect: Connect
) -> None:
    app = App(client=client, ignoring_self_events_enabled=False)
    received: Events = []
    app.event("message")(lambda event: received.append(event))
    connect(app)
    client.chat_postMessage(channel="C0GENERAL", text="hello <@U0FOOTNOTE>")
    [event] = arrived(workspace, received, 1)

    assert (event["user"], event["bot_id"], event["app_id"]) == ("U0FOOTNOTE", "B0FOOTNOTE", "A0FOOTNOTE")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"channel": "C0NOWHERE", "user": "U0ALICE", "text": "x"}, 404),
        ({"channel": "C0GENERAL", "user": "U0NOBODY", "text": "x"}, 404),
        ({"channel": "C0GENERAL", "user": "U0FOOTNOTE", "text": "x"}, 404),
        ({"channel": "C0GENERAL", "user": "U0OUTSIDER", "text": "x"}, 403),
        ({"channel": "C0GENERAL", "user": "U0ALICE", "text": "x", "thread_ts": "1.000001"}, 404),
        ({"channel": "C0GENERAL", "user": "U0ALICE", "text": " "}, 400),
        ({"channel": "C0GENERAL", "user": "U0ALICE", "text": "x" * 40_001}, 400),
        ({"channel": "C0GENERAL", "text": "x"}, 400),
    ],
)
def test_what_nobody_could_type_is_refused(workspace: WorkspaceHandle, body: dict[str, Any], status: int) -> None:
    with pytest.raises(AssertionError, match=f" {status} "):
        workspace.control("messages", body)
