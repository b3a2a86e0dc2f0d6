"""What the page and tests look at: the state, live changes, files."""

import contextlib

from aiohttp import web

from workspace.app_keys import WORKSPACE
from workspace.errors import ControlError
from workspace.files import as_attachment
from workspace.json_types import Json
from workspace.state import BOT_USER, Channel
from workspace.wire import channel_object, user_object
from workspace.workspace import Workspace


def routes() -> list[web.RouteDef]:
    """The routes of this module."""
    return [
        web.get("/control/state", state),
        web.get("/control/events", events),
        web.get("/control/files/{id}", file),
    ]


async def state(request: web.Request) -> web.Response:
    """Who and what there is, and how the app's connections stand."""
    ws = request.app[WORKSPACE]
    statuses = ws.state.statuses()
    return web.json_response(
        {
            "channels": [_channel(channel) for channel in ws.state.channels.values()],
            "users": [user_object(person, with_locale=True) for person in ws.state.people.values()],
            "connections": ws.link.connections,
            "unacknowledged": ws.link.unacknowledged,
            "status": {key: status.text for key, status in statuses.items()},
            "loading_messages": {key: status.loading_messages for key, status in statuses.items()},
            "views": ws.views.ids(),
            "open_views": _open_views(ws),
            "bot_user": BOT_USER,
            "hints": ws.settings.hints,
        }
    )


def _channel(channel: Channel) -> Json:
    return {**channel_object(channel), "members": channel.members}


def _open_views(ws: Workspace) -> list[Json]:
    opened = [ws.views.get(view_id) for view_id in ws.views.ids()]
    return [{"view": view.body["id"], "user": view.user} for view in opened if view]


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
