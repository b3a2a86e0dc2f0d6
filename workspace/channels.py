"""Channels that are made while the workspace runs."""

import re
import secrets
from collections.abc import Sequence

from workspace.errors import SlackError
from workspace.json_types import Json
from workspace.state import BOT_USER, Channel
from workspace.wire import channel_object
from workspace.workspace import Workspace

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_NAME_MOST_CHARS = 80
GROUP_MOST_PEOPLE = 8


def shown_channel(channel: Channel) -> Json:
    """A channel as the control API and the page have it: Slack's fields and its members."""
    return {**channel_object(channel), "members": channel.members}


def make_channel(ws: Workspace, name: str, members: Sequence[str], *, private: bool) -> Channel:
    """A new channel; SlackError `invalid_name_specials` or `name_taken`."""
    if not _NAME.fullmatch(name) or len(name) > _NAME_MOST_CHARS:
        raise SlackError("invalid_name_specials")
    if ws.state.channel_named(name):
        raise SlackError("name_taken")
    channel = Channel(_new_id(), name, list(members), "group" if private else "channel", created=int(ws.clock()))
    return _announced(ws, channel)


def group_direct(ws: Workspace, people: Sequence[str]) -> tuple[Channel, bool]:
    """The bot's direct messages with these people together, and whether they were there before."""
    wanted = {*people, BOT_USER}
    for channel in ws.state.channels.values():
        if channel.kind == "mpim" and set(channel.members) == wanted:
            return channel, True
    members = [*sorted(wanted - {BOT_USER}), BOT_USER]
    name = f"mpdm-{'--'.join(ws.state.people[user].name for user in members)}-1"
    return _announced(ws, Channel(_new_id(), name, members, "mpim", created=int(ws.clock()))), False


def _announced(ws: Workspace, channel: Channel) -> Channel:
    ws.feed.publish("channel", {"channel": shown_channel(ws.state.add_channel(channel))})
    return channel


def _new_id() -> str:
    return f"C0{secrets.token_hex(4).upper()}"
