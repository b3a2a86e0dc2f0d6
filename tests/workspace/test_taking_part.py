"""Private channels, direct messages of several people, user groups; who joins and who leaves."""

from typing import Any

import pytest
import requests
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.running_workspace import BOT_TOKEN, WorkspaceHandle
from tests.workspace.arriving import Events, arrived, of_type

BOT = "U0FOOTNOTE"


def make(workspace: WorkspaceHandle, name: str = "secret", **more: Any) -> str:
    made: str = workspace.control("channels", {"name": name, **more})["channel"]["id"]
    return made


def test_a_private_channel_is_a_group_to_the_bot_in_it(
    workspace: WorkspaceHandle, client: WebClient, events: Events
) -> None:
    channel = make(workspace, private=True, members=["U0ALICE", BOT])
    workspace.say(channel, "U0ALICE", "@footnote hello")
    heard = arrived(workspace, events, 2)
    info = client.conversations_info(channel=channel)["channel"]

    assert of_type(heard, "message")[0]["channel_type"] == "group"
    assert of_type(heard, "app_mention")[0]["channel"] == channel
    assert (info["is_private"], info["is_group"], info["is_channel"]) == (True, True, False)
    assert client.chat_postMessage(channel=channel, text="hello")["ok"]


def test_a_private_channel_does_not_exist_for_a_bot_outside_it(workspace: WorkspaceHandle, client: WebClient) -> None:
    channel = make(workspace, private=True, members=["U0ALICE"])

    assert client.conversations_list(types="private_channel")["channels"] == []
    for call in (client.conversations_info, client.conversations_members, client.conversations_history):
        with pytest.raises(SlackApiError, match="channel_not_found"):
            call(channel=channel)


def test_a_new_public_channel_has_everyone_but_the_bot(workspace: WorkspaceHandle, client: WebClient) -> None:
    channel = make(workspace, "lunch")
    info = client.conversations_info(channel=channel, include_num_members=True)["channel"]

    assert (info["name"], info["is_member"], info["num_members"]) == ("lunch", False, 4)
    assert workspace.control("state")["channels"][-1]["id"] == channel


@pytest.mark.parametrize(
    "body",
    [
        {"name": "general"},
        {"name": "Not A Name"},
        {"name": ""},
        {"name": "x" * 81},
        {"name": "x", "members": []},
        {"name": "x", "members": ["U0NOBODY"]},
        {},
    ],
)
def test_a_channel_nobody_could_make_is_refused(workspace: WorkspaceHandle, body: dict[str, Any]) -> None:
    answer = requests.post(f"{workspace.url}/control/channels", json=body, timeout=10)

    assert answer.status_code in (400, 409)
    assert answer.json()["message"].endswith(".")


def test_who_leaves_is_told_by_a_message_and_an_event(workspace: WorkspaceHandle, events: Events) -> None:
    workspace.control("members", {"channel": "C0HR", "user": "U0BOB"}, method="DELETE")
    heard = arrived(workspace, events, 2)

    assert of_type(heard, "message")[0]["subtype"] == "channel_leave"
    assert of_type(heard, "member_left_channel")[0]["user"] == "U0BOB"
    with pytest.raises(AssertionError, match=" 403 "):
        workspace.say("C0HR", "U0BOB", "still here?")


def test_in_a_private_channel_joining_and_leaving_are_of_the_group(workspace: WorkspaceHandle, events: Events) -> None:
    channel = make(workspace, private=True, members=["U0ALICE", BOT])
    workspace.control("members", {"channel": channel, "user": "U0BOB"})
    workspace.control("members", {"channel": channel, "user": "U0BOB"}, method="DELETE")
    heard = arrived(workspace, events, 4)

    assert {event["subtype"] for event in of_type(heard, "message")} == {"group_join", "group_leave"}
    assert of_type(heard, "member_left_channel")[0]["channel_type"] == "G"


def test_a_bot_that_is_let_go_is_told_so_and_hears_no_more(
    workspace: WorkspaceHandle, client: WebClient, events: Events
) -> None:
    client.conversations_leave(channel="C0HR")
    workspace.say("C0HR", "U0ALICE", "unheard")
    heard = arrived(workspace, events, 1)

    assert (heard[0]["type"], heard[0]["channel"]) == ("channel_left", "C0HR")
    assert client.conversations_leave(channel="C0HR")["not_in_channel"]
    with pytest.raises(SlackApiError, match="not_in_channel"):
        client.chat_postMessage(channel="C0HR", text="hello?")


