"""Who gets answers, and from which documents."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.access import DECLINED_OUTSIDER, Access, Home
from bot.admin_group import AdminGroup
from bot.clients import Clients, identify
from bot.settings import BotSettings
from retrieval.types import Viewer
from tests.bot.scripted import Scripted, running_bot
from tests.running_workspace import BOT_TOKEN, WorkspaceHandle, running_workspace, wait_for


@pytest.mark.parametrize(
    ("channel", "user", "says"),
    [
        ("D0GUEST", "U0GUEST", "only talk with its members"),
        ("C0GENERAL", "U0GUEST", "only talk with its members"),
        ("C0EXT", "U0OUTSIDER", "only talk with its own members"),
        ("C0EXT", "U0ALICE", "shared with another organisation"),
    ],
)
def test_guests_other_teams_and_shared_channels_are_declined_once_and_asked_nothing(
    scripted: Scripted, channel: str, user: str, says: str
) -> None:
    question = f"@footnote what does {user} earn in {channel}?"

    ts = scripted.say(channel, user, question)

    assert says in scripted.workspace.wait_for_reply(channel, ts)["plain"]
    scripted.reply("D0BOB", "U0BOB", "are you through?")
    assert len(scripted.workspace.replies_of_bot(channel, ts)) == 1
    assert not any("earn" in conversation.question for conversation, _ in scripted.pipeline.asked)


def test_someone_declined_is_not_told_again_for_every_remark_in_the_thread(scripted: Scripted) -> None:
    ts = scripted.say("C0GENERAL", "U0GUEST", "@footnote where is the key?")
    scripted.workspace.wait_for_reply("C0GENERAL", ts)

    scripted.say("C0GENERAL", "U0GUEST", "what a pity", thread_ts=ts)
    scripted.reply("D0BOB", "U0BOB", "are you through?")

    assert len(scripted.workspace.replies_of_bot("C0GENERAL", ts)) == 1


@pytest.mark.parametrize(
    ("channel", "user", "viewer"),
    [
        ("D0ADMIN", "U0ADMIN", Viewer.admin()),
        ("C0GENERAL", "U0ADMIN", Viewer()),
        ("D0ALICE", "U0ALICE", Viewer()),
    ],
)
def test_admins_see_admin_documents_in_private_only(
    scripted: Scripted, channel: str, user: str, viewer: Viewer
) -> None:
    question = f"who is {user} in {channel}?"
    scripted.reply(channel, user, f"@footnote {question}")

    assert scripted.pipeline.last(question)[1] == viewer


def test_with_a_list_of_admins_the_list_alone_decides(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path, admins="U0ALICE") as scripted:
        assert scripted.command("U0ADMIN", "upload") == []
        assert len(scripted.command("U0ALICE", "upload")) == 1
        assert wait_for(lambda: scripted.private("U0ADMIN"))[0].startswith("Only admins")


def test_who_cannot_be_looked_up_gets_no_answer_but_an_apology(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        workspace.control("faults", {"kind": "error", "method": "users.info", "error": "missing_scope"})

        reply = scripted.reply("D0ALICE", "U0ALICE", "am I known?")

        assert "incident" in reply["plain"]
        assert scripted.pipeline.asked == []


@pytest.fixture
def access() -> Iterator[Callable[[str], Access]]:
    """Access as it is for a bot of the given team."""
    with running_workspace() as workspace:
        settings = BotSettings(slack_bot_token=BOT_TOKEN, slack_api_url=workspace.api_url)
        clients = Clients.of(settings)
        home = identify(clients.reader)
        yield lambda team: Access(clients, Home(team or home.team_id))


def test_people_of_another_team_are_outsiders(access: Callable[[str], Access]) -> None:
    assert access("").declined("U0ALICE", shared_channel=False) is None
    assert access("T0OTHER").declined("U0ALICE", shared_channel=False) == DECLINED_OUTSIDER


def test_someone_slack_does_not_know_is_an_outsider(access: Callable[[str], Access]) -> None:
    assert access("").declined("U0NOBODY", shared_channel=False) == DECLINED_OUTSIDER
    assert not access("").is_admin("U0NOBODY")


@pytest.fixture
def by_group() -> Iterator[tuple[WorkspaceHandle, Callable[..., Access], list[float]]]:
    """A workspace, access by its user group of admins, and the clock that the group is remembered by."""
    with running_workspace() as workspace:
        clients = Clients.of(BotSettings(slack_bot_token=BOT_TOKEN, slack_api_url=workspace.api_url))
        now = [0.0]

        def access(group: str = "S0ADMINS", users: str = "") -> Access:
            members = AdminGroup(clients.quick, group, clock=lambda: now[0])
            return Access(clients, Home(identify(clients.reader).team_id), frozenset(users.split()), members)

        yield workspace, access, now


ByGroup = tuple[WorkspaceHandle, Callable[..., Access], list[float]]


def admins(access: Access) -> list[str]:
    return [user for user in ("U0ADMIN", "U0ALICE", "U0BOB", "U0GUEST") if access.is_admin_now(user)]


def test_the_members_of_the_admins_group_and_those_listed_are_the_admins(by_group: ByGroup) -> None:
    _, access, _ = by_group

    assert admins(access()) == ["U0ADMIN"]
    assert admins(access(users="U0ALICE U0GUEST")) == ["U0ADMIN", "U0ALICE"]


def test_a_group_that_slack_does_not_tell_of_leaves_those_listed_or_the_workspaces_admins(
    by_group: ByGroup, caplog: pytest.LogCaptureFixture
) -> None:
    _, access, _ = by_group

    assert admins(access("S0NOBODY")) == ["U0ADMIN"]
    assert admins(access("S0NOBODY", "U0BOB")) == ["U0BOB"]
    assert [
        record.message
        for record in caplog.records
        if "ADMIN_USERGROUP" in record.message and "S0NOBODY" in record.message
    ]


def test_the_group_is_asked_for_once_a_minute(by_group: ByGroup) -> None:
    workspace, access, now = by_group
    asking = access(users="U0BOB")
    for _ in range(3):
        assert admins(asking) == ["U0ADMIN", "U0BOB"]
    workspace.control("faults", {"kind": "error", "method": "usergroups.users.list", "error": "missing_scope"})
    assert admins(asking) == ["U0ADMIN", "U0BOB"]

    now[0] += 61
    assert admins(asking) == ["U0BOB"]
    now[0] += 61
    assert admins(asking) == ["U0ADMIN", "U0BOB"]


def test_the_bot_goes_by_the_group_that_is_set(tmp_path: Path) -> None:
    with (
        running_workspace() as workspace,
        running_bot(workspace, tmp_path, admins="U0ALICE", group="S0ADMINS") as scripted,
    ):
        assert len(scripted.command("U0ADMIN", "upload")) == 1
        assert scripted.command("U0BOB", "upload") == []
