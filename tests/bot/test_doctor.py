"""`footnote doctor` examines Slack's tokens and the rest, tells it to people and programs, and shows no secret."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.checkup import bot_check, manifest_scopes, slack_checks
from bot.cli import app
from bot.lock import only_bot_on
from bot.settings import BotSettings
from retrieval.settings import load
from retrieval.types import Check
from tests.bot.scripted import Scripted
from tests.command_line import footnote
from tests.model_servers.scripted import ScriptedChat, ScriptedModels
from tests.running_workspace import APP_TOKEN, BOT_TOKEN, WorkspaceHandle, running_workspace
from workspace.settings import Settings


def slack(api_url: str, bot_token: str | None = BOT_TOKEN, app_token: str | None = APP_TOKEN) -> dict[str, Check]:
    tokens = {"slack_bot_token": bot_token, "slack_app_token": app_token}
    return {check.subject: check for check in slack_checks(load(BotSettings, {"slack_api_url": api_url, **tokens}))}


def test_good_tokens_are_told_with_team_and_bot(workspace: WorkspaceHandle) -> None:
    checks = slack(workspace.api_url)

    assert {name: check.status for name, check in checks.items()} == {
        "Slack bot token": "ok",
        "Slack scopes": "ok",
        "Slack app token": "ok",
        "Slack events": "look",
    }
    assert checks["Slack bot token"].facts.items() >= {"team": "Local workspace", "bot": "@footnote"}.items()
    assert checks["Slack scopes"].facts["missing"] == []
    assert "app_mention" in str(checks["Slack events"].facts["needed"])


def test_a_running_bot_keeps_its_connection_and_its_events(scripted: Scripted, workspace: WorkspaceHandle) -> None:
    before = workspace.control("state")["connections"]

    assert slack(workspace.api_url)["Slack app token"].status == "ok"

    assert workspace.control("state")["connections"] == before == 1
    assert scripted.reply("C0GENERAL", "U0ALICE", "<@U0FOOTNOTE> still there?")


def test_missing_scopes_are_named_with_the_page_where_to_add_them() -> None:
    granted = [scope for scope in manifest_scopes() if scope not in ("files:read", "im:write")]
    with running_workspace(Settings(scopes=granted)) as workspace:
        check = slack(workspace.api_url)["Slack scopes"]

    assert check.status == "wrong"
    assert check.facts["missing"] == ["files:read", "im:write"]
    assert "files:read, im:write" in check.advice
    assert "OAuth & Permissions" in check.advice


@pytest.mark.parametrize(
    ("bot_token", "app_token", "subject", "advice"),
    [
        ("xoxb-revoked", APP_TOKEN, "Slack bot token", "SLACK_BOT_TOKEN: Slack refuses it (invalid_auth)"),
        (BOT_TOKEN, "xapp-revoked", "Slack app token", "SLACK_APP_TOKEN: Slack refuses it (invalid_auth)"),
        (BOT_TOKEN, None, "Slack app token", "SLACK_APP_TOKEN is not set"),
        (APP_TOKEN, APP_TOKEN, "Slack bot token", "SLACK_BOT_TOKEN must begin with xoxb-"),
    ],
)
def test_a_bad_token_is_told_with_the_page_where_to_get_it(
    workspace: WorkspaceHandle, bot_token: str, app_token: str | None, subject: str, advice: str
) -> None:
    checks = slack(workspace.api_url, bot_token, app_token)

    assert [name for name, check in checks.items() if check.status == "wrong"] == [subject]
    assert advice in checks[subject].advice
    assert "api.slack.com/apps" in checks[subject].advice


def test_a_failing_slack_is_no_refused_token(workspace: WorkspaceHandle) -> None:
    workspace.control("faults", {"kind": "error", "method": "auth.test", "error": "fatal_error", "times": 1})

    check = slack(workspace.api_url)["Slack bot token"]

    assert check.status == "wrong"
    assert "fatal_error" in check.advice
    assert "refuses" not in check.advice


def test_a_slack_that_cannot_be_reached_is_told_with_its_address() -> None:
    with running_workspace() as gone:
        url = gone.api_url

    check = slack(url)["Slack app token"]

    assert check.status == "wrong"
    assert url in check.advice


def test_without_tokens_slack_is_worth_a_look_and_nothing_is_wrong() -> None:
    checks = slack("https://slack.invalid/api/", None, None)

    assert {name: check.status for name, check in checks.items()} == {"Slack": "look"}
    assert "footnote manifest" in checks["Slack"].advice


def test_a_running_bot_is_told(tmp_path: Path) -> None:
    assert bot_check(tmp_path).facts == {"running": False}
    assert list(tmp_path.iterdir()) == []

    with only_bot_on(tmp_path):
        assert bot_check(tmp_path).facts == {"running": True}
    assert bot_check(tmp_path).facts == {"running": False}


def test_a_fresh_checkout_has_nothing_wrong_and_stays_fresh(tmp_path: Path) -> None:
    done = footnote("doctor", "--json", cwd=tmp_path)

    (told,) = done.lines
    assert (done.code, told["holds"]) == (0, True)
    assert all(set(check) == {"subject", "status", "facts", "advice"} for check in told["checks"])
    assert {check["status"] for check in told["checks"]} == {"ok", "look"}
    assert all((check["advice"] is None) == (check["status"] == "ok") for check in told["checks"])
    assert {"DATA_DIR", "CHAT_BASE_URL", "PORT", "Store", "Embedded encoder", "Slack"} <= {
        check["subject"] for check in told["checks"]
    }
    assert list(tmp_path.iterdir()) == []


def test_a_setting_that_cannot_be_read_ends_it_like_every_command(tmp_path: Path) -> None:
    done = footnote("doctor", "--json", data_dir=tmp_path, env={"CHUNK_SIZE": "many"})

    assert (done.code, done.out) == (2, "")
    assert "CHUNK_SIZE" in done.err


@pytest.fixture
def troubled(workspace: WorkspaceHandle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of which some are wrong, and all secrets are tigers."""
    monkeypatch.chdir(tmp_path)
    secrets = {"SLACK_BOT_TOKEN": "xoxb-tiger", "SLACK_APP_TOKEN": "xapp-tiger", "RERANKER_API_KEY": "tiger-key"}
    for name, value in {**secrets, "DATA_DIR": str(tmp_path), "SLACK_API_URL": workspace.api_url}.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("troubled")
