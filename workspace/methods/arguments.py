"""A method's arguments, from a form or a JSON body, to values of the right type."""

import json
from typing import Any

from workspace.errors import SlackError
from workspace.json_types import Json
from workspace.state import BOT_USER, Channel, Person
from workspace.workspace import Workspace

_TRUE = (True, 1, "1", "true", "True")


class Arguments:
    """What one call was given; `host` is the address it was made to."""

    def __init__(self, values: Json, host: str) -> None:
        self._values = values
        self.host = host

    def raw(self, name: str) -> Any:
        """The value as it came; None when there is none."""
        return self._values.get(name)

    def text(self, name: str) -> str:
        """The value as text; empty when there is none."""
        value = self._values.get(name)
        return "" if value is None else str(value)

    def flag(self, name: str) -> bool:
        """Whether the value means yes."""
        return self._values.get(name) in _TRUE

    def structure(self, name: str) -> Json | None:
        """An object, which a form carries as JSON text; None when there is none or it is no object."""
        value = self._values.get(name)
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError:
                return None
        return value if isinstance(value, dict) else None

    def limit(self, default: int, most: int) -> int:
        """`limit`, held to `most`; SlackError `invalid_limit` when it is no positive number."""
        text = self.text("limit") or str(default)
        if not text.isdigit() or int(text) < 1:
            raise SlackError("invalid_limit")
        return min(int(text), most)


def channel_of(ws: Workspace, args: Arguments, *, as_member: bool) -> Channel:
    """The call's channel; SlackError `channel_not_found`, or `not_in_channel` where the bot must be in it."""
    channel = ws.state.channels.get(args.text("channel"))
    # What is private does not exist for those outside it.
    if channel is None or (channel.kind != "channel" and BOT_USER not in channel.members):
        raise SlackError("channel_not_found")
    if as_member and BOT_USER not in channel.members:
        raise SlackError("not_in_channel")
    return channel


def person_of(ws: Workspace, user: str) -> Person:
    """The person with that id; SlackError `user_not_found`."""
    person = ws.state.people.get(user)
    if person is None:
        raise SlackError("user_not_found")
    return person
