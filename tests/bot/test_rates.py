"""A rate limit of Slack's is kept to, by every client, for its method alone."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from slack_sdk.errors import SlackApiError

from bot.clients import Clients
from bot.rates import HeldClient, Holds, RateLimited
from bot.settings import BotSettings
from tests.running_workspace import BOT_TOKEN, WorkspaceHandle


@dataclass
class Time:
    """A clock that whoever waits moves on."""

    now: float = 0.0
    waited: list[float] = field(default_factory=list)

    def pause(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.now += seconds


@pytest.fixture
def limited(workspace: WorkspaceHandle) -> Callable[[str, float], None]:
    def order(method: str, retry_after: float) -> None:
        workspace.control("faults", {"kind": "ratelimit", "method": method, "times": 1, "retry_after": retry_after})

    return order


def test_a_patient_client_waits_as_long_as_slack_says_and_then_succeeds(
    workspace: WorkspaceHandle, limited: Callable[[str, float], None]
) -> None:
    time = Time()
    holds = Holds(clock=lambda: time.now, pause=time.pause)
    client = HeldClient(BOT_TOKEN, workspace.api_url, holds, patient=True)
    limited("users.info", 7)

    assert client.users_info(user="U0ALICE")["ok"]
    assert time.waited == [7.0]


def test_other_clients_keep_to_it_and_other_methods_go_on(
    workspace: WorkspaceHandle, limited: Callable[[str, float], None]
) -> None:
    clients = Clients.of(BotSettings(slack_bot_token=BOT_TOKEN, slack_api_url=workspace.api_url))
    limited("users.info", 60)

    with pytest.raises(SlackApiError, match="ratelimited"):
        clients.quick.users_info(user="U0ALICE")

    with pytest.raises(RateLimited, match=r"users\.info"):
        clients.once.users_info(user="U0ALICE")
    assert clients.once.conversations_info(channel="C0GENERAL")["ok"]


def test_a_hold_is_never_shortened_by_a_later_answer() -> None:
    time = Time()
    holds = Holds(clock=lambda: time.now, pause=time.pause)
    holds.hold("users.info", 30)
    holds.hold("users.info", 1)

    assert holds.left_s("users.info") == 30
    holds.wait("users.info")
    assert time.now == 30


def test_a_reader_repeats_what_failed_in_passing_and_nothing_else(workspace: WorkspaceHandle) -> None:
    clients = Clients.of(BotSettings(slack_bot_token=BOT_TOKEN, slack_api_url=workspace.api_url))
    fault = {"kind": "error", "method": "users.info"}
    workspace.control("faults", {**fault, "error": "internal_error"})

    assert clients.reader.users_info(user="U0ALICE")["ok"]
    workspace.control("faults", {**fault, "error": "missing_scope"})
    with pytest.raises(SlackApiError, match="missing_scope"):
        clients.reader.users_info(user="U0ALICE")
