"""What happens in the workspace to the events that Slack sends an app."""

import re
import secrets

from workspace.files import shared_file_stub
from workspace.json_types import Json
from workspace.state import APP_ID, BOT_USER, TEAM_ID, VERIFICATION_TOKEN, Channel, Message
from workspace.wire import message_object
from workspace.workspace import Workspace

_MENTION = re.compile(rf"<@{BOT_USER}(?:\|[^>]*)?>")


def message_posted(ws: Workspace, message: Message) -> None:
    """`message`, and `app_mention` besides when a person mentions the bot in a channel."""
    channel = ws.state.channels[message.channel]
    body = event_message(ws, message)
    _send(ws, channel, {**body, "channel_type": channel.kind})
    mentions = channel.kind == "channel" and message.bot_id is None and message.subtype in (None, "file_share")
    if mentions and _MENTION.search(message.text):
        _send(ws, channel, {**body, "type": "app_mention"})


def message_changed(ws: Workspace, message: Message, previous: Json) -> None:
    """`message_changed` with the message before and after."""
    change = {"subtype": "message_changed", "message": _nested(ws, message), "previous_message": previous}
    _send_hidden(ws, message.channel, change)


def message_deleted(ws: Workspace, channel: str, previous: Json) -> None:
    """`message_deleted` with the message as it was."""
    deletion = {"subtype": "message_deleted", "previous_message": previous, "deleted_ts": previous["ts"]}
    _send_hidden(ws, channel, deletion)


def member_joined(ws: Workspace, channel: Channel, user: str) -> None:
    """`member_joined_channel`, the bot's own joining included."""
    team = ws.state.people[user].team_id
    event: Json = {"type": "member_joined_channel", "user": user, "channel": channel.id, "channel_type": "C"}
    _send(ws, channel, {**event, "team": team, "event_ts": ws.state.next_ts()})


def event_message(ws: Workspace, message: Message) -> Json:
    """The message as a fresh event carries it."""
    body = {**_nested(ws, message), "channel": message.channel, "event_ts": message.ts}
    if ws.state.channels[message.channel].is_ext_shared and message.files:
        body["files"] = [shared_file_stub(f) for f in map(ws.files.get, message.files) if f]
    return body


def _nested(ws: Workspace, message: Message) -> Json:
    return message_object(message, ws.state, ws.files, ws.base_url)


def _send_hidden(ws: Workspace, channel_id: str, change: Json) -> None:
    channel, ts = ws.state.channels[channel_id], ws.state.next_ts()
    head: Json = {"type": "message", "hidden": True, "channel": channel_id, "ts": ts, "event_ts": ts}
    _send(ws, channel, {**head, **change, "channel_type": channel.kind})


def _send(ws: Workspace, channel: Channel, event: Json) -> None:
    """Slack sends an app only what happens where it is a member."""
    if BOT_USER not in channel.members:
        return
    authorization = {"enterprise_id": None, "team_id": TEAM_ID, "user_id": BOT_USER, "is_bot": True}
    payload: Json = {
        "token": VERIFICATION_TOKEN,
        "team_id": TEAM_ID,
        "context_team_id": TEAM_ID,
        "context_enterprise_id": None,
        "api_app_id": APP_ID,
        "event": event,
        "type": "event_callback",
        "event_id": f"Ev0{secrets.token_hex(5).upper()}",
        "event_time": int(float(event["event_ts"])),
        "authorizations": [{**authorization, "is_enterprise_install": False}],
        "is_ext_shared_channel": channel.is_ext_shared,
        "event_context": f"4-{secrets.token_urlsafe(24)}",
    }
    ws.link.send_event(payload)
