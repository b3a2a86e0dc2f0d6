"""A user group of Slack's to the ids of its members."""

import logging
import threading
import time
from collections.abc import Callable

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.clients import CONNECTION_ERRORS, error_code

logger = logging.getLogger(__name__)

_REMEMBERED_S = 60.0


class AdminGroup:
    """Who is in a user group. What Slack said, or that it did not say it, is remembered for a minute: it takes few of
    these calls."""

    def __init__(self, client: WebClient, group: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._group = group
        self._clock = clock
        self._lock = threading.Lock()
        self._until = float("-inf")
        self._members: frozenset[str] | None = None

    def members(self) -> frozenset[str] | None:
        """Their ids; None when Slack does not say."""
        with self._lock:
            if self._clock() >= self._until:
                self._members = self._asked()
                self._until = self._clock() + _REMEMBERED_S
            return self._members

    def _asked(self) -> frozenset[str] | None:
        try:
            return frozenset(map(str, self._client.usergroups_users_list(usergroup=self._group)["users"]))
        except SlackApiError as error:
            reason = error_code(error)
        except CONNECTION_ERRORS as error:
            reason = str(error)
        logger.warning(
            "Slack does not say who is in %s (ADMIN_USERGROUP): %s; ADMIN_USERS or, without any, the workspace's "
            "admins and owners are the admins until it does",
            self._group,
            reason,
        )
        return None
