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
    mentions = channel.kind != "im" and message.bot_id is None and message.subtype in (None, "file_share")
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
    _send(ws, channel, _membership(ws, channel, user, "member_joined_channel"))


def member_left(ws: Workspace, channel: Channel, user: str) -> None:
    """`member_left_channel`, or to the bot that leaves `channel_left` or `group_left`; sent while it is a member."""
    if user == BOT_USER:
        gone = {"type": f"{channel.kind}_left", "channel": channel.id, "actor_id": user}
        _send(ws, channel, {**gone, "event_ts": ws.state.next_ts()})
    else:
        _send(ws, channel, _membership(ws, channel, user, "member_left_channel"))


def _membership(ws: Workspace, channel: Channel, user: str, kind: str) -> Json:
    letter = "C" if channel.kind == "channel" else "G"
    who = {"user": user, "team": ws.state.people[user].team_id}
    return {"type": kind, **who, "channel": channel.id, "channel_type": letter, "event_ts": ws.state.next_ts()}


def reaction_changed(ws: Workspace, message: Message, user: str, name: str, *, added: bool) -> None:
    """`reaction_added` or `reaction_removed`."""
    item = {"type": "message", "channel": message.channel, "ts": message.ts}
    event: Json = {"type": "reaction_added" if added else "reaction_removed", "user": user, "reaction": name}
    event.update({"item": item, "item_user": message.user, "event_ts": ws.state.next_ts()})
    _send(ws, ws.state.channels[message.channel], event)


def home_opened(ws: Workspace, user: str, tab: str) -> None:
    """`app_home_opened`, with the published view where there is one and the Home tab is meant."""
    channel, home = ws.state.direct_channel(user), ws.views.home(user)
    view = {"view": home.body} if home and tab == "home" else {}
    event: Json = {"type": "app_home_opened", "user": user, "channel": channel.id, "tab": tab, **view}
    _send(ws, channel, {**event, "event_ts": ws.state.next_ts()})


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
    """Slack sends an app only what happens where it is a member, and of that what the app subscribed to."""
    if BOT_USER not in channel.members or not ws.settings.subscribed(event["type"]):
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
