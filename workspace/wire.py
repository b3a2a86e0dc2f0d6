"""People, channels and messages to the JSON objects that Slack's Web API and events carry."""

from workspace.files import Files, file_object
from workspace.json_types import Json
from workspace.state import APP_ID, BOT_ID, BOT_USER, TEAM_ID, Channel, Message, Person, State


def user_object(person: Person, *, with_locale: bool = False) -> Json:
    """Slack's user object; the locale only where it was asked for, as Slack does."""
    user = {
        "id": person.id,
        "team_id": person.team_id,
        "name": person.name,
        "deleted": False,
        "color": "9f69e7",
        "real_name": person.real_name,
        "tz": person.tz,
        "tz_label": person.tz,
        "tz_offset": 0,
        "profile": _profile(person),
        "is_admin": person.is_admin,
        "is_owner": person.is_admin,
        "is_primary_owner": person.is_admin,
        "is_restricted": person.is_guest,
        "is_ultra_restricted": False,
        "is_bot": person.is_bot,
        "is_app_user": False,
        "is_stranger": person.team_id != TEAM_ID,
        "updated": 1_700_000_000,
        "is_email_confirmed": not person.is_bot,
    }
    return {**user, "locale": person.locale} if with_locale else user


def _profile(person: Person) -> Json:
    profile: Json = {
        "real_name": person.real_name,
        "real_name_normalized": person.real_name,
        "display_name": person.name,
        "display_name_normalized": person.name,
        "team": person.team_id,
        "title": "",
        "status_text": "",
        "status_emoji": "",
    }
    if person.is_bot:
        return {**profile, "api_app_id": APP_ID, "bot_id": BOT_ID}
    return {**profile, "email": f"{person.name}@example.org"}


def channel_object(channel: Channel) -> Json:
    """Slack's conversation object, as the bot sees it."""
    if channel.kind == "im":
        other = next(member for member in channel.members if member != BOT_USER)
        return {
            "id": channel.id,
            "created": channel.created,
            "is_archived": False,
            "is_im": True,
            "is_org_shared": False,
            "context_team_id": TEAM_ID,
            "user": other,
            "is_user_deleted": False,
            "priority": 0,
        }
    return {
        "id": channel.id,
        "name": channel.name,
        "name_normalized": channel.name,
        "is_channel": channel.kind == "channel",
        "is_group": channel.kind == "group",
        "is_im": False,
        "is_mpim": channel.kind == "mpim",
        "is_private": channel.kind != "channel",
        "is_archived": False,
        "is_general": channel.id == "C0GENERAL",
        "is_shared": channel.is_ext_shared,
        "is_ext_shared": channel.is_ext_shared,
        "is_org_shared": False,
        "is_member": BOT_USER in channel.members,
        "created": channel.created,
        "creator": "U0ADMIN",
        "context_team_id": TEAM_ID,
        "topic": {"value": "", "creator": "", "last_set": 0},
        "purpose": {"value": channel.purpose, "creator": "U0ADMIN", "last_set": channel.created},
        "previous_names": [],
    }


def message_object(message: Message, state: State, files: Files, base_url: str) -> Json:
    """Slack's message object, as the Web API and events carry it; a thread's parent tells of its replies."""
    person = state.people[message.user]
    body: Json = {"type": "message", "user": message.user, "text": message.text, "ts": message.ts}
    optional = {
        "subtype": message.subtype,
        "client_msg_id": message.client_msg_id,
        "edited": message.edited,
        "metadata": message.metadata,
        "thread_ts": message.thread_ts,
        "blocks": message.blocks or None,
        "reactions": reactions_of(message) or None,
        "files": [file_object(f, base_url) for f in map(files.get, message.files) if f] or None,
    }
    body.update({key: value for key, value in optional.items() if value is not None})
    if message.bot_id:
        body.update({"bot_id": message.bot_id, "app_id": APP_ID, "bot_profile": _bot_profile(person)})
    body["team"] = person.team_id
    if state.channels[message.channel].is_ext_shared:
        body.update({"user_team": person.team_id, "source_team": person.team_id})
    if message.thread_ts:
        parent = state.find(message.channel, message.thread_ts)
        body["parent_user_id"] = parent.user if parent else None
    else:
        body.update(thread_facts(message, state))
    return body


def reactions_of(message: Message) -> list[Json]:
    """Who reacted with what, in the order in which the reactions first came."""
    return [{"name": name, "users": users, "count": len(users)} for name, users in message.reactions.items()]


def _bot_profile(bot: Person) -> Json:
    return {
        "id": BOT_ID,
        "app_id": APP_ID,
        "name": bot.name,
        "icons": {},
        "deleted": False,
        "updated": 1_700_000_000,
        "team_id": TEAM_ID,
    }


def thread_facts(message: Message, state: State) -> Json:
    """What a parent says of its thread; nothing for a message without replies."""
    replies = state.replies(message.channel, message.ts)
    if not replies:
        return {}
    users = list(dict.fromkeys(reply.user for reply in replies))
    return {
        "thread_ts": message.ts,
        "reply_count": len(replies),
        "reply_users_count": len(users),
        "latest_reply": replies[-1].ts,
        "reply_users": users,
        "is_locked": False,
        "subscribed": BOT_USER in users,
    }
