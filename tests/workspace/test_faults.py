"""Ordered faults, as apps meet them."""

from typing import Any

import pytest
import requests
from slack_bolt import App
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.running_workspace import Connect, WorkspaceHandle, wait_for
from tests.workspace.raw_app import ConnectRaw, RawApp, unacknowledged
from workspace.rate_limits import RateLimits


def test_a_duplicated_event_has_the_same_envelope(quick: WorkspaceHandle, raw: RawApp) -> None:
    quick.control("faults", {"kind": "duplicate"})
    quick.say("C0GENERAL", "U0ALICE", "hello")
    wait_for(lambda: len(raw.of_events()) >= 2)
    first, second = raw.of_events()[:2]

    assert first == second


def test_a_late_event_is_overtaken_and_comes_all_the_same(quick: WorkspaceHandle, raw: RawApp) -> None:
    def texts() -> set[str]:
        return {frame["payload"]["event"]["text"] for frame in raw.of_events()}

    for seconds, text in ((60, "much later"), (0.01, "a little later")):
        quick.control("faults", {"kind": "late", "seconds": seconds})
        quick.say("C0GENERAL", "U0ALICE", text)
    quick.say("C0GENERAL", "U0ALICE", "on time")
    wait_for(lambda: texts() == {"a little later", "on time"})

    assert unacknowledged(quick) >= 1


def test_a_disconnect_is_announced_and_the_app_comes_back(quick: WorkspaceHandle, connect_raw: ConnectRaw) -> None:
    app = connect_raw(reconnect=True)
    quick.control("faults", {"kind": "disconnect", "error": "warning"})
    wait_for(lambda: len(app.of_type("hello")) == 2)
    quick.say("C0GENERAL", "U0ALICE", "still there?")
    wait_for(app.of_events)

    assert app.of_type("disconnect")[0]["reason"] == "warning"


def test_a_disconnected_app_that_stays_is_cut_off(quick: WorkspaceHandle, raw: RawApp) -> None:
    quick.control("faults", {"kind": "half_open", "seconds": 0.05})

    wait_for(lambda: quick.control("state")["connections"] == 0)


def test_after_a_drop_bolt_comes_back_and_gets_what_it_missed(quick: WorkspaceHandle, connect: Connect) -> None:
    app = App(client=WebClient(token="xoxb-local", base_url=quick.api_url))
    texts: list[str] = []
    app.event("message")(lambda event: texts.append(event["text"]))
    connect(app)
    quick.control("faults", {"kind": "drop"})
    wait_for(lambda: quick.control("state")["connections"] == 0)
    quick.say("C0GENERAL", "U0ALICE", "meanwhile")

    wait_for(lambda: "meanwhile" in texts)


def test_a_half_open_connection_swallows_events_and_leaves_pings_unanswered(
    quick: WorkspaceHandle, raw: RawApp
) -> None:
    quick.control("faults", {"kind": "half_open"})
    quick.say("C0GENERAL", "U0ALICE", "hello?")
    wait_for(lambda: unacknowledged(quick) == 0)
    # The client finds out by itself that no pong comes, and closes.
    wait_for(lambda: quick.control("state")["connections"] == 0)

    assert raw.of_events() == []


def test_an_ordered_error_strikes_so_often_and_only_its_method(workspace: WorkspaceHandle, client: WebClient) -> None:
    fault = {"kind": "error", "method": "chat.postMessage", "times": 2, "error": "fatal_error"}
    workspace.control("faults", fault)
    assert client.auth_test()["ok"]
    for _ in range(2):
        with pytest.raises(SlackApiError, match="fatal_error"):
            client.chat_postMessage(channel="C0GENERAL", text="x")

    assert client.chat_postMessage(channel="C0GENERAL", text="x")["ok"]
    assert len(workspace.messages("C0GENERAL")) == 1


def test_a_call_can_take_effect_and_answer_with_an_error_all_the_same(
    workspace: WorkspaceHandle, client: WebClient
) -> None:
    fault = {"kind": "error", "method": "chat.postMessage", "error": "internal_error", "after": True}
    workspace.control("faults", fault)
    with pytest.raises(SlackApiError, match="internal_error"):
        client.chat_postMessage(channel="C0GENERAL", text="doubtful")

    assert [message["plain"] for message in workspace.messages("C0GENERAL")] == ["doubtful"]


def test_an_app_gets_only_events_it_subscribed_to(quick: WorkspaceHandle, raw: RawApp) -> None:
    quick.control("settings", {"events": ["app_mention"]})
    quick.say("C0GENERAL", "U0ALICE", "@footnote hello")
    wait_for(lambda: raw.of_events() and unacknowledged(quick) == 0)

    assert {frame["payload"]["event"]["type"] for frame in raw.of_events()} == {"app_mention"}


def test_the_streams_of_pages_can_be_cut_and_come_back(workspace: WorkspaceHandle) -> None:
    for _ in range(2):
        with requests.get(f"{workspace.url}/control/events", stream=True, timeout=10) as stream:
            lines = stream.iter_lines()
            assert b": connected" in (next(lines), next(lines))
            workspace.control("faults", {"kind": "page"})
            assert b"data" not in b"".join(lines)


def test_an_ordered_rate_limit_answers_429_with_retry_after(workspace: WorkspaceHandle, client: WebClient) -> None:
    workspace.control("faults", {"kind": "ratelimit", "method": "chat.postMessage", "retry_after": 7})
    with pytest.raises(SlackApiError) as refusal:
        client.chat_postMessage(channel="C0GENERAL", text="x")

    assert refusal.value.response.status_code == 429
    assert refusal.value.response["error"] == "ratelimited"
    assert refusal.value.response.headers["Retry-After"] == "7"
    assert client.chat_postMessage(channel="C0GENERAL", text="x")["ok"]


def test_slacks_rates_are_enforced_when_ordered(workspace: WorkspaceHandle, client: WebClient) -> None:
    for _ in range(21):
        client.conversations_list()
    workspace.control("faults", {"kind": "ratelimit", "method": "*"})
    for _ in range(20):
        client.conversations_list()
    with pytest.raises(SlackApiError, match="ratelimited"):
        client.conversations_list()


def test_posts_are_limited_to_one_a_second_in_each_channel() -> None:
    now = [100.0]
    limits = RateLimits(lambda: now[0])

    assert limits.wait_s("chat.postMessage", "C1") == 0
    assert limits.wait_s("chat.postMessage", "C2") == 0
    now[0] += 0.25
    assert limits.wait_s("chat.postMessage", "C1") == 0.75
    now[0] += 0.75
    assert limits.wait_s("chat.postMessage", "C1") == 0


@pytest.mark.parametrize(
    "fault", [{}, {"kind": "earthquake"}, {"kind": "late", "seconds": "soon"}, {"kind": "error", "times": -1}]
)
def test_a_senseless_fault_is_refused(workspace: WorkspaceHandle, fault: dict[str, Any]) -> None:
    answer = requests.post(f"{workspace.url}/control/faults", json=fault, timeout=10)

    assert answer.status_code == 400
    assert answer.json()["message"]
