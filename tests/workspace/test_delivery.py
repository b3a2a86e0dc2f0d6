"""Envelopes over Slack's own socket client: shapes, acks, redelivery."""

import asyncio
import contextlib
import threading
from typing import Any

import pytest
from aiohttp import ClientSession
from slack_bolt import App
from slack_sdk import WebClient

from tests.running_workspace import APP_TOKEN, Connect, WorkspaceHandle, wait_for
from tests.workspace.raw_app import ConnectRaw, RawApp, unacknowledged


def test_hello_tells_how_many_connections_there_are(quick: WorkspaceHandle, connect_raw: ConnectRaw) -> None:
    first, second = (connect_raw().of_type("hello")[0] for _ in range(2))

    assert (first["num_connections"], second["num_connections"]) == (1, 2)
    assert second["connection_info"] == {"app_id": "A0FOOTNOTE"}
    wait_for(lambda: quick.control("state")["connections"] == 2)


def test_an_event_envelope_has_slacks_shape(quick: WorkspaceHandle, raw: RawApp) -> None:
    quick.say("C0GENERAL", "U0ALICE", "hello")
    envelope = wait_for(raw.of_events)[0]
    raw.ack(envelope["envelope_id"])
    payload = envelope["payload"]

    assert envelope["accepts_response_payload"] is False
    assert (envelope["retry_attempt"], envelope["retry_reason"]) == (0, "")
    assert (payload["type"], payload["team_id"], payload["api_app_id"]) == (
        "event_callback",
        "T0LOCAL",
        "A0FOOTNOTE",
    )
    assert payload["event"]["text"] == "hello"
    assert payload["event_id"].startswith("Ev")
    assert isinstance(payload["event_time"], int)


def test_an_unacknowledged_event_comes_four_times_and_then_no_more(quick: WorkspaceHandle, raw: RawApp) -> None:
    quick.say("C0GENERAL", "U0ALICE", "hello")
    wait_for(lambda: unacknowledged(quick) == 0)
    deliveries = raw.of_events()

    assert [d["retry_attempt"] for d in deliveries] == [0, 1, 2, 3]
    assert [d["retry_reason"] for d in deliveries] == ["", "timeout", "timeout", "timeout"]
    assert len({d["payload"]["event_id"] for d in deliveries}) == 1


def test_an_ack_ends_the_redelivery(quick: WorkspaceHandle, raw: RawApp) -> None:
    quick.control("settings", {"retry_delays_s": [0, 600]})
    quick.say("C0GENERAL", "U0ALICE", "hello")
    envelope = wait_for(lambda: [f for f in raw.of_events() if f["retry_attempt"] == 1])[0]
    raw.ack(envelope["envelope_id"])
    wait_for(lambda: unacknowledged(quick) == 0)

    assert [d["retry_attempt"] for d in raw.of_events()] == [0, 1]


def test_a_command_comes_once_only(quick: WorkspaceHandle, raw: RawApp) -> None:
    body = {"channel": "C0GENERAL", "user": "U0ALICE", "command": "/kb", "text": "help"}

    assert quick.control("commands", body) == {"ack": None, "views": []}
    assert len(raw.of_type("slash_commands")) == 1
    assert unacknowledged(quick) == 0


def test_an_event_waits_for_the_app_to_connect(quick: WorkspaceHandle, connect_raw: ConnectRaw) -> None:
    quick.say("C0GENERAL", "U0ALICE", "early")
    envelope = wait_for(connect_raw().of_events)[0]

    assert envelope["payload"]["event"]["text"] == "early"


def test_each_event_goes_to_one_of_the_connections(quick: WorkspaceHandle, connect_raw: ConnectRaw) -> None:
    quick.control("settings", {"ack_timeout_s": 60})
    apps = [connect_raw(), connect_raw()]
    wait_for(lambda: quick.control("state")["connections"] == 2)
    for n in range(6):
        quick.say("C0GENERAL", "U0ALICE", str(n))
    wait_for(lambda: sum(len(app.of_events()) for app in apps) == 6)

    assert all(app.of_events() for app in apps)


async def first_frames(quick: WorkspaceHandle, count: int) -> list[dict[str, Any]]:
    """The first frame of each of so many connections that are open at once."""
    web_client = WebClient(base_url=quick.api_url)
    async with ClientSession() as session, contextlib.AsyncExitStack() as opened:
        frames = []
        for _ in range(count):
            url = web_client.apps_connections_open(app_token=APP_TOKEN)["url"]
            socket = await opened.enter_async_context(session.ws_connect(url))
            frames.append(await socket.receive_json())
        return frames


def test_the_eleventh_connection_is_turned_away(quick: WorkspaceHandle) -> None:
    frames = asyncio.run(first_frames(quick, 11))

    assert [frame["type"] for frame in frames] == ["hello"] * 10 + ["disconnect"]
    assert frames[10]["reason"] == "too_many_websockets"


def test_an_ack_above_slacks_frame_size_closes_the_connection(quick: WorkspaceHandle, raw: RawApp) -> None:
    raw.ack("some-envelope", {"text": "x" * 21_000})

    wait_for(lambda: quick.control("state")["connections"] == 0)


def test_fifty_messages_at_once_are_each_delivered_once(workspace: WorkspaceHandle, connect: Connect) -> None:
    app = App(client=WebClient(token="xoxb-local", base_url=workspace.api_url))
    seen: list[str] = []
    app.event("message")(lambda event: seen.append(event["ts"]))
    connect(app)
    stamps: list[str] = []
    threads = [
        threading.Thread(target=lambda: stamps.append(workspace.say("C0GENERAL", "U0ALICE", "hello")))
        for _ in range(50)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_for(lambda: len(seen) >= 50 and unacknowledged(workspace) == 0)

    assert sorted(seen) == sorted(stamps)
    assert len(set(stamps)) == 50


def test_a_reset_forgets_everything_but_the_connection(quick: WorkspaceHandle, raw: RawApp) -> None:
    quick.control("faults", {"kind": "error", "method": "auth.test", "times": 9})
    quick.say("C0GENERAL", "U0ALICE", "hello")
    quick.control("reset", {})
    state = quick.control("state")

    assert quick.messages("C0GENERAL") == []
    assert (state["unacknowledged"], state["connections"]) == (0, 1)
    assert WebClient(token="xoxb-local", base_url=quick.api_url).auth_test()["ok"]


def test_settings_change_while_it_runs_and_nonsense_is_refused(quick: WorkspaceHandle, raw: RawApp) -> None:
    quick.control("settings", {"retry_delays_s": [], "hints": ["Try me"]})
    quick.say("C0GENERAL", "U0ALICE", "hello")
    wait_for(lambda: unacknowledged(quick) == 0)

    assert len(raw.of_events()) == 1
    assert quick.control("state")["hints"] == ["Try me"]
    for nonsense in ({"gravity": 0}, {"ack_timeout_s": "long"}, {"hints": [1]}):
        with pytest.raises(AssertionError, match=" 400 "):
            quick.control("settings", nonsense)
