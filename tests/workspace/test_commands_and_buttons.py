"""Slash commands, buttons and shortcuts between the control API and a Bolt app."""

import pytest
import requests
from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient

from tests.running_workspace import Connect, WorkspaceHandle, wait_for
from tests.workspace.block_kit import BUTTONS, NOTE, Json, modal, option

COMMAND: Json = {"channel": "C0GENERAL", "user": "U0ADMIN", "command": "/kb", "text": "upload"}


def test_a_command_carries_slacks_fields_and_its_ack_text_is_for_its_person(
    workspace: WorkspaceHandle, app: App, connect: Connect
) -> None:
    bodies: list[Json] = []

    @app.command("/kb")
    def kb(ack: Ack, body: Json) -> None:
        bodies.append(body)
        ack("Only admins may do that.")

    connect(app)
    workspace.control("settings", {"view_wait_s": 0.01})
    outcome = workspace.control("commands", {**COMMAND, "user": "U0BOB", "text": "upload now"})
    [message] = workspace.messages("C0GENERAL")

    assert outcome == {"ack": {"text": "Only admins may do that."}, "views": []}
    assert (message["plain"], message["ephemeral_to"]) == ("Only admins may do that.", "U0BOB")
    assert (bodies[0]["text"], bodies[0]["user_id"], bodies[0]["channel_name"]) == (
        "upload now",
        "U0BOB",
        "general",
    )


def test_a_plain_ack_is_empty_and_posts_nothing(workspace: WorkspaceHandle, app: App, connect: Connect) -> None:
    app.command("/kb")(lambda ack: ack())
    connect(app)
    workspace.control("settings", {"view_wait_s": 0.01})

    assert workspace.control("commands", COMMAND) == {"ack": {}, "views": []}
    assert workspace.messages("C0GENERAL") == []


def test_without_an_app_a_command_has_no_ack(workspace: WorkspaceHandle) -> None:
    assert workspace.control("commands", COMMAND) == {"ack": None, "views": []}


def test_a_response_url_answers_five_times(workspace: WorkspaceHandle, app: App, connect: Connect) -> None:
    urls: list[str] = []

    @app.command("/kb")
    def kb(ack: Ack, respond: Respond, body: Json) -> None:
        ack()
        urls.append(body["response_url"])
        respond("for you")
        respond("for all", response_type="in_channel")

    connect(app)
    workspace.control("settings", {"view_wait_s": 0.01})
    workspace.control("commands", COMMAND)
    wait_for(lambda: len(workspace.messages("C0GENERAL")) == 2)
    private, public = workspace.messages("C0GENERAL")
    statuses = [requests.post(urls[0], json={"text": "again"}, timeout=10).status_code for _ in range(4)]

    assert (private["plain"], private["ephemeral_to"]) == ("for you", "U0ADMIN")
    assert (public["plain"], "ephemeral_to" in public) == ("for all", False)
    assert statuses == [200, 200, 200, 404]


@pytest.mark.parametrize(
    ("action_id", "value", "chosen"),
    [
        ("show", None, {"type": "button", "value": "p1"}),
        ("pick", "y", {"type": "static_select", "selected_option": option("y")}),
        ("rate", "bad", {"type": "feedback_buttons", "value": "bad"}),
    ],
)
def test_operating_an_element_reaches_the_app_with_message_and_channel(
    workspace: WorkspaceHandle, app: App, connect: Connect, action_id: str, value: str | None, chosen: Json
) -> None:
    bodies: list[Json] = []

    @app.action(action_id)
    def on_action(ack: Ack, body: Json) -> None:
        bodies.append(body)
        ack()

    connect(app)
    workspace.control("settings", {"view_wait_s": 0.01})
    ts = app.client.chat_postMessage(channel="C0GENERAL", text="x", blocks=BUTTONS)["ts"]
    body = {"channel": "C0GENERAL", "user": "U0BOB", "ts": ts, "action_id": action_id}
    outcome = workspace.control("actions", body | ({} if value is None else {"value": value}))
    action = bodies[0]["actions"][0]

    assert outcome["ack"] == {}
    assert {key: action[key] for key in chosen} == chosen
    assert (bodies[0]["user"]["id"], bodies[0]["channel"]["id"]) == ("U0BOB", "C0GENERAL")
    assert (bodies[0]["message"]["ts"], bodies[0]["container"]["message_ts"]) == (ts, ts)


def test_a_button_can_open_a_view_and_replace_its_message(
    workspace: WorkspaceHandle, app: App, connect: Connect
) -> None:
    @app.action("show")
    def show(ack: Ack, body: Json, client: WebClient, respond: Respond) -> None:
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=modal(NOTE))
        respond("shown", replace_original=True)

    connect(app)
    ts = app.client.chat_postMessage(channel="C0GENERAL", text="x", blocks=BUTTONS)["ts"]
    body = {"channel": "C0GENERAL", "user": "U0BOB", "ts": ts, "action_id": "show"}

    assert len(workspace.control("actions", body)["views"]) == 1
    wait_for(lambda: workspace.messages("C0GENERAL")[0]["plain"] == "shown")


def test_a_message_shortcut_carries_its_message(workspace: WorkspaceHandle, app: App, connect: Connect) -> None:
    bodies: list[Json] = []

    @app.shortcut("keep")
    def keep(ack: Ack, body: Json) -> None:
        bodies.append(body)
        ack()

    connect(app)
    workspace.control("settings", {"view_wait_s": 0.01})
    ts = workspace.say("C0GENERAL", "U0ALICE", "worth keeping")
    body = {"channel": "C0GENERAL", "user": "U0BOB", "ts": ts, "callback_id": "keep"}
    outcome = workspace.control("shortcuts", body)

    assert outcome["ack"] == {}
    assert (bodies[0]["type"], bodies[0]["message"]["text"]) == ("message_action", "worth keeping")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("commands", {**COMMAND, "command": "kb"}, 400),
        ("commands", {**COMMAND, "user": "U0OUTSIDER"}, 403),
        ("actions", {"channel": "C0GENERAL", "user": "U0BOB", "ts": "1.000001", "action_id": "x"}, 404),
        ("shortcuts", {"channel": "C0GENERAL", "user": "U0BOB", "ts": "1.000001", "callback_id": "x"}, 404),
        ("views/V0NONE/submit", {"user": "U0ADMIN"}, 404),
    ],
)
def test_what_nobody_could_do_is_refused(workspace: WorkspaceHandle, path: str, body: Json, status: int) -> None:
    with pytest.raises(AssertionError, match=f" {status} "):
        workspace.control(path, body)
