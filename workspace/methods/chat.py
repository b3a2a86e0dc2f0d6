"""chat.* and the status line of a thread."""

from workspace.blocks import MARKDOWN_MOST_CHARS, checked_message_blocks
from workspace.errors import SlackError
from workspace.json_types import Json
from workspace.messages import clear_status, edit, post_as_bot, thread_root
from workspace.messages import delete as delete_message
from workspace.methods.arguments import Arguments, channel_of, person_of
from workspace.state import BOT_ID, BOT_USER, STATUS_LIFE_S, Channel, Message, Status
from workspace.wire import message_object
from workspace.workspace import Workspace

_POST_MOST_CHARS = 40_000
_UPDATE_MOST_CHARS = 4_000
_LOADING_MESSAGES_MOST = 10


def post_message(ws: Workspace, args: Arguments) -> Json:
    """Post as the bot; Slack cuts a text above 40,000 characters."""
    channel = _target(ws, args)
    body = _content(args)
    body["text"] = body["text"][:_POST_MOST_CHARS]
    body.update(_thread(ws, channel, args))
    message = post_as_bot(ws, channel.id, {**body, "metadata": args.structure("metadata")})
    return {"channel": channel.id, "ts": message.ts, "message": _object(ws, message)}


def post_ephemeral(ws: Workspace, args: Arguments) -> Json:
    """Post for one member of the channel alone."""
    channel = _target(ws, args)
    person = person_of(ws, args.text("user"))
    if person.id not in channel.members:
        raise SlackError("user_not_in_channel")
    body = {**_content(args), **_thread(ws, channel, args)}
    body.pop("subtype", None)
    return {"message_ts": post_as_bot(ws, channel.id, body, ephemeral_to=person.id).ts}


def update(ws: Workspace, args: Arguments) -> Json:
    """Replace one of the bot's messages; a text alone removes the blocks."""
    message = _own(ws, args, "cant_update_message")
    body = _content(args)
    if len(body["text"]) > _UPDATE_MOST_CHARS:
        raise SlackError("msg_too_long")
    edit(ws, message, body["text"], body["blocks"], editor=BOT_USER)
    facts = {"channel": message.channel, "ts": message.ts, "text": message.text}
    return {**facts, "message": _object(ws, message)}


def delete(ws: Workspace, args: Arguments) -> Json:
    """Delete one of the bot's messages."""
    message = _own(ws, args, "cant_delete_message")
    delete_message(ws, message)
    return {"channel": message.channel, "ts": message.ts}


def permalink(ws: Workspace, args: Arguments) -> Json:
    """The address of a message, of a reply with its thread."""
    channel = channel_of(ws, args, as_member=False)
    message = ws.state.find(channel.id, args.text("message_ts"))
    if message is None:
        raise SlackError("message_not_found")
    return {"channel": channel.id, "permalink": ws.permalink(message)}


def set_status(ws: Workspace, args: Arguments) -> Json:
    """Show what the bot is doing in a thread, until it posts there, clears it, or two minutes have passed."""
    named = Arguments({"channel": args.text("channel_id")}, args.host)
    channel = channel_of(ws, named, as_member=True)
    thread_ts = thread_root(ws, channel.id, args.text("thread_ts"))
    text = args.text("status")
    if not text:
        clear_status(ws, channel.id, thread_ts)
        return {}
    loading = args.raw("loading_messages") or []
    if not isinstance(loading, list) or len(loading) > _LOADING_MESSAGES_MOST:
        raise SlackError("invalid_arguments")
    expires_at = ws.clock() + STATUS_LIFE_S
    ws.state.set_status(channel.id, thread_ts, Status(text, [str(line) for line in loading], expires_at))
    place = {"channel": channel.id, "thread_ts": thread_ts}
    ws.feed.publish("status", {**place, "text": text, "loading_messages": loading, "life_s": STATUS_LIFE_S})
    return {}


def _target(ws: Workspace, args: Arguments) -> Channel:
    """The channel by id, by name, or as the id of the person to write to."""
    wanted = args.text("channel")
    if wanted in ws.state.people and wanted != BOT_USER:
        return ws.state.direct_channel(wanted)
    named = ws.state.channel_named(wanted.removeprefix("#"))
    return channel_of(ws, Arguments({"channel": named.id}, args.host) if named else args, as_member=True)


def _content(args: Arguments) -> Json:
    text, markdown, blocks = args.text("text"), args.text("markdown_text"), args.raw("blocks")
    if markdown:
        if text or blocks:
            raise SlackError("markdown_text_conflict")
        if len(markdown) > MARKDOWN_MOST_CHARS:
            raise SlackError("msg_too_long")
        blocks = [{"type": "markdown", "text": markdown}]
    if not text and not blocks:
        raise SlackError("no_text")
    return {"text": text or markdown, "blocks": checked_message_blocks(blocks) if blocks else []}


def _thread(ws: Workspace, channel: Channel, args: Arguments) -> Json:
    if not args.text("thread_ts"):
        return {}
    subtype = {"subtype": "thread_broadcast"} if args.flag("reply_broadcast") else {}
    return {"thread_ts": thread_root(ws, channel.id, args.text("thread_ts")), **subtype}


def _own(ws: Workspace, args: Arguments, refusal: str) -> Message:
    channel = channel_of(ws, args, as_member=False)
    message = ws.state.find(channel.id, args.text("ts"))
    if message is None:
        raise SlackError("message_not_found")
    if message.bot_id != BOT_ID:
        raise SlackError(refusal)
    return message


def _object(ws: Workspace, message: Message) -> Json:
    return message_object(message, ws.state, ws.files, ws.base_url)
