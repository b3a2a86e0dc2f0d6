"""The connection comes back by itself, and says so when it cannot."""

import logging

import pytest
from slack_bolt import App
from slack_sdk import WebClient

from bot.connection import Connection
from tests.bot.scripted import Scripted
from tests.running_workspace import APP_TOKEN, BOT_TOKEN, WorkspaceHandle, running_workspace, wait_for


def connected(workspace: WorkspaceHandle, *, dead_after_s: float = 60.0) -> Connection:
    app = App(client=WebClient(BOT_TOKEN, workspace.api_url), raise_error_for_unhandled_request=True)
    connection = Connection(app, APP_TOKEN, dead_after_s=dead_after_s)
    connection.open()
    return connection


def test_when_slack_stays_away_the_connection_is_told_to_be_lost() -> None:
    with running_workspace() as workspace:
        connection = connected(workspace, dead_after_s=0.5)
        assert not connection.lost.is_set()

    assert connection.lost.wait(30)
    connection.close()


@pytest.mark.parametrize("kind", ["drop", "half_open", "disconnect"])
def test_a_broken_connection_is_replaced_by_exactly_one(kind: str) -> None:
    with running_workspace() as workspace:
        connection = connected(workspace)
        tickets = _opened(workspace)
        workspace.control("faults", {"kind": kind, "seconds": 0.0} if kind == "disconnect" else {"kind": kind})

        wait_for(lambda: _opened(workspace) > tickets)
        wait_for(lambda: workspace.control("state")["connections"] == 1)

        assert not connection.lost.is_set()
        connection.close()


def test_another_bot_on_the_same_token_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    with running_workspace() as workspace:
        first = connected(workspace)
        with caplog.at_level(logging.WARNING, "bot"):
            second = connected(workspace)

        assert any("another bot with the same app token" in record.getMessage() for record in caplog.records)
        first.close()
        second.close()


def _opened(workspace: WorkspaceHandle) -> int:
    """How many connections Slack has been asked for."""
    entries = workspace.control("traffic")["entries"]
    return sum(entry["name"] == "apps.connections.open" for entry in entries)


def test_events_that_nobody_listens_to_are_acknowledged_all_the_same(scripted: Scripted) -> None:
    ts = scripted.say("C0HR", "U0ALICE", "lunch at noon?")

    scripted.workspace.control("reactions", {"channel": "C0HR", "user": "U0BOB", "ts": ts, "name": "eyes"})

    calls = scripted.workspace.control("traffic", method="GET")
    assert "reaction_added" in str(calls)
    wait_for(lambda: scripted.workspace.control("state", method="GET")["unacknowledged"] == 0)
