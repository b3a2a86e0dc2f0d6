"""Environment and .env to the settings of the Slack edge."""

import re
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from retrieval.errors import ConfigurationError

BOT_VARIABLE = "SLACK_BOT_TOKEN"
APP_VARIABLE = "SLACK_APP_TOKEN"
_GROUP = re.compile(r"S[A-Z0-9]+")
_WHERE = {
    BOT_VARIABLE: "api.slack.com/apps > your app > OAuth & Permissions > Bot User OAuth Token",
    APP_VARIABLE: "api.slack.com/apps > your app > Basic Information > App-Level Tokens (scope connections:write)",
}


class BotSettings(BaseSettings):
    """What the bot needs to know beside the settings of retrieval."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True, env_ignore_empty=True)

    slack_bot_token: str | None = Field(default=None, description="Bot token (xoxb-...)", repr=False)
    slack_app_token: str | None = Field(
        default=None, description="App-level token with the scope connections:write (xapp-...)", repr=False
    )
    slack_api_url: str = Field(default="https://slack.com/api/", description="Base address of Slack's Web API")
    admin_users: Annotated[frozenset[str], NoDecode] = Field(
        default=frozenset(),
        description="Ids of those who may manage documents, by commas; unset: the workspace's admins and owners",
    )

    admin_usergroup: str | None = Field(
        default=None, description="Id of a Slack user group (S...) whose members may manage documents as well"
    )

    @field_validator("admin_users", mode="before")
    @classmethod
    def _by_commas(cls, value: object) -> object:
        return frozenset(value.replace(",", " ").split()) if isinstance(value, str) else value

    @field_validator("admin_usergroup")
    @classmethod
    def _group(cls, value: str | None) -> str | None:
        if value and not _GROUP.fullmatch(value):
            raise ValueError("must be the id of a user group, which begins with S; its @handle does not do")
        return value

    @field_validator("slack_api_url")
    @classmethod
    def _address(cls, value: str) -> str:
        if not value.startswith(("https://", "http://")):
            raise ValueError("must be an address that begins with https://")
        return value if value.endswith("/") else f"{value}/"

    @property
    def bot_token(self) -> str:
        """Raises ConfigurationError when it is missing or no bot token."""
        return _checked(BOT_VARIABLE, self.slack_bot_token, "xoxb-")

    @property
    def app_token(self) -> str:
        """Raises ConfigurationError when it is missing or no app-level token."""
        return _checked(APP_VARIABLE, self.slack_app_token, "xapp-")


def refused_token(variable: str, error: str) -> ConfigurationError:
    """The error for a token that Slack itself refused."""
    return ConfigurationError(f"{variable}: Slack refuses it ({error}); get a new one at {_WHERE[variable]}")


def _checked(variable: str, token: str | None, prefix: str) -> str:
    if not token:
        raise ConfigurationError(f"{variable} is not set; get it at {_WHERE[variable]}")
    if not token.strip().startswith(prefix):
        raise ConfigurationError(f"{variable} must begin with {prefix}; get it at {_WHERE[variable]}")
    return token.strip()
