"""chat.* and the status line, as Slack's own client meets them."""

from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.running_workspace import WorkspaceHandle


def section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def test_timestamps_in_a_channel_rise_and_never_repeat(client: WebClient) -> None:
    stamps = [client.chat_postMessage(channel="C0GENERAL", text=str(n))["ts"] for n in range(20)]

    assert stamps == sorted(stamps, key=float)
    assert len(set(stamps)) == 20


def test_a_reply_goes_into_its_thread(workspace: WorkspaceHandle, client: WebClient) -> None:
    parent = workspace.say("C0GENERAL", "U0ALICE", "a question")
    answer = client.chat_postMessage(channel="C0GENERAL", thread_ts=parent, text="an answer")

    assert answer["message"]["thread_ts"] == parent
    assert answer["message"]["parent_user_id"] == "U0ALICE"
    assert [m["plain"] for m in workspace.messages("C0GENERAL", parent)] == ["a question", "an answer"]


def test_a_reply_to_a_reply_goes_into_the_same_thread(workspace: WorkspaceHandle, client: WebClient) -> None:
    parent = workspace.say("C0GENERAL", "U0ALICE", "a question")
    reply = workspace.say("C0GENERAL", "U0BOB", "me too", thread_ts=parent)
    answer = client.chat_postMessage(channel="C0GENERAL", thread_ts=reply, text="an answer")

    assert answer["message"]["thread_ts"] == parent


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"channel": "C0NOWHERE", "text": "x"}, "channel_not_found"),
        ({"channel": "C0OPS", "text": "x"}, "not_in_channel"),
        ({"channel": "C0GENERAL", "text": ""}, "no_text"),
        ({"channel": "C0GENERAL", "text": "x", "thread_ts": "1.000001"}, "thread_not_found"),
        ({"channel": "C0GENERAL", "markdown_text": "x", "blocks": [section("x")]}, "markdown_text_conflict"),
        ({"channel": "C0GENERAL", "markdown_text": "x" * 12_001}, "msg_too_long"),
        ({"channel": "C0GENERAL", "text": "x", "blocks": "{nonsense"}, "invalid_blocks_format"),
    ],
)
def test_a_post_that_slack_refuses_is_refused(client: WebClient, fields: dict[str, Any], error: str) -> None:
    with pytest.raises(SlackApiError) as refusal:
        client.api_call("chat.postMessage", json=fields)

    assert refusal.value.response["error"] == error


def test_blocks_may_come_as_json_text_in_a_form(workspace: WorkspaceHandle, client: WebClient) -> None:
    blocks = '[{"type": "markdown", "text": "**bold**"}]'
    client.api_call("chat.postMessage", data={"channel": "C0GENERAL", "text": "x", "blocks": blocks})

    assert workspace.messages("C0GENERAL")[0]["plain"] == "bold"


def test_a_long_text_is_cut_at_40000_characters(client: WebClient) -> None:
    answer = client.chat_postMessage(channel="C0GENERAL", text="x" * 40_001)

    assert len(answer["message"]["text"]) == 40_000


def test_a_channel_may_be_named_and_a_person_written_to(client: WebClient) -> None:
    assert client.chat_postMessage(channel="#general", text="x")["channel"] == "C0GENERAL"
    assert client.chat_postMessage(channel="U0ALICE", text="x")["channel"] == "D0ALICE"


def test_markdown_text_becomes_a_markdown_block(client: WebClient) -> None:
    message = client.chat_postMessage(channel="C0GENERAL", markdown_text="# Hello")["message"]

    assert message["blocks"] == [{"type": "markdown", "text": "# Hello"}]


def test_an_update_replaces_text_and_blocks(workspace: WorkspaceHandle, client: WebClient) -> None:
    ts = client.chat_postMessage(channel="C0GENERAL", text="old", blocks=[section("old")])["ts"]
    client.chat_update(channel="C0GENERAL", ts=ts, text="new")
    [message] = workspace.messages("C0GENERAL")

    assert (message["plain"], message["blocks"]) == ("new", [])
    assert message["edited"]["user"] == "U0FOOTNOTE"


def test_an_update_allows_4000_characters(client: WebClient) -> None:
    ts = client.chat_postMessage(channel="C0GENERAL", text="old")["ts"]

    assert client.chat_update(channel="C0GENERAL", ts=ts, text="x" * 4_000)["ok"]
    with pytest.raises(SlackApiError, match="msg_too_long"):
        client.chat_update(channel="C0GENERAL", ts=ts, text="x" * 4_001)


def test_only_own_messages_can_be_changed(workspace: WorkspaceHandle, client: WebClient) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "mine")

    with pytest.raises(SlackApiError, match="cant_update_message"):
        client.chat_update(channel="C0GENERAL", ts=ts, text="x")
    with pytest.raises(SlackApiError, match="cant_delete_message"):
        client.chat_delete(channel="C0GENERAL", ts=ts)
    with pytest.raises(SlackApiError, match="message_not_found"):
        client.chat_update(channel="C0GENERAL", ts="1.000001", text="x")


def test_a_deleted_message_is_gone(workspace: WorkspaceHandle, client: WebClient) -> None:
    ts = client.chat_postMessage(channel="C0GENERAL", text="oops")["ts"]
    client.chat_delete(channel="C0GENERAL", ts=ts)

    assert workspace.messages("C0GENERAL") == []


def test_an_ephemeral_message_is_for_one_person(workspace: WorkspaceHandle, client: WebClient) -> None:
    client.chat_postEphemeral(channel="C0GENERAL", user="U0BOB", text="psst")

    assert workspace.messages("C0GENERAL")[0]["ephemeral_to"] == "U0BOB"
    assert client.conversations_history(channel="C0GENERAL")["messages"] == []


def test_an_ephemeral_message_needs_a_member(client: WebClient) -> None:
    with pytest.raises(SlackApiError, match="user_not_in_channel"):
        client.chat_postEphemeral(channel="C0GENERAL", user="U0OUTSIDER", text="psst")


def test_a_status_line_ends_with_the_bots_next_message_there(workspace: WorkspaceHandle, client: WebClient) -> None:
    one, other = (workspace.say("C0GENERAL", "U0ALICE", text) for text in ("one", "other"))
    for ts in (one, other):
        client.assistant_threads_setStatus(channel_id="C0GENERAL", thread_ts=ts, status="is thinking")
    client.chat_postMessage(channel="C0GENERAL", thread_ts=one, text="done")

    assert workspace.control("state")["status"] == {f"C0GENERAL:{other}": "is thinking"}


def test_an_empty_status_clears_the_line(workspace: WorkspaceHandle, client: WebClient) -> None:
    ts = workspace.say("D0ALICE", "U0ALICE", "hello")
    for status in ("is thinking", ""):
        client.assistant_threads_setStatus(channel_id="D0ALICE", thread_ts=ts, status=status)

    assert workspace.control("state")["status"] == {}
