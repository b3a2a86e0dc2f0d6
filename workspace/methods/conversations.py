"""conversations.*: channels, their members, their messages."""

from workspace.errors import SlackError
from workspace.json_types import Json
from workspace.methods.arguments import Arguments, channel_of, person_of
from workspace.methods.paging import page
from workspace.state import BOT_USER, Channel, Message
from workspace.wire import channel_object, message_object
from workspace.workspace import Workspace

_TYPES = {"public_channel": "channel", "private_channel": "group", "im": "im", "mpim": "mpim"}


def info(ws: Workspace, args: Arguments) -> Json:
    """One channel."""
    channel = channel_of(ws, args, as_member=False)
    body = channel_object(channel)
    if args.flag("include_num_members"):
        body["num_members"] = len(channel.members)
    if args.flag("include_locale"):
        body["locale"] = "en-US"
    return {"channel": body}


def list_channels(ws: Workspace, args: Arguments) -> Json:
    """Channels of the wanted types, public ones unless others are named, in pages."""
    return _channels(args, _seen_by_bot(ws))


def list_of_user(ws: Workspace, args: Arguments) -> Json:
    """Those of them in which the bot is, or the person named as `user`; what is private only where the bot is too."""
    user = person_of(ws, args.text("user")).id if args.text("user") else BOT_USER
    return _channels(args, [c for c in _seen_by_bot(ws) if user in c.members])


def _seen_by_bot(ws: Workspace) -> list[Channel]:
    return [c for c in ws.state.channels.values() if c.kind == "channel" or BOT_USER in c.members]


def _channels(args: Arguments, channels: list[Channel]) -> Json:
    types = [kind.strip() for kind in (args.text("types") or "public_channel").split(",")]
    if any(kind not in _TYPES for kind in types):
        raise SlackError("invalid_types")
    kinds = {_TYPES[kind] for kind in types}
    found, cursor = page([c for c in channels if c.kind in kinds], args, default=100)
    bodies = [{**channel_object(c), "num_members": len(c.members)} for c in found]
    return {"channels": bodies, "response_metadata": {"next_cursor": cursor}}


def members(ws: Workspace, args: Arguments) -> Json:
    """The ids of a channel's members, in pages."""
    found, cursor = page(channel_of(ws, args, as_member=False).members, args, default=100)
    return {"members": found, "response_metadata": {"next_cursor": cursor}}


def history(ws: Workspace, args: Arguments) -> Json:
    """A channel's messages, newest first, without the replies in threads, in pages."""
    channel = channel_of(ws, args, as_member=True)
    shown = [m for m in ws.state.visible(channel.id) if not m.thread_ts or m.subtype == "thread_broadcast"]
    return _messages(ws, channel, list(reversed(_within(shown, args))), args, default=100)


def replies(ws: Workspace, args: Arguments) -> Json:
    """A thread's parent and replies, oldest first, in pages; of a reply, that reply alone."""
    channel = channel_of(ws, args, as_member=True)
    root = ws.state.find(channel.id, args.text("ts"))
    if root is None:
        raise SlackError("thread_not_found")
    thread = [root, *_within(ws.state.replies(channel.id, root.ts), args)]
    return _messages(ws, channel, thread, args, default=1000)


def _within(messages: list[Message], args: Arguments) -> list[Message]:
    """Those between `oldest` and `latest`, the ends included with `inclusive`."""
    oldest, latest = _bound(args, "oldest", 0.0), _bound(args, "latest", float("inf"))
    ends = (oldest, latest) if args.flag("inclusive") else ()
    return [m for m in messages if oldest < float(m.ts) < latest or float(m.ts) in ends]


def _bound(args: Arguments, name: str, default: float) -> float:
    try:
        return float(args.text(name) or default)
    except ValueError:
        raise SlackError(f"invalid_ts_{name}") from None


def _messages(ws: Workspace, channel: Channel, found: list[Message], args: Arguments, *, default: int) -> Json:
    shown, cursor = page(found, args, default=default)
    answer: Json = {
        "messages": [message_object(m, ws.state, ws.files, ws.base_url) for m in shown],
        "has_more": bool(cursor),
    }
    return {**answer, "response_metadata": {"next_cursor": cursor}} if cursor else answer
