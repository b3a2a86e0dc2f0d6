"""The record of what went between the workspace and the app."""

import json
from typing import Any

import pytest
import requests
from slack_bolt import App
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.running_workspace import APP_TOKEN, BOT_TOKEN, Connect, WorkspaceHandle, wait_for
from tests.workspace.raw_app import ConnectRaw, RawApp, unacknowledged
from workspace.traffic import KEPT_MOST


def entries(workspace: WorkspaceHandle, kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = workspace.control("traffic")["entries"]
    return [entry for entry in found if entry["kind"] == kind]


def whole(workspace: WorkspaceHandle, entry: dict[str, Any]) -> dict[str, Any]:
    return workspace.control(f"traffic/{entry['number']}")


def test_a_call_is_kept_with_its_answer_and_without_the_token(workspace: WorkspaceHandle) -> None:
    body = {"channel": "C0GENERAL", "text": "hello", "token": BOT_TOKEN}
    requests.post(f"{workspace.api_url}chat.postMessage", data=body, timeout=10)
    [call] = entries(workspace, "call")

    assert (call["name"], call["note"], call["state"]) == ("chat.postMessage", "C0GENERAL · hello", "ok")
    assert call["took_ms"] >= 0
    assert whole(workspace, call)["sent"] == {"channel": "C0GENERAL", "text": "hello"}
    assert whole(workspace, call)["answer"]["message"]["text"] == "hello"
    assert BOT_TOKEN not in json.dumps(whole(workspace, call))


def test_a_refused_call_shows_its_error(workspace: WorkspaceHandle, client: WebClient) -> None:
    with pytest.raises(SlackApiError):
        client.chat_postMessage(channel="C0NOWHERE", text="hello")

    assert [call["state"] for call in entries(workspace, "call")] == ["channel_not_found"]


def test_an_envelope_is_kept_with_its_ack(workspace: WorkspaceHandle, app: App, connect: Connect) -> None:
    app.event("message")(lambda: None)
    app.command("/kb")(lambda ack: ack("Only admins may do that."))
    connect(app)
    workspace.control("settings", {"view_wait_s": 0.01})
    workspace.say("C0GENERAL", "U0ALICE", "hello")
    workspace.control("commands", {"channel": "C0GENERAL", "user": "U0BOB", "command": "/kb", "text": "list"})
    wait_for(lambda: unacknowledged(workspace) == 0)
    by_name = {envelope["name"]: envelope for envelope in entries(workspace, "envelope")}
    command = whole(workspace, by_name["/kb"])

    assert (by_name["message"]["note"], by_name["message"]["state"]) == ("hello", "ok")
    assert by_name["message"]["took_ms"] >= 0
    assert command["sent"]["payload"]["text"] == "list"
    assert command["answer"]["payload"] == {"text": "Only admins may do that."}
    assert APP_TOKEN not in json.dumps(workspace.control("traffic"))


def test_an_envelope_nobody_acknowledges_is_shown_as_such(quick: WorkspaceHandle, raw: RawApp) -> None:
    quick.say("C0GENERAL", "U0ALICE", "hello")
    wait_for(lambda: unacknowledged(quick) == 0)
    [envelope] = entries(quick, "envelope")

    assert (envelope["state"], envelope["attempts"]) == ("unanswered", 4)
    assert len(raw.of_events()) == 4


def test_connections_come_and_go_in_it(quick: WorkspaceHandle, connect_raw: ConnectRaw) -> None:
    connect_raw(reconnect=True)
    quick.control("faults", {"kind": "disconnect", "error": "warning"})

    wait_for(lambda: [e["name"] for e in entries(quick, "socket")] == ["hello", "disconnect", "hello", "closed"])
    assert entries(quick, "socket")[1]["note"] == "warning"


def test_it_is_bounded_and_long_bodies_are_cut(workspace: WorkspaceHandle, client: WebClient) -> None:
    client.chat_postMessage(channel="C0GENERAL", text="x" * 39_000)
    first = entries(workspace, "call")[0]
    cut = whole(workspace, first)["sent"]
    for _ in range(KEPT_MOST):
        client.auth_test()

    assert (len(cut["cut"]) < 21_000, cut["characters"] > 39_000) == (True, True)
    assert len(workspace.control("traffic")["entries"]) == KEPT_MOST
    with pytest.raises(AssertionError, match=" 404 "):
        whole(workspace, first)
