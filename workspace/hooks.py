"""What an app posts to a response_url, to a message for the person who acted, or for the channel."""

from aiohttp import web

from workspace.app_keys import WORKSPACE
from workspace.blocks import checked_message_blocks
from workspace.errors import SlackError
from workspace.interactions import answer_in_channel
from workspace.json_types import Json
from workspace.messages import delete, edit
from workspace.response_urls import Answerable
from workspace.state import BOT_USER, Message
from workspace.workspace import Workspace


async def answer(request: web.Request) -> web.Response:
    """One answer; Slack says plain `ok`, 404 to an address that is used up, 400 to blocks it refuses."""
    ws = request.app[WORKSPACE]
    given = ws.response_urls.use(request.match_info["secret"])
    if given is None:
        return web.json_response({"ok": False, "error": "used_url"}, status=404)
    try:
        body = await request.json()
    except ValueError:
        return web.json_response({"ok": False, "error": "invalid_payload"}, status=400)
    try:
        _apply(ws, given, body if isinstance(body, dict) else {})
    except SlackError as refusal:
        return web.json_response(refusal.body(), status=400)
    return web.Response(text="ok")


def _apply(ws: Workspace, given: Answerable, body: Json) -> None:
    original = _original(ws, given)
    if original and body.get("delete_original"):
        delete(ws, original)
    elif original and body.get("replace_original"):
        blocks = checked_message_blocks(body["blocks"]) if body.get("blocks") else []
        edit(ws, original, str(body.get("text", "")), blocks, editor=BOT_USER)
    elif body.get("text") or body.get("blocks"):
        answer_in_channel(ws, given.channel, given.user, body)
    else:
        raise SlackError("no_text")


def _original(ws: Workspace, given: Answerable) -> Message | None:
    return ws.state.find_shown(given.channel, given.message_ts) if given.message_ts else None
