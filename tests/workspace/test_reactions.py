"""Reactions of the bot and of people, and the events they make."""

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.running_workspace import WorkspaceHandle
from tests.workspace.arriving import Events, arrived, of_type


def reaction(ts: str, user: str = "U0BOB", name: str = "eyes") -> dict[str, str]:
    return {"channel": "C0GENERAL", "user": user, "ts": ts, "name": name}


def test_the_bots_reactions_are_counted_and_taken_back(workspace: WorkspaceHandle, client: WebClient) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "hello")
    client.reactions_add(channel="C0GENERAL", timestamp=ts, name="eyes")
    workspace.control("reactions", reaction(ts))
    message = client.reactions_get(channel="C0GENERAL", timestamp=ts)["message"]
    client.reactions_remove(channel="C0GENERAL", timestamp=ts, name="eyes")

    assert message["reactions"] == [{"name": "eyes", "users": ["U0FOOTNOTE", "U0BOB"], "count": 2}]
    assert workspace.messages("C0GENERAL")[0]["reactions"] == [{"name": "eyes", "users": ["U0BOB"], "count": 1}]
    workspace.control("reactions", reaction(ts), method="DELETE")
    assert "reactions" not in client.reactions_get(channel="C0GENERAL", timestamp=ts)["message"]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"name": "eyes"}, "already_reacted"),
        ({"name": "no such name"}, "invalid_name"),
        ({"timestamp": "1.000001"}, "message_not_found"),
        ({"timestamp": ""}, "no_item_specified"),
        ({"channel": "C0OPS"}, "not_in_channel"),
    ],
)
def test_what_slack_refuses_is_refused(
    workspace: WorkspaceHandle, client: WebClient, change: dict[str, str], error: str
) -> None:
    call = {"channel": "C0GENERAL", "timestamp": workspace.say("C0GENERAL", "U0ALICE", "hello"), "name": "wave"}
    client.api_call("reactions.add", params={**call, "name": "eyes"})

    with pytest.raises(SlackApiError, match=error):
        client.api_call("reactions.add", params=call | change)


def test_a_reaction_nobody_made_cannot_be_removed(workspace: WorkspaceHandle, client: WebClient) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "hello")

    with pytest.raises(SlackApiError, match="no_reaction"):
        client.reactions_remove(channel="C0GENERAL", timestamp=ts, name="eyes")


def test_a_message_takes_23_different_reactions(workspace: WorkspaceHandle, client: WebClient) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "hello")
    for n in range(23):
        client.reactions_add(channel="C0GENERAL", timestamp=ts, name=f"emoji_{n}")

    with pytest.raises(SlackApiError, match="too_many_emoji"):
        client.reactions_add(channel="C0GENERAL", timestamp=ts, name="one_more")
    workspace.control("reactions", reaction(ts, name="emoji_0"))


def test_the_app_hears_of_reactions_to_messages_it_sees(workspace: WorkspaceHandle, events: Events) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "hello")
    workspace.control("reactions", reaction(ts))
    workspace.control("reactions", reaction(ts), method="DELETE")
    unseen = {**reaction(workspace.say("C0OPS", "U0ALICE", "unheard")), "channel": "C0OPS"}
    workspace.control("reactions", unseen)
    heard = arrived(workspace, events, 3)
    [added], [removed] = of_type(heard, "reaction_added"), of_type(heard, "reaction_removed")

    assert added["item"] == removed["item"] == {"type": "message", "channel": "C0GENERAL", "ts": ts}
    assert (added["user"], added["reaction"], added["item_user"]) == ("U0BOB", "eyes", "U0ALICE")


@pytest.mark.parametrize(("user", "name"), [("U0BOB", "eyes"), ("U0ALICE", "Not An Emoji")])
def test_what_a_person_cannot_react_with_is_said(workspace: WorkspaceHandle, user: str, name: str) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "hello")
    workspace.control("reactions", reaction(ts))

    with pytest.raises(AssertionError, match=" 409 "):
        workspace.control("reactions", reaction(ts, user, name))
