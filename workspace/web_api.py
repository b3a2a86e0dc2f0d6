"""`/api/{method}`: token, body, faults and rates first, then the method, then Slack's answer."""

import json
import math

from aiohttp import web

from workspace.app_keys import WORKSPACE
from workspace.errors import SlackError
from workspace.json_types import Json
from workspace.methods import APP_TOKEN_METHODS, METHODS
from workspace.methods.arguments import Arguments
from workspace.state import APP_TOKEN, BOT_TOKEN
from workspace.workspace import Workspace

_BEARER = "Bearer "


async def call(request: web.Request) -> web.Response:
    """One call of a Web API method; refusals are answers with status 200, as Slack's are."""
    ws, method = request.app[WORKSPACE], request.match_info["method"]
    try:
        if method not in METHODS:
            raise SlackError("unknown_method")
        values = await _body(request)
        _check_token(method, request, values)
        wait_s = _wait_s(ws, method, values)
        if wait_s:
            return _rate_limited(wait_s)
        fault = ws.faults.take("error", method)
        if fault:
            raise SlackError(fault.error)
        return web.json_response({"ok": True, **METHODS[method](ws, Arguments(values, request.host))})
    except SlackError as refusal:
        return web.json_response(refusal.body())


def _wait_s(ws: Workspace, method: str, values: Json) -> float:
    fault = ws.faults.take("ratelimit", method)
    if fault:
        return fault.retry_after_s
    if ws.faults.rate_limits_enforced:
        return ws.rate_limits.wait_s(method, str(values.get("channel")))
    return 0.0


def _rate_limited(wait_s: float) -> web.Response:
    headers = {"Retry-After": str(math.ceil(wait_s))}
    return web.json_response({"ok": False, "error": "ratelimited"}, status=429, headers=headers)


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
    header = request.headers.get("Authorization", "")
    token = header.removeprefix(_BEARER) if header.startswith(_BEARER) else str(values.get("token") or "")
    if not token:
        raise SlackError("not_authed")
    if token not in (BOT_TOKEN, APP_TOKEN):
        raise SlackError("invalid_auth")
    if (token == APP_TOKEN) != (method in APP_TOKEN_METHODS):
        raise SlackError("not_allowed_token_type")
