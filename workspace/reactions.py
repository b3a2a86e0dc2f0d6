"""Reactions to messages: the state changes, the pages are told, and the app's events go out."""

import re

from workspace import events
from workspace.errors import SlackError
from workspace.messages import show_again
from workspace.state import Message
from workspace.workspace import Workspace

_NAME = re.compile(r"[a-z0-9_+'-]{1,100}(?:::skin-tone-[2-6])?")
_KINDS_MOST = 23


def react(ws: Workspace, message: Message, user: str, name: str) -> None:
    """Add a reaction; SlackError `invalid_name`, `already_reacted` or `too_many_emoji`."""
    if not _NAME.fullmatch(name):
        raise SlackError("invalid_name")
    if user in message.reactions.get(name, []):
        raise SlackError("already_reacted")
    if name not in message.reactions and len(message.reactions) >= _KINDS_MOST:
        raise SlackError("too_many_emoji")
    message.reactions.setdefault(name, []).append(user)
    _tell(ws, message, user, name, added=True)


def take_back(ws: Workspace, message: Message, user: str, name: str) -> None:
    """Remove one's reaction; SlackError `no_reaction`."""
    users = message.reactions.get(name, [])
    if user not in users:
        raise SlackError("no_reaction")
    users.remove(user)
    if not users:
        del message.reactions[name]
    _tell(ws, message, user, name, added=False)


def _tell(ws: Workspace, message: Message, user: str, name: str, *, added: bool) -> None:
    show_again(ws, message)
    events.reaction_changed(ws, message, user, name, added=added)
