"""Calls of the Web API held to Slack's published rates."""

from collections import defaultdict, deque
from collections.abc import Callable

_TIER_CALLS_PER_MINUTE = {1: 1, 2: 20, 3: 50, 4: 100}
_METHOD_TIERS = {
    "apps.connections.open": 3,
    "chat.update": 3,
    "chat.delete": 3,
    "chat.postEphemeral": 4,
    "conversations.info": 3,
    "conversations.history": 3,
    "conversations.replies": 3,
    "conversations.list": 2,
    "conversations.members": 4,
    "conversations.open": 3,
    "users.info": 4,
    "users.list": 2,
    "conversations.join": 3,
    "conversations.leave": 3,
    "users.conversations": 3,
    "usergroups.list": 2,
    "usergroups.users.list": 2,
    "reactions.add": 3,
    "reactions.remove": 2,
    "reactions.get": 3,
    "views.publish": 4,
    "views.open": 4,
    "views.push": 4,
    "views.update": 4,
    "files.info": 4,
}
_STATUS_CALLS_PER_MINUTE = 600
_DEFAULT_CALLS_PER_MINUTE = 100


class RateLimits:
    """When each method was called lately."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._calls: dict[str, deque[float]] = defaultdict(deque)

    def wait_s(self, method: str, channel: str) -> float:
        """0 when the call is within Slack's rate, and it is counted; else the seconds until one would be."""
        key, most, window_s = _rate(method, channel)
        calls, now = self._calls[key], self._clock()
        while calls and calls[0] <= now - window_s:
            calls.popleft()
        if len(calls) >= most:
            return calls[0] + window_s - now
        calls.append(now)
        return 0.0


def _rate(method: str, channel: str) -> tuple[str, int, float]:
    if method == "chat.postMessage":
        return f"{method} {channel}", 1, 1.0
    if method == "assistant.threads.setStatus":
        return method, _STATUS_CALLS_PER_MINUTE, 60.0
    tier = _METHOD_TIERS.get(method)
    return method, _TIER_CALLS_PER_MINUTE[tier] if tier else _DEFAULT_CALLS_PER_MINUTE, 60.0
