"""Who someone is to who they are here: an admin, a colleague, or somebody to decline."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.admin_group import AdminGroup
from bot.clients import CONNECTION_ERRORS, Clients, error_code
from retrieval.types import Viewer

logger = logging.getLogger(__name__)

_REMEMBERED_S = 300.0
_UNKNOWN_PERSON = ("user_not_found", "user_not_visible", "users_not_found")

DECLINED_GUEST = (
    "I answer from this organisation's internal documents, so I can only talk with its members. "
    "Please ask the person who invited you."
)
DECLINED_OUTSIDER = (
    "I answer from another organisation's internal documents, so I can only talk with its own members. I am sorry."
)
DECLINED_SHARED = (
    "This channel is shared with another organisation, so I do not answer from internal documents here. "
    "Please ask me in a direct message or in an internal channel."
)

NOT_ADMIN = "Only admins can do that. Ask an admin of this workspace to add or remove documents."
UNSURE = "I could not check with Slack whether you are an admin. Please try again in a minute."


@dataclass(frozen=True, slots=True)
class Person:
    """What Slack says of someone."""

    id: str
    workspace_admin: bool = False
    guest: bool = False
    outsider: bool = False


@dataclass(frozen=True, slots=True)
class Home:
    """The workspace and organisation the bot belongs to."""

    team_id: str
    enterprise_id: str | None = None


class Access:
    """Decides by `users.info`, and by the list and the user group of admins where they are set.

    For answers what Slack said is remembered for a few minutes; for changes to documents it is asked anew, of the group
    every minute. While Slack does not say who is in the group, it is as if none were set.
    """

    def __init__(
        self,
        clients: Clients,
        home: Home,
        admin_users: frozenset[str] = frozenset(),
        admin_group: AdminGroup | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clients = clients
        self._home = home
        self._admin_users = admin_users
        self._admin_group = admin_group
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, Person]] = {}

    def person(self, user: str) -> Person:
        """The person of that id. Raises what the Slack client raises when Slack does not answer."""
        with self._lock:
            until, person = self._known.get(user, (0.0, None))
        if person is not None and self._clock() < until:
            return person
        return self._person_now(user, self._clients.reader)

    def _person_now(self, user: str, client: WebClient) -> Person:
        person = self._asked(user, client)
        with self._lock:
            self._known[user] = (self._clock() + _REMEMBERED_S, person)
        return person

    def is_admin(self, user: str) -> bool:
        """Whether the person is an admin, as far as it is remembered. Raises as `person` does."""
        return self._is_admin(user, self.person)

    def is_admin_now(self, user: str) -> bool:
        """Whether Slack says so this very moment. Raises what the Slack client raises when it does not say it soon."""
        return self._is_admin(user, lambda asked: self._person_now(asked, self._clients.quick))

    def confirmed_admin(self, user: str) -> bool | None:
        """As `is_admin_now`; None when Slack does not say."""
        try:
            return self.is_admin_now(user)
        except (SlackApiError, *CONNECTION_ERRORS) as error:
            logger.warning("cannot check whether someone is an admin: %s", error)
            return None

    def _is_admin(self, user: str, look_up: Callable[[str], Person]) -> bool:
        listed = self._listed()
        if listed is not None and user not in listed:
            return False
        person = look_up(user)
        if person.guest or person.outsider:
            return False
        return listed is not None or person.workspace_admin

    def _listed(self) -> frozenset[str] | None:
        """Those whom the settings name; None where the workspace's own admins are the admins."""
        members = self._admin_group.members() if self._admin_group else None
        return self._admin_users or None if members is None else self._admin_users | members

    def declined(self, user: str, *, shared_channel: bool) -> str | None:
        """Why this person gets no answer here, in words for them; None when they get one.

        Told once a message that addresses the bot, as every such message has exactly one reply, also when the person
        was declined before; remarks in a thread that do not address it get none.
        """
        person = self.person(user)
        if person.outsider:
            return DECLINED_OUTSIDER
        if person.guest:
            return DECLINED_GUEST
        return DECLINED_SHARED if shared_channel else None

    def viewer(self, user: str, *, direct_message: bool) -> Viewer:
        """Whose eyes the answer is for. A channel is read by everyone, so an admin is one in private only."""
        return Viewer.admin() if direct_message and self.is_admin(user) else Viewer()

    def _asked(self, user: str, client: WebClient) -> Person:
        try:
            info: Mapping[str, Any] = client.users_info(user=user)["user"]
        except SlackApiError as error:
            if error_code(error) in _UNKNOWN_PERSON:
                return Person(user, outsider=True)
            raise
        return Person(
            id=user,
            workspace_admin=bool(info.get("is_admin") or info.get("is_owner") or info.get("is_primary_owner")),
            guest=bool(info.get("is_restricted") or info.get("is_ultra_restricted")),
            outsider=self._is_outsider(info),
        )

    def _is_outsider(self, info: Mapping[str, Any]) -> bool:
        if info.get("is_stranger"):
            return True
        enterprise = (info.get("enterprise_user") or {}).get("enterprise_id")
        if self._home.enterprise_id and enterprise == self._home.enterprise_id:
            return False
        return info.get("team_id") != self._home.team_id