def test_a_bot_may_join_public_channels_by_itself(workspace: WorkspaceHandle, client: WebClient) -> None:
    assert client.conversations_join(channel="C0OPS")["channel"]["is_member"]
    assert client.conversations_join(channel="C0OPS")["warning"] == "already_in_channel"
    assert client.chat_postMessage(channel="C0OPS", text="hello")["ok"]
    assert workspace.messages("C0OPS")[0]["subtype"] == "channel_join"


def test_direct_messages_of_several_people_are_made_once(
    workspace: WorkspaceHandle, client: WebClient, events: Events
) -> None:
    first = client.conversations_open(users=["U0ALICE", "U0BOB"], return_im=True)
    again = client.conversations_open(users="U0BOB,U0ALICE")
    channel = first["channel"]["id"]
    workspace.say(channel, "U0ALICE", "hello")

    assert (again["channel"]["id"], again["already_open"]) == (channel, True)
    assert first["channel"]["is_mpim"]
    assert first["channel"]["name"] == "mpdm-alice--bob--footnote-1"
    assert arrived(workspace, events, 1)[0]["channel_type"] == "mpim"
    assert [c["id"] for c in client.conversations_list(types="mpim")["channels"]] == [channel]


def test_not_everybody_fits_into_direct_messages(workspace: WorkspaceHandle, client: WebClient) -> None:
    for users, error in (([BOT], "cannot_dm_bot"), (["U0ALICE"] * 9, "too_many_users")):
        with pytest.raises(SlackApiError, match=error):
            client.conversations_open(users=users)


def test_conversations_of_the_bot_and_of_a_person(workspace: WorkspaceHandle, client: WebClient) -> None:
    make(workspace, "with-bot", private=True, members=["U0ALICE", BOT])
    make(workspace, "without-bot", private=True, members=["U0ALICE"])
    kinds = "public_channel,private_channel"
    mine = [c["name"] for c in client.users_conversations(types=kinds)["channels"]]
    hers = [c["name"] for c in client.users_conversations(user="U0ALICE", types=kinds)["channels"]]

    assert mine == ["general", "hr", "partners", "with-bot"]
    assert hers == ["general", "hr", "ops", "partners", "with-bot"]
    with pytest.raises(SlackApiError, match="user_not_found"):
        client.users_conversations(user="U0NOBODY")


def test_the_admins_are_a_user_group(workspace: WorkspaceHandle, client: WebClient) -> None:
    [group] = client.usergroups_list(include_users=True)["usergroups"]

    assert (group["id"], group["handle"], group["users"]) == ("S0ADMINS", "admins", ["U0ADMIN"])
    assert client.usergroups_users_list(usergroup="S0ADMINS")["users"] == ["U0ADMIN"]
    with pytest.raises(SlackApiError, match="no_such_subteam"):
        client.usergroups_users_list(usergroup="S0NONE")


def test_a_user_group_is_mentioned_by_its_handle(workspace: WorkspaceHandle) -> None:
    workspace.say("C0GENERAL", "U0ALICE", "ask @admins")
    [message] = workspace.messages("C0GENERAL")

    assert (message["text"], message["plain"]) == ("ask <!subteam^S0ADMINS|@admins>", "ask @admins")
    assert message["blocks"][0]["elements"][0]["elements"][-1] == {"type": "usergroup", "usergroup_id": "S0ADMINS"}


def test_a_permalink_leads_to_the_page(workspace: WorkspaceHandle, client: WebClient) -> None:
    parent = workspace.say("C0GENERAL", "U0ALICE", "question")
    reply = workspace.say("C0GENERAL", "U0ALICE", "more", thread_ts=parent)
    links = [client.chat_getPermalink(channel="C0GENERAL", message_ts=ts)["permalink"] for ts in (parent, reply)]
    places = [requests.get(link, allow_redirects=False, timeout=10).headers["Location"] for link in links]

    assert links[0] == f"{workspace.url}/archives/C0GENERAL/p{parent.replace('.', '')}"
    assert places == [f"/#C0GENERAL/{parent}", f"/#C0GENERAL/{reply}/{parent}"]
    with pytest.raises(SlackApiError, match="message_not_found"):
        client.chat_getPermalink(channel="C0GENERAL", message_ts="1.000001")


def test_a_file_of_a_private_channel_is_no_public_one(workspace: WorkspaceHandle, client: WebClient) -> None:
    channel = make(workspace, private=True, members=["U0ALICE", BOT])
    workspace.control("messages", {"channel": channel, "user": "U0ALICE", "text": ""}, files={"a.md": b"A"})
    [shown] = workspace.messages(channel)[0]["files"]
    file = client.files_info(file=shown["id"])["file"]
    content = requests.get(file["url_private"], headers={"Authorization": f"Bearer {BOT_TOKEN}"}, timeout=10).content

    assert (file["is_public"], file["channels"], file["groups"]) == (False, [], [channel])
    assert content == b"A"
