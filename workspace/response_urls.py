"""The addresses at which an app may answer an interaction later: five times within half an hour."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

_USES_MOST = 5
_LIFE_S = 1800.0


@dataclass(slots=True)
class Answerable:
    """What an answer at a response_url refers to; `message_ts` is set when a message was acted on."""

    channel: str
    user: str
    message_ts: str | None
    expires_at: float
    uses: int = 0


class ResponseUrls:
    """The response_urls given out so far, by their secret."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._given: dict[str, Answerable] = {}

    def new(self, base_url: str, channel: str, user: str, *, message_ts: str | None = None) -> str:
        """An address for answers to something that `user` did in `channel`."""
        secret = secrets.token_urlsafe(18)
        self._given[secret] = Answerable(channel, user, message_ts, self._clock() + _LIFE_S)
        return f"{base_url}/hooks/{secret}"

    def use(self, secret: str) -> Answerable | None:
        """What the address is for, counted as one use; None when it is unknown, run out or used up."""
        given = self._given.get(secret)
        if given is None or given.uses >= _USES_MOST or self._clock() > given.expires_at:
            return None
        given.uses += 1
        return given
