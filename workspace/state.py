"""Who and what is in the workspace: people, channels, messages, status lines. No I/O."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from workspace.json_types import Json

TEAM_ID = "T0LOCAL"
OTHER_TEAM_ID = "T0OTHER"
TEAM_DOMAIN = "local"
TEAM_NAME = "Local workspace"
APP_ID = "A0FOOTNOTE"
BOT_ID = "B0FOOTNOTE"
BOT_USER = "U0FOOTNOTE"
# Fixed and public: they open nothing but this workspace, on the machine it runs on.
BOT_TOKEN = "xoxb-local"  # noqa: S105 not a secret
APP_TOKEN = "xapp-local"  # noqa: S105 not a secret
VERIFICATION_TOKEN = "local"  # noqa: S105 not a secret

STATUS_LIFE_S = 120.0


@dataclass(slots=True)
class Person:
    """Somebody who can write here; the bot is one too."""

    id: str
    name: str
    real_name: str
    locale: str = "en-US"
    tz: str = "Europe/London"
    team_id: str = TEAM_ID
    is_admin: bool = False
    is_guest: bool = False
    is_bot: bool = False


@dataclass(slots=True)
class Channel:
    """A channel, public or private (`group`), or direct messages of the bot with one person or several (`mpim`)."""

    id: str
    name: str
    members: list[str]
    kind: Literal["channel", "group", "im", "mpim"] = "channel"
    purpose: str = ""
    is_ext_shared: bool = False
    created: int = 1_700_000_000

    @property
    def is_named(self) -> bool:
        """Whether it is a channel with a name, public or private, rather than direct messages."""
        return self.kind in ("channel", "group")


@dataclass(slots=True)
class UserGroup:
    """People who are mentioned together as `@handle`."""

    id: str
    handle: str
    name: str
    members: list[str]


@dataclass(slots=True)
class Message:
    """One message; `thread_ts` is set on replies only, `ephemeral_to` on what a single person sees."""

    channel: str
    ts: str
    user: str
    text: str
    blocks: list[Json] = field(default_factory=list)
    thread_ts: str | None = None
    subtype: str | None = None
    bot_id: str | None = None
    client_msg_id: str | None = None
    files: list[str] = field(default_factory=list)
    ephemeral_to: str | None = None
    edited: Json | None = None
    metadata: Json | None = None
    reactions: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Status:
    """The line shown in a thread while the bot works, until `expires_at` seconds since the epoch."""

    text: str
    loading_messages: list[str]
    expires_at: float


class State:
    """People, channels and messages, with Slack's rules for timestamps and threads."""

    def __init__(
        self, people: list[Person], channels: list[Channel], groups: list[UserGroup], clock: Callable[[], float]
    ) -> None:
        self.people = {person.id: person for person in people}
        self.user_groups = {group.id: group for group in groups}
        self.channels = {channel.id: channel for channel in channels}
        self.messages: dict[str, list[Message]] = {channel.id: [] for channel in channels}
        self._statuses: dict[str, Status] = {}
        self._clock = clock
        self._last_ts_us = 0

    def next_ts(self) -> str:
        """A timestamp `seconds.microseconds` later than every one before it."""
        self._last_ts_us = max(int(self._clock() * 1_000_000), self._last_ts_us + 1)
        seconds, microseconds = divmod(self._last_ts_us, 1_000_000)
        return f"{seconds}.{microseconds:06d}"

    def direct_channel(self, user: str) -> Channel:
        """The bot's direct-message channel with `user`, made on first use."""
        for channel in self.channels.values():
            if channel.kind == "im" and user in channel.members:
                return channel
        return self.add_channel(Channel(f"D{user[1:]}", "directmessage", [user, BOT_USER], kind="im"))

    def add_channel(self, channel: Channel) -> Channel:
        """The channel, from now on part of the workspace."""
        self.channels[channel.id] = channel
        self.messages[channel.id] = []
        return channel

    def channel_named(self, name: str) -> Channel | None:
        """The channel with that name, without `#`, in any case."""
        named = (c for c in self.channels.values() if c.is_named and c.name == name.lower())
        return next(named, None)

    def add(self, message: Message) -> None:
        """Keep a message; messages of a channel stay in order of their timestamps."""
        self.messages[message.channel].append(message)

    def find(self, channel: str, ts: str) -> Message | None:
        """The message that everyone in the channel can see under that timestamp."""
        return next((m for m in self.visible(channel) if m.ts == ts), None)

    def find_shown(self, channel: str, ts: str) -> Message | None:
        """The message under that timestamp, ephemeral ones included."""
        return next((m for m in self.messages.get(channel, []) if m.ts == ts), None)

    def visible(self, channel: str) -> list[Message]:
        """The channel's messages that are not ephemeral, oldest first."""
        return [m for m in self.messages.get(channel, []) if m.ephemeral_to is None]

    def replies(self, channel: str, parent_ts: str) -> list[Message]:
        """The replies of a thread, oldest first, without the parent."""
        return [m for m in self.visible(channel) if m.thread_ts == parent_ts]

    def remove(self, message: Message) -> None:
        """Forget a message."""
        self.messages[message.channel].remove(message)

    def set_status(self, channel: str, thread_ts: str, status: Status | None) -> None:
        """Set a thread's status line, or clear it with None."""
        key = f"{channel}:{thread_ts}"
        if status is None:
            self._statuses.pop(key, None)
        else:
            self._statuses[key] = status

    def statuses(self) -> dict[str, Status]:
        """The status lines that have not run out, by `channel:thread_ts`."""
        now = self._clock()
        self._statuses = {key: s for key, s in self._statuses.items() if s.expires_at > now}
        return dict(self._statuses)
