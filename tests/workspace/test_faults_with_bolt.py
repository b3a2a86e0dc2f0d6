"""Every ordered fault as a Bolt app lives through it."""

from typing import Any

import pytest
from slack_bolt import Ack, App
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

from tests.running_workspace import Connect, WorkspaceHandle, wait_for
from tests.workspace.raw_app import unacknowledged


@pytest.fixture
def texts(app: App, connect: Connect) -> list[str]:
    """The texts of the messages that the connected app got, in order of arrival."""
    received: list[str] = []
    app.event("message")(lambda event: received.append(event["text"]))
    connect(app)
    return received


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "drop"},
        {"kind": "half_open", "seconds": 60},
        *({"kind": "disconnect", "error": reason} for reason in ("warning", "refresh_requested", "link_disabled")),
    ],
    ids=lambda fault: f"{fault['kind']} {fault.get('error', '')}".strip(),
)
def test_bolt_comes_back_from_every_break_and_gets_what_was_said_since(
    workspace: WorkspaceHandle, texts: list[str], fault: dict[str, Any]
) -> None:
    # A message swallowed by a half-open connection comes again when nobody has acknowledged it.
    workspace.control("settings", {"ack_timeout_s": 0.1, "retry_delays_s": [0.2] * 50})
    workspace.control("faults", fault)
    workspace.say("C0GENERAL", "U0ALICE", "still there?")
    wait_for(lambda: texts and unacknowledged(workspace) == 0)

    assert set(texts) == {"still there?"}


def test_a_duplicate_reaches_the_listener_twice(workspace: WorkspaceHandle, texts: list[str]) -> None:
    workspace.control("faults", {"kind": "duplicate", "times": 2})
    for text in ("one", "two", "three"):
        workspace.say("C0GENERAL", "U0ALICE", text)
    wait_for(lambda: len(texts) == 5 and unacknowledged(workspace) == 0)

    assert sorted(texts) == ["one", "one", "three", "two", "two"]


def test_a_late_event_is_overtaken(workspace: WorkspaceHandle, texts: list[str]) -> None:
    workspace.control("faults", {"kind": "late", "seconds": 1200})
    workspace.say("C0GENERAL", "U0ALICE", "late")
    workspace.say("C0GENERAL", "U0ALICE", "on time")
    wait_for(lambda: texts == ["on time"])
    workspace.control("clock", {"advance_s": 1200})

    wait_for(lambda: texts == ["on time", "late"])


def test_a_rate_limit_is_waited_out_by_slacks_own_handler(workspace: WorkspaceHandle, client: WebClient) -> None:
    client.retry_handlers.append(RateLimitErrorRetryHandler(max_retry_count=1))
    workspace.control("faults", {"kind": "ratelimit", "method": "chat.postMessage", "retry_after": 0.1})

    assert client.chat_postMessage(channel="C0GENERAL", text="patience")["ok"]
    states = [e["state"] for e in workspace.control("traffic")["entries"] if e["name"] == "chat.postMessage"]
    assert states == ["ratelimited", "ok"]


def test_a_doubtful_post_is_there_when_the_app_looks(
    workspace: WorkspaceHandle, client: WebClient, app: App, connect: Connect
) -> None:
    found: list[str] = []

    @app.event("message")
    def answer(event: dict[str, Any]) -> None:
        place = {"channel": event["channel"], "thread_ts": event["ts"]}
        try:
            client.chat_postMessage(**place, text="25 days")
        except SlackApiError as doubt:
            found.append(doubt.response["error"])
            thread = client.conversations_replies(channel=event["channel"], ts=event["ts"])["messages"]
            found.extend(message["text"] for message in thread[1:])

    connect(app)
    fault = {"kind": "error", "method": "chat.postMessage", "error": "fatal_error", "after": True, "times": 1}
    workspace.control("faults", fault)
    workspace.say("C0GENERAL", "U0ALICE", "how many?")

    wait_for(lambda: found == ["fatal_error", "25 days"])


def test_closing_every_view_of_a_stack_is_told_for_each(
    workspace: WorkspaceHandle, client: WebClient, app: App, connect: Connect
) -> None:
    closed: list[tuple[str, bool]] = []
    block = {"type": "section", "text": {"type": "plain_text", "text": "x"}}

    def view(name: str) -> dict[str, Any]:
        title = {"type": "plain_text", "text": name}
        return {"type": "modal", "callback_id": name, "title": title, "blocks": [block], "notify_on_close": True}

    @app.command("/kb")
    def kb(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=view("first"))

    @app.shortcut("push")
    def push(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        client.views_push(trigger_id=body["trigger_id"], view=view("second"))

    def gone(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        closed.append((body["view"]["callback_id"], body["is_cleared"]))

    for name in ("first", "second"):
        app.view_closed(name)(gone)
    app.event("message")(lambda: None)
    connect(app)
    place = {"channel": "C0GENERAL", "user": "U0ALICE"}
    ts = workspace.say("C0GENERAL", "U0ALICE", "hello")
    workspace.control("commands", {**place, "command": "/kb", "text": ""})
    [top] = workspace.control("shortcuts", {**place, "ts": ts, "callback_id": "push"})["views"]
    workspace.control(f"views/{top}/close", {"user": "U0ALICE", "all": True})

    wait_for(lambda: closed == [("second", True), ("first", True)])
    assert workspace.control("state")["views"] == []
