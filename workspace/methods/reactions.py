"""reactions.*: the bot's reactions to messages."""

from workspace.errors import SlackError
from workspace.json_types import Json
from workspace.methods.arguments import Arguments, channel_of
from workspace.reactions import react, take_back
from workspace.state import BOT_USER, Message
from workspace.wire import message_object
from workspace.workspace import Workspace


def add(ws: Workspace, args: Arguments) -> Json:
    """React to a message as the bot."""
    react(ws, _message(ws, args), BOT_USER, args.text("name"))
    return {}


def remove(ws: Workspace, args: Arguments) -> Json:
    """Take one of the bot's reactions back."""
    take_back(ws, _message(ws, args), BOT_USER, args.text("name"))
    return {}


def get(ws: Workspace, args: Arguments) -> Json:
    """A message with everybody's reactions to it."""
    message = _message(ws, args)
    body = message_object(message, ws.state, ws.files, ws.base_url)
    body["permalink"] = ws.permalink(message)
    return {"type": "message", "channel": message.channel, "message": body}


def _message(ws: Workspace, args: Arguments) -> Message:
    channel = channel_of(ws, args, as_member=True)
    if not args.text("timestamp"):
        raise SlackError("no_item_specified")
    message = ws.state.find(channel.id, args.text("timestamp"))
    if message is None:
        raise SlackError("message_not_found")
    return message
