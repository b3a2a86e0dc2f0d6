"""conversations.open, .join and .leave: where the bot takes part."""

from workspace.channels import GROUP_MOST_PEOPLE, group_direct
from workspace.errors import SlackError
from workspace.json_types import Json
from workspace.members import join as join_channel
from workspace.members import leave as leave_channel
from workspace.methods.arguments import Arguments, channel_of, person_of
from workspace.state import BOT_USER, Channel
from workspace.wire import channel_object
from workspace.workspace import Workspace


def open_direct(ws: Workspace, args: Arguments) -> Json:
    """The bot's direct messages with one person, or with several together."""
    channel, was_open = _direct(ws, args)
    body = channel_object(channel) if args.flag("return_im") else {"id": channel.id}
    return {**({"no_op": True, "already_open": True} if was_open else {}), "channel": body}


def _direct(ws: Workspace, args: Arguments) -> tuple[Channel, bool]:
    if args.text("channel"):
        return channel_of(ws, args, as_member=True), True
    given = args.raw("users") or ""
    listed = given if isinstance(given, list) else str(given).split(",")
    people = [person_of(ws, str(user).strip()).id for user in listed if str(user).strip()]
    if not people:
        raise SlackError("users_list_not_supplied")
    if BOT_USER in people:
        raise SlackError("cannot_dm_bot")
    if len(people) > GROUP_MOST_PEOPLE:
        raise SlackError("too_many_users")
    if len(people) > 1:
        return group_direct(ws, people)
    return ws.state.direct_channel(people[0]), True


def join(ws: Workspace, args: Arguments) -> Json:
    """Make the bot a member of a public channel."""
    channel = channel_of(ws, args, as_member=False)
    if channel.kind != "channel":
        raise SlackError("method_not_supported_for_channel_type")
    if BOT_USER in channel.members:
        return {"channel": channel_object(channel), "warning": "already_in_channel"}
    join_channel(ws, channel, BOT_USER)
    return {"channel": channel_object(channel)}


def leave(ws: Workspace, args: Arguments) -> Json:
    """Let the bot leave a channel."""
    channel = channel_of(ws, args, as_member=False)
    if not channel.is_named:
        raise SlackError("method_not_supported_for_channel_type")
    if BOT_USER not in channel.members:
        return {"not_in_channel": True}
    leave_channel(ws, channel, BOT_USER)
    return {}
