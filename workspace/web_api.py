"""`/api/{method}`: token, body, faults and rates first, then the method, then Slack's answer."""

import json
import math
import time

from aiohttp import web

from workspace.app_keys import WORKSPACE
from workspace.errors import SlackError
from workspace.json_types import Json
from workspace.methods import APP_TOKEN_METHODS, METHODS
from workspace.methods.arguments import Arguments
from workspace.state import APP_TOKEN, BOT_TOKEN
from workspace.workspace import Workspace

_BEARER = "Bearer "
_APP_SCOPES = ("connections:write",)


async def call(request: web.Request) -> web.Response:
    """One call of a Web API method; refusals are answers with status 200, as Slack's are."""
    ws, method = request.app[WORKSPACE], request.match_info["method"]
    began_s = time.monotonic()
    values: Json = {}
    try:
        values = await _body(request)
        entry = ws.traffic.note("call", method, _shown(values), note=_note(values))
    except SlackError as refusal:
        return web.json_response(refusal.body())
    wait_s = 0.0
    try:
        _check_call(method, request, values)
        wait_s = _wait_s(ws, method, values)
        answer = _limited() if wait_s else _carried_out(ws, method, Arguments(values, request.host))
    except SlackError as refusal:
        answer = refusal.body()
    ws.traffic.end(entry, "ok" if answer["ok"] else str(answer["error"]), answer, time.monotonic() - began_s)
    headers = _scopes(ws, _token(request, values))
    if wait_s:
        return web.json_response(answer, status=429, headers={**headers, "Retry-After": str(math.ceil(wait_s))})
    return web.json_response(answer, headers=headers)


def _carried_out(ws: Workspace, method: str, args: Arguments) -> Json:
    fault = ws.faults.take("error", method)
    if fault and not fault.after:
        raise SlackError(fault.error)
    answer = METHODS[method](ws, args)
    if fault:
        raise SlackError(fault.error)
    return {"ok": True, **answer}


def _limited() -> Json:
    return {"ok": False, "error": "ratelimited"}


def _check_call(method: str, request: web.Request, values: Json) -> None:
    if method not in METHODS:
        raise SlackError("unknown_method")
    _check_token(method, request, values)


def _shown(values: Json) -> Json:
    return {key: value for key, value in values.items() if key != "token"}


def _note(values: Json) -> str:
    """The words that tell one call of a method from another."""
    said = (values.get(key) for key in ("channel", "channel_id", "user", "status", "text", "markdown_text", "name"))
    return " · ".join(str(part) for part in said if part)


def _wait_s(ws: Workspace, method: str, values: Json) -> float:
    fault = ws.faults.take("ratelimit", method)
    if fault:
        return fault.retry_after_s
    if ws.faults.rate_limits_enforced:
        return ws.rate_limits.wait_s(method, str(values.get("channel")))
    return 0.0


async def _body(request: web.Request) -> Json:
    """The arguments: of the address, and of a form or a JSON body."""
    values: Json = dict(request.query)
    if request.content_type == "application/json" and request.can_read_body:
        try:
            given = await request.json()
        except ValueError:
            raise SlackError("invalid_json") from None
        if not isinstance(given, dict):
            raise SlackError("json_not_object")
        return {**values, **given}
    values.update(await request.post())
    return {name: _listed(name, value) for name, value in values.items()}


def _listed(name: str, value: object) -> object:
    """Of a form, a list comes as JSON or with commas between."""
    if name != "loading_messages" or not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value.split(",")


def _check_token(method: str, request: web.Request, values: Json) -> None:
    token = _token(request, values)
    if not token:
        raise SlackError("not_authed")
    if token not in (BOT_TOKEN, APP_TOKEN):
        raise SlackError("invalid_auth")
    if (token == APP_TOKEN) != (method in APP_TOKEN_METHODS):
        raise SlackError("not_allowed_token_type")


def _token(request: web.Request, values: Json) -> str:
    header = request.headers.get("Authorization", "")
    return header.removeprefix(_BEARER) if header.startswith(_BEARER) else str(values.get("token") or "")


def _scopes(ws: Workspace, token: str) -> dict[str, str]:
    """The header in which Slack tells with every answer what the caller's token may do."""
    scopes = {BOT_TOKEN: ws.settings.scopes, APP_TOKEN: _APP_SCOPES}.get(token)
    return {} if scopes is None else {"x-oauth-scopes": ",".join(scopes)}
