"""Who comes to a channel and who goes: the members change, a message says so, the app's events go out."""

from workspace import events
from workspace.messages import post
from workspace.state import Channel, Message
from workspace.workspace import Workspace


def join(ws: Workspace, channel: Channel, user: str) -> None:
    """Make somebody a member: a `channel_join` message and `member_joined_channel`."""
    channel.members.append(user)
    _say(ws, channel, user, "join", f"<@{user}> has joined the channel")
    events.member_joined(ws, channel, user)
    ws.feed.publish("member", {"channel": channel.id, "user": user, "joined": True})


def leave(ws: Workspace, channel: Channel, user: str) -> None:
    """Let a member go: a `channel_leave` message and `member_left_channel`."""
    _say(ws, channel, user, "leave", f"<@{user}> has left the channel")
    events.member_left(ws, channel, user)
    channel.members.remove(user)
    ws.feed.publish("member", {"channel": channel.id, "user": user, "joined": False})


def _say(ws: Workspace, channel: Channel, user: str, change: str, text: str) -> None:
    post(ws, Message(channel.id, ws.state.next_ts(), user, text, subtype=f"{channel.kind}_{change}"))