def test_people_read_a_table_and_under_it_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedModels(chat=ScriptedChat(model="\x1b[2JQwen3-4B")) as models:
        monkeypatch.setenv("CHAT_BASE_URL", models.chat_url)
        done = CliRunner().invoke(app, ["doctor"])

    table, todo = done.stdout.split("What to do")
    assert done.exit_code == 1
    assert "CHUNK_SIZE" in table
    assert "500 (default)" in table
    assert "RERANKER_API_KEY: does nothing without RERANKER_BASE_URL" in todo
    assert "Slack bot token: SLACK_BOT_TOKEN: Slack refuses it" in todo
    assert todo.index("wrong") < todo.index("look")
    assert "4 wrong, 2 worth a look." in todo
    assert "Qwen3-4B" in table
    assert "tiger" not in done.output
    assert "\x1b" not in done.output  # what a server says does not steer the terminal


@pytest.mark.usefixtures("troubled")
def test_programs_read_the_same_as_json() -> None:
    done = CliRunner().invoke(app, ["doctor", "--json"])

    told = json.loads(done.stdout)
    assert (done.exit_code, told["holds"]) == (1, False)
    wrong = {check["subject"] for check in told["checks"] if check["status"] == "wrong"}
    assert wrong == {"RERANKER_API_KEY", "Slack bot token", "Slack app token"}
    assert "tiger" not in done.output
