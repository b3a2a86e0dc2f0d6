"""Wrong settings are told in one line that says where to get the right ones."""

import pytest

from bot.settings import BotSettings
from retrieval.errors import ConfigurationError
from retrieval.settings import load


def test_admins_are_given_by_commas() -> None:
    assert load(BotSettings, {"admin_users": "U1, U2,,U3"}).admin_users == {"U1", "U2", "U3"}


def test_admins_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADMIN_USERS", "U1,U2")

    assert load(BotSettings).admin_users == {"U1", "U2"}


def test_the_address_ends_with_a_slash() -> None:
    assert load(BotSettings, {"slack_api_url": "http://127.0.0.1:1/api"}).slack_api_url == "http://127.0.0.1:1/api/"


@pytest.mark.parametrize(
    ("overrides", "variable", "where"),
    [
        ({"slack_bot_token": None}, "SLACK_BOT_TOKEN is not set", "OAuth & Permissions"),
        ({"slack_bot_token": "xapp-1"}, "SLACK_BOT_TOKEN must begin with xoxb-", "OAuth & Permissions"),
        ({"slack_app_token": None}, "SLACK_APP_TOKEN is not set", "App-Level Tokens"),
        ({"slack_app_token": "xoxb-1"}, "SLACK_APP_TOKEN must begin with xapp-", "App-Level Tokens"),
    ],
)
def test_a_missing_or_wrong_token_names_the_variable_and_the_page(
    overrides: dict[str, str | None], variable: str, where: str
) -> None:
    settings = load(BotSettings, {"slack_bot_token": "xoxb-1", "slack_app_token": "xapp-1", **overrides})

    with pytest.raises(ConfigurationError) as error:
        _ = settings.bot_token, settings.app_token

    assert variable in str(error.value)
    assert where in str(error.value)
    assert "\n" not in str(error.value)


def test_an_address_without_a_scheme_is_told() -> None:
    with pytest.raises(ConfigurationError, match="SLACK_API_URL"):
        load(BotSettings, {"slack_api_url": "slack.com/api"})


def test_tokens_are_never_shown() -> None:
    assert "secret" not in repr(load(BotSettings, {"slack_bot_token": "xoxb-secret", "slack_app_token": "xapp-secret"}))


def test_the_admins_group_is_given_by_its_id() -> None:
    assert load(BotSettings, {"admin_usergroup": "S0ADMINS"}).admin_usergroup == "S0ADMINS"
    with pytest.raises(ConfigurationError, match="ADMIN_USERGROUP"):
        load(BotSettings, {"admin_usergroup": "@admins"})
