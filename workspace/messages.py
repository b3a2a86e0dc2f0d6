"""Posting, editing and deleting: the state changes, the pages are told, and the app's events go out."""

import uuid
from collections.abc import Sequence

from workspace import events
from workspace.errors import ControlError, SlackError
from workspace.json_types import Json
from workspace.plain import plain_text
from workspace.state import BOT_ID, BOT_USER, Channel, Message
from workspace.text import as_rich_text, as_slack_text, segments
from workspace.wire import reactions_of, thread_facts
from workspace.workspace import Workspace

_TYPED_MOST_CHARS = 40_000


def shown_message(ws: Workspace, message: Message) -> Json:
    """A message as the control API and the page have it: Slack's fields and what a reader sees."""
    body: Json = {
        "channel": message.channel,
        "ts": message.ts,
        "thread_ts": message.thread_ts,
        "user": message.user,
        "bot_id": message.bot_id,
        "text": message.text,
        "blocks": message.blocks,
        "plain": plain_text(message, ws.state),
    }
    files = [f for f in map(ws.files.get, message.files) if f]
    optional = {
        "subtype": message.subtype,
        "ephemeral_to": message.ephemeral_to,
        "edited": message.edited,
        "files": [{"id": f.id, "name": f.name, "size": len(f.content)} for f in files] or None,
        "reactions": reactions_of(message) or None,
    }
    body.update({key: value for key, value in optional.items() if value is not None})
    if files:
        body["plain"] = "\n".join([*filter(None, [body["plain"]]), *(f.name for f in files)])
    return {**body, **({} if message.thread_ts else thread_facts(message, ws.state))}


def post(ws: Workspace, message: Message) -> Message:
    """Keep and announce a new message; what the bot posts in a thread ends the thread's status line."""
    ws.state.add(message)
    if message.user == BOT_USER and message.ephemeral_to is None:
        clear_status(ws, message.channel, message.thread_ts or message.ts)
    ws.feed.publish("message", {"message": shown_message(ws, message)})
    if message.ephemeral_to is None:
        events.message_posted(ws, message)
        _announce_parent(ws, message)
    return message


def post_typed(
    ws: Workspace, channel: Channel, user: str, typed: str, *, thread_ts: str | None, files: Sequence[str]
) -> Message:
    """Post what a person typed, as Slack's client would; ControlError where it would not let them."""
    if not typed.strip() and not files:
        raise ControlError(400, "no_text", "A message needs text or a file.")
    if len(typed) > _TYPED_MOST_CHARS:
        raise ControlError(400, "msg_too_long", f"A message may have {_TYPED_MOST_CHARS} characters at most.")
    parts = segments(typed, ws.state)
    ts = ws.state.next_ts()
    return post(
        ws,
        Message(
            channel.id,
            ts,
            user,
            as_slack_text(parts),
            blocks=[as_rich_text(parts, uuid.uuid4().hex[:5])] if parts else [],
            thread_ts=thread_root(ws, channel.id, thread_ts) if thread_ts else None,
            subtype="file_share" if files else None,
            client_msg_id=str(uuid.uuid4()),
            files=list(files),
        ),
    )


def post_as_bot(ws: Workspace, channel: str, body: Json, *, ephemeral_to: str | None = None) -> Message:
    """Post for the app; `body` has the checked `text`, `blocks`, `thread_ts`, `subtype` and `metadata`."""
    return post(
        ws,
        Message(
            channel,
            ws.state.next_ts(),
            BOT_USER,
            body.get("text", ""),
            blocks=body.get("blocks", []),
            thread_ts=body.get("thread_ts"),
            subtype=body.get("subtype"),
            bot_id=BOT_ID,
            ephemeral_to=ephemeral_to,
            metadata=body.get("metadata"),
        ),
    )


def thread_root(ws: Workspace, channel: str, thread_ts: str) -> str:
    """The timestamp of the thread's parent; SlackError `thread_not_found` when there is no such message."""
    found = ws.state.find(channel, thread_ts)
    if found is None:
        raise SlackError("thread_not_found")
    return found.thread_ts or found.ts


def edit(ws: Workspace, message: Message, text: str, blocks: list[Json], *, editor: str) -> None:
    """Replace a message's content, and mark it as edited."""
    previous = events.event_message(ws, message)
    message.text, message.blocks = text, blocks
    message.edited = {"user": editor, "ts": ws.state.next_ts()}
    show_again(ws, message)
    if message.ephemeral_to is None:
        events.message_changed(ws, message, _without_channel(previous))


def edit_typed(ws: Workspace, message: Message, typed: str) -> None:
    """Replace what a person typed."""
    parts = segments(typed, ws.state)
    edit(ws, message, as_slack_text(parts), [as_rich_text(parts, uuid.uuid4().hex[:5])], editor=message.user)


def delete(ws: Workspace, message: Message) -> None:
    """Delete a message; a parent with replies leaves a tombstone, as in Slack."""
    previous = _without_channel(events.event_message(ws, message))
    if message.ephemeral_to is None and ws.state.replies(message.channel, message.ts):
        message.text, message.blocks, message.files = "This message was deleted.", [], []
        message.subtype = "tombstone"
        show_again(ws, message)
        events.message_changed(ws, message, previous)
        return
    ws.state.remove(message)
    ws.feed.publish("message_deleted", {"channel": message.channel, "ts": message.ts})
    if message.ephemeral_to is None:
        _announce_parent(ws, message)
        events.message_deleted(ws, message.channel, previous)


def clear_status(ws: Workspace, channel: str, thread_ts: str) -> None:
    """End a thread's status line."""
    ws.state.set_status(channel, thread_ts, None)
    ws.feed.publish("status", {"channel": channel, "thread_ts": thread_ts, "text": ""})


def _announce_parent(ws: Workspace, reply: Message) -> None:
    parent = ws.state.find(reply.channel, reply.thread_ts) if reply.thread_ts else None
    if parent:
        show_again(ws, parent)


def show_again(ws: Workspace, message: Message) -> None:
    """Tell the pages how a message looks now."""
    ws.feed.publish("message_changed", {"message": shown_message(ws, message)})


def _without_channel(event: Json) -> Json:
    return {key: value for key, value in event.items() if key not in ("channel", "event_ts")}
