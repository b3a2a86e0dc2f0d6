"""The workspace's clock, moved on by a test that does not want to wait."""

import time
from typing import Any

import pytest
from slack_bolt import Ack, App
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.running_workspace import Connect, WorkspaceHandle, wait_for
from tests.workspace.block_kit import NOTE, modal
from tests.workspace.raw_app import RawApp, unacknowledged

HOUR_S = 3600


def test_messages_and_events_are_stamped_by_it(quick: WorkspaceHandle, raw: RawApp) -> None:
    quick.advance(HOUR_S)
    ts = quick.say("C0GENERAL", "U0ALICE", "an hour later")
    payload = wait_for(raw.of_events)[0]["payload"]

    assert float(ts) - time.time() == pytest.approx(HOUR_S, abs=60)
    assert (payload["event"]["ts"], payload["event_time"]) == (ts, int(float(ts)))


def test_timestamps_rise_even_when_it_is_set_back(workspace: WorkspaceHandle) -> None:
    workspace.advance(HOUR_S)
    first = workspace.say("C0GENERAL", "U0ALICE", "later")
    clock = workspace.control("clock", {"offset_s": -HOUR_S})

    assert clock["offset_s"] == -HOUR_S
    assert clock["now"] < time.time() - HOUR_S + 60
    assert float(workspace.say("C0GENERAL", "U0ALICE", "earlier")) > float(first)


def test_a_late_event_comes_when_its_time_has_come(quick: WorkspaceHandle, raw: RawApp) -> None:
    quick.control("faults", {"kind": "late", "seconds": 1200})
    ts = quick.say("C0GENERAL", "U0ALICE", "twenty minutes late")
    quick.advance(1199)
    assert raw.of_events() == []
    quick.advance(1)
    event = wait_for(raw.of_events)[0]["payload"]["event"]

    assert event["ts"] == ts


def test_a_redelivery_comes_when_its_time_has_come(quick: WorkspaceHandle, raw: RawApp) -> None:
    quick.control("settings", {"retry_delays_s": [300]})
    quick.say("C0GENERAL", "U0ALICE", "hello")
    wait_for(raw.of_events)

    def redelivered() -> bool:
        # The pause begins only once the ack is overdue.
        quick.advance(300)
        return len(raw.of_events()) == 2

    wait_for(redelivered)
    wait_for(lambda: unacknowledged(quick) == 0)

    assert [frame["retry_attempt"] for frame in raw.of_events()] == [0, 1]


def test_a_trigger_runs_out_by_it(workspace: WorkspaceHandle, client: WebClient, app: App, connect: Connect) -> None:
    refusals: list[str] = []

    @app.command("/kb")
    def kb(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        workspace.advance(4)
        with pytest.raises(SlackApiError) as refusal:
            client.views_open(trigger_id=body["trigger_id"], view=modal(NOTE))
        refusals.append(refusal.value.response["error"])

    connect(app)
    workspace.control("settings", {"view_wait_s": 0.01})
    workspace.control("commands", {"channel": "C0GENERAL", "user": "U0ADMIN", "command": "/kb", "text": ""})

    wait_for(lambda: refusals == ["expired_trigger_id"])


def test_a_status_line_runs_out_by_it(workspace: WorkspaceHandle, client: WebClient) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "question")
    client.assistant_threads_setStatus(channel_id="C0GENERAL", thread_ts=ts, status="is thinking")
    assert workspace.control("state")["status"] == {f"C0GENERAL:{ts}": "is thinking"}
    workspace.advance(121)

    assert workspace.control("state")["status"] == {}


def test_slacks_rates_follow_it(workspace: WorkspaceHandle, client: WebClient) -> None:
    workspace.control("faults", {"kind": "ratelimit", "method": "*"})
    for _ in range(20):
        client.usergroups_list()
    with pytest.raises(SlackApiError, match="ratelimited"):
        client.usergroups_list()
    workspace.advance(60)

    assert client.usergroups_list()["ok"]


def test_a_reset_sets_it_right(workspace: WorkspaceHandle) -> None:
    workspace.advance(HOUR_S)
    workspace.control("reset", {})

    assert float(workspace.say("C0GENERAL", "U0ALICE", "now")) == pytest.approx(time.time(), abs=60)


@pytest.mark.parametrize("body", [{"advance_s": "soon"}, {"offset_s": True}])
def test_nonsense_is_refused(workspace: WorkspaceHandle, body: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match=" 400 "):
        workspace.control("clock", body)
