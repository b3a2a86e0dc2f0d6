"""Faults, settings and resets, as a test orders them."""

from aiohttp import web

from workspace.app_keys import WORKSPACE
from workspace.control.requests import read_body
from workspace.faults import CONNECTION_KINDS


def routes() -> list[web.RouteDef]:
    """The routes of this module."""
    return [
        web.post("/control/faults", fault),
        web.post("/control/settings", settings),
        web.post("/control/reset", reset),
    ]


async def fault(request: web.Request) -> web.Response:
    """Order a fault; those of connections strike at once."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    ordered = ws.faults.order(body.fields)
    if ordered.kind in CONNECTION_KINDS:
        await ws.link.strike(ordered)
    return web.json_response({})


async def settings(request: web.Request) -> web.Response:
    """Change Slack's times or the page's hints."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    ws.settings.change(body.fields)
    ws.views.trigger_life_s = ws.settings.trigger_life_s
    ws.feed.publish("settings", {"hints": ws.settings.hints})
    return web.json_response({})


async def reset(request: web.Request) -> web.Response:
    """Everything as after start; settings and connections stay."""
    request.app[WORKSPACE].reset()
    return web.json_response({})
