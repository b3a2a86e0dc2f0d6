"""Slack's two tokens to checks: accepted, of which workspace, allowed to do what the bot does."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]  # its stubs would be one more dependency for one file
from filelock import FileLock, Timeout
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.clients import CONNECTION_ERRORS, error_code, is_token_error
from bot.lock import BOT_LOCK
from bot.settings import APP_VARIABLE, BOT_VARIABLE, BotSettings, refused_token
from retrieval.errors import FootnoteError, ServiceUnavailable
from retrieval.types import Check, Facts

_TIMEOUT_S = 4
_SCOPES_HEADER = "x-oauth-scopes"
_SILENT = logging.getLogger(f"{__name__}.client")
_SILENT.setLevel(logging.CRITICAL)  # what goes wrong stands in the check
_YOUR_APP = "api.slack.com/apps > your app"


def slack_checks(settings: BotSettings) -> Iterator[Check]:
    """Both tokens are tried; no connection is opened, so that a running bot keeps its events."""
    if not (settings.slack_bot_token or settings.slack_app_token):
        yield Check("Slack", "look", {"tokens": "not set"}, _NO_TOKENS)
        return
    yield from _told("Slack bot token", _bot_checks, settings)
    yield from _told("Slack app token", _app_checks, settings)
    yield Check("Slack events", "look", {"needed": sorted(_manifest_events())}, _EVENTS_UNSEEN)


_NO_TOKENS = "footnote run needs two tokens of an app, which footnote manifest helps to make; the demo needs none"
_EVENTS_UNSEEN = (
    "tokens do not tell which events the app gets; compare once what is needed with"
    f" {_YOUR_APP} > Event Subscriptions > Subscribe to bot events"
)


def _told(subject: str, examine: Callable[[str, BotSettings], list[Check]], settings: BotSettings) -> list[Check]:
    try:
        return examine(subject, settings)
    except FootnoteError as error:
        return [Check(subject, "wrong", advice=str(error))]


def _bot_checks(subject: str, settings: BotSettings) -> list[Check]:
    client = _client(settings, settings.bot_token)
    answer, latency_ms = _answered(client.auth_test, BOT_VARIABLE, settings)
    facts: Facts = {
        "team": str(answer.get("team") or ""),
        "bot": f"@{answer.get('user') or ''}",
        "latency_ms": latency_ms,
    }
    return [Check(subject, "ok", facts), _scopes_check(answer.headers)]


def _app_checks(subject: str, settings: BotSettings) -> list[Check]:
    client, token = (
        WebClient(base_url=settings.slack_api_url, timeout=_TIMEOUT_S, retry_handlers=[]),
        settings.app_token,
    )
    _, latency_ms = _answered(lambda: client.apps_connections_open(app_token=token), APP_VARIABLE, settings)
    return [Check(subject, "ok", {"socket_mode": "offered", "latency_ms": latency_ms})]


def _client(settings: BotSettings, token: str | None = None) -> WebClient:
    return WebClient(token, settings.slack_api_url, timeout=_TIMEOUT_S, retry_handlers=[], logger=_SILENT)


def _scopes_check(headers: Mapping[str, Any]) -> Check:
    told = headers.get(_SCOPES_HEADER)
    if told is None:
        return Check(
            "Slack scopes", "look", {}, f"Slack does not tell them; compare with {_YOUR_APP} > OAuth & Permissions"
        )
    granted = {scope.strip() for scope in str(told).split(",")}
    missing = [scope for scope in manifest_scopes() if scope not in granted]
    if not missing:
        return Check("Slack scopes", "ok", {"granted": len(granted), "missing": missing})
    advice = (
        f"the bot may not do all it must: add {', '.join(missing)} at {_YOUR_APP} > OAuth & Permissions > Scopes, then"
        " press Reinstall to Workspace"
    )
    return Check("Slack scopes", "wrong", {"granted": len(granted), "missing": missing}, advice)


def _answered(call: Callable[[], SlackResponse], variable: str, settings: BotSettings) -> tuple[SlackResponse, int]:
    """What Slack answers, and after how many ms. Raises ConfigurationError, ServiceUnavailable."""
    began_s = time.monotonic()
    try:
        return call(), round((time.monotonic() - began_s) * 1000)
    except SlackApiError as error:
        code = error_code(error)
        if is_token_error(error):
            raise refused_token(variable, code) from None
        raise ServiceUnavailable(f"{variable}: Slack answers {code}; {_REMEDIES.get(code, _TRY_AGAIN)}") from None
    except CONNECTION_ERRORS as error:
        raise ServiceUnavailable(
            f"{variable}: Slack does not answer at {settings.slack_api_url} ({error}); check the network, a proxy, and"
            " SLACK_API_URL"
        ) from None


_TRY_AGAIN = "try again in a minute, and look at status.slack.com"
_REMEDIES = {
    "missing_scope": f"give the app-level token the scope connections:write at {_YOUR_APP} > Basic Information",
    "ratelimited": "wait a minute",
}


def manifest_scopes() -> Sequence[str]:
    """The scopes that the app's manifest asks for."""
    return [str(scope) for scope in _manifest()["oauth_config"]["scopes"]["bot"]]


def manifest_shortcuts() -> dict[str, str]:
    """The names of the app's shortcuts by their callback ids."""
    return {str(one["callback_id"]): str(one["name"]) for one in _manifest()["features"]["shortcuts"]}


def _manifest_events() -> Sequence[str]:
    return [str(event) for event in _manifest()["settings"]["event_subscriptions"]["bot_events"]]


def _manifest() -> dict[str, Any]:
    manifest: dict[str, Any] = yaml.safe_load(resources.files("bot").joinpath("manifest.yaml").read_text("utf-8"))
    return manifest


def bot_check(data_dir: Path) -> Check:
    """Whether a bot runs on the data folder."""
    return Check("Bot", "ok", {"running": _is_held(data_dir / BOT_LOCK)})


def _is_held(lock: Path) -> bool:
    if not lock.exists():
        return False
    try:
        with FileLock(lock, timeout=0, thread_local=False):
            return False
    except Timeout:
        return True
