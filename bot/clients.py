"""Token and address to the Slack clients this bot calls with, and what their errors mean."""

import http.client
import json
import re
from dataclasses import dataclass

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import ConnectionErrorRetryHandler

from bot.rates import HeldClient, Holds
from bot.settings import BOT_VARIABLE, BotSettings, refused_token
from retrieval.errors import ServiceUnavailable

CONNECTION_ERRORS = (OSError, http.client.HTTPException, json.JSONDecodeError)
"""What the Slack client raises when no answer came: refused, reset, timed out, cut off."""

_TOKEN_ERRORS = (
    "invalid_auth",
    "not_authed",
    "account_inactive",
    "token_revoked",
    "token_expired",
    "not_allowed_token_type",
)
_PASSING_ERRORS = ("fatal_error", "internal_error", "request_timeout", "service_unavailable", "team_added_to_org")
_CODE = re.compile(r"[a-z0-9_]+")
_ONCE_TIMEOUT_S = 10
_QUICK_TIMEOUT_S = 1


@dataclass(frozen=True, slots=True)
class Clients:
    """One client a way of failing. All of them keep to Slack's rate limits, method by method.

    `reader` repeats calls after lost connections, passing errors and rate limits, `writer` after rate limits only
    because a repeated post could be seen twice. `once` never repeats, nor does `quick`, which waits a second at most.
    """

    reader: WebClient
    writer: WebClient
    once: WebClient
    quick: WebClient

    @classmethod
    def of(cls, settings: BotSettings) -> "Clients":
        """Clients for the bot token. Raises ConfigurationError when it is missing."""
        token, url, holds = settings.bot_token, settings.slack_api_url, Holds()
        reader = HeldClient(token, url, holds, patient=True, may_repeat=is_passing)
        reader.retry_handlers.append(ConnectionErrorRetryHandler())
        return cls(
            reader=reader,
            writer=HeldClient(token, url, holds, patient=True),
            once=HeldClient(token, url, holds, patient=False, timeout_s=_ONCE_TIMEOUT_S),
            quick=HeldClient(token, url, holds, patient=False, timeout_s=_QUICK_TIMEOUT_S),
        )


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the bot is, as `auth.test` says."""

    user_id: str
    bot_id: str
    name: str
    team: str
    team_id: str
    enterprise_id: str | None


def identify(client: WebClient) -> Identity:
    """Who the token belongs to. Raises ConfigurationError for a refused token, ServiceUnavailable without an answer."""
    try:
        answer = client.auth_test()
    except SlackApiError as error:
        if error_code(error) in _TOKEN_ERRORS:
            raise refused_token(BOT_VARIABLE, error_code(error)) from None
        raise ServiceUnavailable(f"Slack answered {error_code(error)} at {client.base_url}") from None
    except CONNECTION_ERRORS as error:
        raise ServiceUnavailable(f"Slack does not answer at {client.base_url} (SLACK_API_URL): {error}") from None
    return Identity(
        user_id=str(answer["user_id"]),
        bot_id=str(answer.get("bot_id") or ""),
        name=str(answer.get("user") or ""),
        team=str(answer.get("team") or ""),
        team_id=str(answer["team_id"]),
        enterprise_id=answer.get("enterprise_id"),
    )


def is_token_error(error: SlackApiError) -> bool:
    """Whether Slack refused the token itself."""
    return error_code(error) in _TOKEN_ERRORS


def error_code(error: SlackApiError) -> str:
    """Slack's name of the error, or `http_502` where the answer was none of Slack's."""
    code = str(error.response.get("error"))
    return code if _CODE.fullmatch(code) else f"http_{error.response.status_code}"


def is_rate_limited(error: SlackApiError) -> bool:
    """Whether Slack did nothing but ask for patience."""
    return error.response.status_code == 429 or error_code(error) == "ratelimited"


def is_passing(error: SlackApiError) -> bool:
    """Whether Slack failed by itself, so that the call may have had its effect and another may succeed."""
    return error_code(error) in _PASSING_ERRORS or error.response.status_code >= 500
