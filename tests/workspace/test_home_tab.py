"""The Home tab: what the app publishes, and what it is told when a person opens it."""

from typing import Any

import pytest
from slack_bolt import Ack, App
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.running_workspace import Connect, WorkspaceHandle, wait_for
from tests.workspace.arriving import Events, arrived
from tests.workspace.block_kit import BUTTONS, NOTE, plain

HOME: dict[str, Any] = {"type": "home", "callback_id": "home", "blocks": [{"type": "header", "text": plain("Hello")}]}


def home(workspace: WorkspaceHandle, user: str = "U0ALICE") -> Any:
    return workspace.control("home", query={"user": user})["view"]


def test_what_is_published_is_for_that_person(workspace: WorkspaceHandle, client: WebClient) -> None:
    first = client.views_publish(user_id="U0ALICE", view=HOME)["view"]
    again = client.views_publish(user_id="U0ALICE", view={**HOME, "blocks": [NOTE]}, hash=first["hash"])["view"]

    assert (home(workspace)["id"], home(workspace)["hash"]) == (first["id"], again["hash"])
    assert home(workspace)["blocks"][0]["block_id"] == "note"
    assert home(workspace, "U0BOB") is None
    assert workspace.control("state")["views"] == []
    with pytest.raises(SlackApiError, match="hash_conflict"):
        client.views_publish(user_id="U0ALICE", view=HOME, hash=first["hash"])


@pytest.mark.parametrize("view", [{**HOME, "type": "modal"}, {"type": "home"}, {**HOME, "blocks": [{"type": "x"}]}])
def test_what_is_no_home_view_is_refused(client: WebClient, view: dict[str, Any]) -> None:
    with pytest.raises(SlackApiError, match="invalid_arguments"):
        client.views_publish(user_id="U0ALICE", view=view)


def test_opening_tells_the_app_with_the_view_there_is(
    workspace: WorkspaceHandle, client: WebClient, events: Events
) -> None:
    workspace.control("home", {"user": "U0ALICE"})
    client.views_publish(user_id="U0ALICE", view=HOME)
    workspace.control("home", {"user": "U0ALICE"})
    workspace.control("home", {"user": "U0ALICE", "tab": "messages"})
    opened = sorted(arrived(workspace, events, 3), key=lambda event: event["event_ts"])

    assert [(event["tab"], "view" in event) for event in opened] == [
        *(("home", False), ("home", True), ("messages", False)),
    ]
    assert {event["channel"] for event in opened} == {"D0ALICE"}
    with pytest.raises(AssertionError, match=" 400 "):
        workspace.control("home", {"user": "U0ALICE", "tab": "about"})


def test_a_button_on_the_home_tab_reaches_the_app_and_the_view_is_updated(
    workspace: WorkspaceHandle, client: WebClient, app: App, connect: Connect
) -> None:
    bodies: list[dict[str, Any]] = []

    @app.action("show")
    def show(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        client.views_update(view_id=body["view"]["id"], view={**HOME, "callback_id": "shown"})
        bodies.append(body)

    connect(app)
    workspace.control("settings", {"view_wait_s": 0.01})
    view = client.views_publish(user_id="U0ALICE", view={**HOME, "blocks": BUTTONS[:1]})["view"]
    workspace.control("actions", {"view": view["id"], "user": "U0ALICE", "action_id": "show"})
    wait_for(lambda: bodies)

    assert bodies[0]["view"]["type"] == "home"
    assert bodies[0]["container"] == {"type": "view", "view_id": view["id"]}
    assert home(workspace)["callback_id"] == "shown"
