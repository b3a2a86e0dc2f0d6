"""Messages as people write, read, edit and delete them."""

from aiohttp import web

from workspace import messages
from workspace.app_keys import WORKSPACE
from workspace.control.requests import Body, channel_and_person, message_shown_to, read_body
from workspace.errors import ControlError
from workspace.state import Message
from workspace.workspace import Workspace


def routes() -> list[web.RouteDef]:
    """The routes of this module."""
    return [
        web.post("/control/messages", write),
        web.get("/control/messages", read),
        web.patch("/control/messages/{channel}/{ts}", change),
        web.delete("/control/messages/{channel}/{ts}", remove),
    ]


async def write(request: web.Request) -> web.Response:
    """Post as a person, with files where the body has them."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    channel, person = channel_and_person(ws, body)
    thread_ts = body.fields.get("thread_ts") or None
    if thread_ts and ws.state.find(channel.id, str(thread_ts)) is None:
        raise ControlError(404, "thread_not_found", f"There is no message {thread_ts} in {channel.id}.")
    text = str(body.fields.get("text") or "")
    files = [ws.files.add(name, content, person.id, channel=channel).id for name, content in body.files]
    posted = messages.post_typed(ws, channel, person.id, text, thread_ts=thread_ts, files=files)
    return web.json_response({"ts": posted.ts})


async def read(request: web.Request) -> web.Response:
    """A channel's messages, replies and ephemeral ones included, or those of one thread; oldest first."""
    ws, channel = request.app[WORKSPACE], request.query.get("channel", "")
    if channel not in ws.state.channels:
        raise ControlError(404, "channel_not_found", f"There is no channel {channel}.")
    found = ws.state.messages[channel]
    thread_ts = request.query.get("thread_ts")
    if thread_ts:
        found = [m for m in found if thread_ts in (m.ts, m.thread_ts)]
    return web.json_response({"messages": [messages.shown_message(ws, m) for m in found]})


async def change(request: web.Request) -> web.Response:
    """Edit one's own message."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    message = _own_message(ws, request, body)
    messages.edit_typed(ws, message, body.text("text"))
    return web.json_response({})


async def remove(request: web.Request) -> web.Response:
    """Delete one's own message."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    messages.delete(ws, _own_message(ws, request, body))
    return web.json_response({})


def _own_message(ws: Workspace, request: web.Request, body: Body) -> Message:
    body.fields["channel"] = request.match_info["channel"]
    channel, person = channel_and_person(ws, body)
    message = message_shown_to(ws, channel, request.match_info["ts"], person)
    if message.user != person.id:
        raise ControlError(403, "cant_update_message", "Only one's own messages can be changed.")
    return message
