"""Who someone is to who they are here: an admin, a colleague, or somebody to decline."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.clients import Clients, error_code
from retrieval.types import Viewer

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
    """Decides by `users.info` and by the list of admins where one is set.

    For answers what Slack said is remembered for a few minutes; for changes to documents it is asked anew.
    """

    def __init__(
        self,
        clients: Clients,
        home: Home,
        admin_users: frozenset[str] = frozenset(),
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clients = clients
        self._home = home
        self._admin_users = admin_users
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
        return self._may_be_admin(user) and self._rules(self.person(user))

    def is_admin_now(self, user: str) -> bool:
        """Whether Slack says so this very moment. Raises what the Slack client raises when it does not say it soon."""
        return self._may_be_admin(user) and self._rules(self._person_now(user, self._clients.quick))

    def _may_be_admin(self, user: str) -> bool:
        return not self._admin_users or user in self._admin_users

    def _rules(self, person: Person) -> bool:
        """With a list of admins set, the list alone decides."""
        if person.guest or person.outsider:
            return False
        return bool(self._admin_users) or person.workspace_admin

    def declined(self, user: str, *, shared_channel: bool) -> str | None:
        """Why this person gets no answer here, in words for them; None when they get one."""
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
