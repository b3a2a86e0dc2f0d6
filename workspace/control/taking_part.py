"""Channels that people make, join and leave, and their reactions to messages."""

from aiohttp import web

from workspace.app_keys import WORKSPACE
from workspace.channels import make_channel, shown_channel
from workspace.control.requests import Body, channel_and_person, message_shown_to, read_body
from workspace.errors import ControlError, SlackError
from workspace.members import join as join_channel
from workspace.members import leave as leave_channel
from workspace.reactions import react, take_back
from workspace.state import TEAM_ID, Channel
from workspace.workspace import Workspace

_REFUSALS = {
    "name_taken": "There is a channel of that name already.",
    "invalid_name_specials": "A channel's name has 1 to 80 small letters, digits, hyphens and underscores.",
    "already_reacted": "This person has reacted so already.",
    "no_reaction": "This person has not reacted so.",
    "invalid_name": "There is no such emoji.",
    "too_many_emoji": "A message takes 23 different reactions at most.",
}


def routes() -> list[web.RouteDef]:
    """The routes of this module."""
    return [
        web.post("/control/channels", create),
        web.post("/control/members", join),
        web.delete("/control/members", leave),
        web.post("/control/reactions", add_reaction),
        web.delete("/control/reactions", remove_reaction),
    ]


async def create(request: web.Request) -> web.Response:
    """Make a channel; without `members` everybody of the organisation is in it, but not the bot."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    members = body.fields.get(
        "members", [p.id for p in ws.state.people.values() if not p.is_bot and p.team_id == TEAM_ID]
    )
    if not isinstance(members, list) or not members or not all(user in ws.state.people for user in members):
        raise ControlError(400, "invalid_members", "members must be a list of one id of a person or more.")
    try:
        made = make_channel(ws, body.text("name"), members, private=body.fields.get("private") is True)
    except SlackError as refusal:
        raise _refused(refusal) from None
    return web.json_response({"channel": shown_channel(made)})


async def join(request: web.Request) -> web.Response:
    """Make a person, or the bot, a member of a channel."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    channel, user = _named_channel(ws, body)
    if user not in channel.members:
        join_channel(ws, channel, user)
    return web.json_response({})


async def leave(request: web.Request) -> web.Response:
    """Let a person, or the bot, leave a channel."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    channel, user = _named_channel(ws, body)
    if user in channel.members:
        leave_channel(ws, channel, user)
    return web.json_response({})


def _named_channel(ws: Workspace, body: Body) -> tuple[Channel, str]:
    channel, user = ws.state.channels.get(body.text("channel")), body.text("user")
    if channel is None or not channel.is_named or user not in ws.state.people:
        raise ControlError(404, "not_found", "There is no such channel or nobody of that name.")
    return channel, user


async def add_reaction(request: web.Request) -> web.Response:
    """React to a message as a person."""
    return await _change_reaction(request, added=True)


async def remove_reaction(request: web.Request) -> web.Response:
    """Take a person's reaction back."""
    return await _change_reaction(request, added=False)


async def _change_reaction(request: web.Request, *, added: bool) -> web.Response:
    ws, body = request.app[WORKSPACE], await read_body(request)
    channel, person = channel_and_person(ws, body)
    message = message_shown_to(ws, channel, body.text("ts"), person)
    try:
        (react if added else take_back)(ws, message, person.id, body.text("name"))
    except SlackError as refusal:
        raise _refused(refusal) from None
    return web.json_response({})


def _refused(refusal: SlackError) -> ControlError:
    return ControlError(409, refusal.name, _REFUSALS[refusal.name])
