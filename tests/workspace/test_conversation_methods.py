"""conversations.*: channels, members, histories and threads."""

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.running_workspace import WorkspaceHandle


def test_info_tells_a_shared_channel_and_membership(client: WebClient) -> None:
    shared = client.conversations_info(channel="C0EXT", include_num_members=True)["channel"]

    assert shared["is_ext_shared"]
    assert shared["num_members"] == 6
    assert not client.conversations_info(channel="C0OPS")["channel"]["is_member"]


def test_info_of_a_direct_message_names_the_other_person(client: WebClient) -> None:
    channel = client.conversations_info(channel="D0ALICE")["channel"]

    assert (channel["is_im"], channel["user"]) == (True, "U0ALICE")


def test_list_gives_public_channels_unless_told_otherwise(client: WebClient) -> None:
    public = [c["id"] for c in client.conversations_list()["channels"]]
    direct = [c["id"] for c in client.conversations_list(types="im")["channels"]]

    assert public == ["C0GENERAL", "C0HR", "C0OPS", "C0EXT"]
    assert direct == ["D0ADMIN", "D0ALICE", "D0BOB", "D0GUEST"]


def test_list_and_members_come_in_pages(client: WebClient) -> None:
    channels = [len(page["channels"]) for page in client.conversations_list(limit=3)]
    members = [page["members"] for page in client.conversations_members(channel="C0HR", limit=2)]

    assert channels == [3, 1]
    assert members == [["U0ADMIN", "U0ALICE"], ["U0BOB", "U0GUEST"], ["U0FOOTNOTE"]]


def test_open_gives_the_direct_message_channel(client: WebClient) -> None:
    assert client.conversations_open(users="U0BOB")["channel"]["id"] == "D0BOB"
    assert client.conversations_open(users=["U0OUTSIDER"])["channel"]["id"] == "D0OUTSIDER"
    with pytest.raises(SlackApiError, match="user_not_found"):
        client.conversations_open(users="U0NOBODY")
    with pytest.raises(SlackApiError, match="users_list_not_supplied"):
        client.api_call("conversations.open", json={})


def test_history_is_newest_first_and_leaves_replies_out(workspace: WorkspaceHandle, client: WebClient) -> None:
    first = workspace.say("C0GENERAL", "U0ALICE", "first")
    workspace.say("C0GENERAL", "U0BOB", "second")
    client.chat_postMessage(channel="C0GENERAL", thread_ts=first, text="in the thread")
    client.chat_postMessage(channel="C0GENERAL", thread_ts=first, text="for all", reply_broadcast=True)
    messages = client.conversations_history(channel="C0GENERAL")["messages"]

    assert [m["text"] for m in messages] == ["for all", "second", "first"]
    assert (messages[2]["reply_count"], messages[2]["thread_ts"]) == (2, first)


def test_history_between_two_timestamps(workspace: WorkspaceHandle, client: WebClient) -> None:
    stamps = [workspace.say("C0GENERAL", "U0ALICE", str(n)) for n in range(4)]
    between = client.conversations_history(channel="C0GENERAL", oldest=stamps[0], latest=stamps[3])
    including = client.conversations_history(channel="C0GENERAL", oldest=stamps[0], latest=stamps[3], inclusive=True)

    assert [m["text"] for m in between["messages"]] == ["2", "1"]
    assert len(including["messages"]) == 4


def test_replies_are_oldest_first_and_honour_limit_and_cursor(workspace: WorkspaceHandle, client: WebClient) -> None:
    parent = workspace.say("C0GENERAL", "U0ALICE", "0")
    for n in range(1, 5):
        workspace.say("C0GENERAL", "U0BOB", str(n), thread_ts=parent)
    pages = [
        ([message["text"] for message in page["messages"]], page["has_more"])
        for page in client.conversations_replies(channel="C0GENERAL", ts=parent, limit=2)
    ]

    assert pages == [(["0", "1"], True), (["2", "3"], True), (["4"], False)]


def test_a_message_without_replies_is_its_own_thread(workspace: WorkspaceHandle, client: WebClient) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "alone")
    [message] = client.conversations_replies(channel="C0GENERAL", ts=ts)["messages"]

    assert message["text"] == "alone"
    assert "thread_ts" not in message


@pytest.mark.parametrize(
    ("channel", "ts", "error"),
    [
        ("C0GENERAL", "1.000001", "thread_not_found"),
        ("C0NOWHERE", "1.000001", "channel_not_found"),
        ("C0OPS", "1.000001", "not_in_channel"),
    ],
)
def test_replies_refuse_what_is_not_there(client: WebClient, channel: str, ts: str, error: str) -> None:
    with pytest.raises(SlackApiError, match=error):
        client.conversations_replies(channel=channel, ts=ts)
