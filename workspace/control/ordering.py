"""Faults, settings, the clock and resets, as a test orders them."""

from aiohttp import web

from workspace.app_keys import WORKSPACE
from workspace.control.requests import read_body
from workspace.errors import ControlError
from workspace.faults import CONNECTION_KINDS, PAGE_KIND
from workspace.json_types import Json


def routes() -> list[web.RouteDef]:
    """The routes of this module."""
    return [
        web.post("/control/faults", fault),
        web.post("/control/settings", settings),
        web.post("/control/clock", clock),
        web.post("/control/reset", reset),
    ]


async def fault(request: web.Request) -> web.Response:
    """Order a fault; those of connections strike at once."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    ordered = ws.faults.order(body.fields)
    if ordered.kind in CONNECTION_KINDS:
        await ws.link.strike(ordered)
    elif ordered.kind == PAGE_KIND:
        ws.feed.cut()
    return web.json_response({})


async def settings(request: web.Request) -> web.Response:
    """Change Slack's times, what the app is configured with, or the page's hints."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    ws.settings.change(body.fields)
    ws.views.trigger_life_s = ws.settings.trigger_life_s
    ws.feed.publish("settings", {"hints": ws.settings.hints, "shortcuts": ws.settings.shortcuts})
    return web.json_response({})


async def clock(request: web.Request) -> web.Response:
    """Move the workspace's clock on by `advance_s`, or set it `offset_s` ahead of the machine's."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    offset_s = _seconds(body.fields, "offset_s", ws.clock.offset_s) + _seconds(body.fields, "advance_s", 0.0)
    ws.clock.move_to(offset_s)
    return web.json_response({"now": ws.clock(), "offset_s": offset_s})


def _seconds(fields: Json, key: str, default: float) -> float:
    value = fields.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ControlError(400, "invalid_clock", f"{key} must be a number of seconds, not {value!r}.")
    return float(value)


async def reset(request: web.Request) -> web.Response:
    """Everything as after start; settings and connections stay."""
    request.app[WORKSPACE].reset()
    return web.json_response({})
