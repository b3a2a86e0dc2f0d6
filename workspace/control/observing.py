"""What the page and tests look at: the state, live changes, files, Home tabs, traffic."""

import contextlib

from aiohttp import web

from workspace import events as app_events
from workspace.app_keys import WORKSPACE
from workspace.channels import shown_channel
from workspace.control.requests import person_in, read_body
from workspace.errors import ControlError
from workspace.files import as_attachment
from workspace.json_types import Json
from workspace.state import BOT_USER, Channel
from workspace.wire import user_object
from workspace.workspace import Workspace


def routes() -> list[web.RouteDef]:
    """The routes of this module."""
    return [
        web.get("/control/state", state),
        web.get("/control/events", events),
        web.get("/control/files/{id}", file),
        web.post("/control/home", open_home),
        web.get("/control/home", home),
        web.get("/control/traffic", traffic),
        web.get("/control/traffic/{number}", traffic_entry),
    ]


async def state(request: web.Request) -> web.Response:
    """Who and what there is, and how the app's connections stand."""
    ws = request.app[WORKSPACE]
    statuses = ws.state.statuses()
    return web.json_response(
        {
            "channels": [_channel(ws, channel) for channel in ws.state.channels.values()],
            "users": [user_object(person, with_locale=True) for person in ws.state.people.values()],
            "connections": ws.link.connections,
            "unacknowledged": ws.link.unacknowledged,
            "status": {key: status.text for key, status in statuses.items()},
            "loading_messages": {key: status.loading_messages for key, status in statuses.items()},
            "views": ws.views.ids(),
            "open_views": _open_views(ws),
            "bot_user": BOT_USER,
            "hints": ws.settings.hints,
            "shortcuts": ws.settings.shortcuts,
            "user_groups": [{"id": g.id, "handle": g.handle, "name": g.name} for g in ws.state.user_groups.values()],
            "now": ws.clock(),
        }
    )


def _channel(ws: Workspace, channel: Channel) -> Json:
    shown = ws.state.visible(channel.id)
    latest = {"ts": shown[-1].ts, "user": shown[-1].user} if shown else None
    return {**shown_channel(channel), "latest": latest}


def _open_views(ws: Workspace) -> list[Json]:
    opened = [ws.views.get(view_id) for view_id in ws.views.ids()]
    return [{"view": view.body["id"], "user": view.user, "body": view.body} for view in opened if view]


async def events(request: web.Request) -> web.StreamResponse:
    """Every change from now on, as server-sent events."""
    headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    try:
        async with contextlib.aclosing(request.app[WORKSPACE].feed.watch()) as changes:
            async for change in changes:
                await response.write(change.encode())
    except ConnectionError:
        return response
    return response


async def file(request: web.Request) -> web.Response:
    """A file as a person downloads it."""
    stored = request.app[WORKSPACE].files.get(request.match_info["id"])
    if stored is None:
        raise ControlError(404, "file_not_found", "There is no such file.")
    return as_attachment(stored)


async def open_home(request: web.Request) -> web.Response:
    """A person opens the app's Home tab, or with `tab` "messages" its messages: `app_home_opened`."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    person, tab = person_in(ws, body), str(body.fields.get("tab") or "home")
    if tab not in ("home", "messages"):
        raise ControlError(400, "invalid_tab", "tab must be home or messages.")
    app_events.home_opened(ws, person.id, tab)
    return web.json_response({})


async def home(request: web.Request) -> web.Response:
    """What the app has published for a person: Slack's view object, or null."""
    published = request.app[WORKSPACE].views.home(request.query.get("user", ""))
    return web.json_response({"view": published.body if published else None})


async def traffic(request: web.Request) -> web.Response:
    """What went between the workspace and the app lately, oldest first, without the bodies."""
    return web.json_response({"entries": [e.summary() for e in request.app[WORKSPACE].traffic.entries()]})


async def traffic_entry(request: web.Request) -> web.Response:
    """One entry with what was sent and answered."""
    number = request.match_info["number"]
    entry = request.app[WORKSPACE].traffic.get(int(number)) if number.isdecimal() else None
    if entry is None:
        raise ControlError(404, "entry_not_found", "That entry is no longer kept.")
    return web.json_response(entry.whole())
