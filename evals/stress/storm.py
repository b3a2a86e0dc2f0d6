"""A seed to a plan of what goes wrong, and when."""

import random
from dataclasses import dataclass
from typing import Any

_LATE_MOST_S = 1200
_KILLS = 5
_CONNECTION_FAULTS_PER_MINUTE = 3
_CALL_FAULTS_PER_MINUTE = 40
_DELIVERY_FAULTS_PER_MINUTE = 40
_CALLED = ("chat.postMessage", "conversations.replies", "users.info", "assistant.threads.setStatus")


@dataclass(frozen=True, slots=True)
class Strike:
    """One thing that goes wrong `at_s` seconds after the start: a fault of the workspace's, or the bot is killed."""

    at_s: float
    kind: str
    fields: dict[str, Any]


def storm(duration_s: float, seed: int) -> list[Strike]:
    """Everything that goes wrong, in order. The same for the same seed."""
    rng = random.Random(seed)  # noqa: S311 a plan, not a secret
    minutes = duration_s / 60
    strikes = [_kill(duration_s, number, rng) for number in range(_KILLS)]
    for per_minute, draw in (
        (_CONNECTION_FAULTS_PER_MINUTE, _connection_fault),
        (_DELIVERY_FAULTS_PER_MINUTE, _delivery_fault),
        (_CALL_FAULTS_PER_MINUTE, _call_fault),
    ):
        strikes += [draw(rng.uniform(0, duration_s), rng) for _ in range(round(per_minute * minutes))]
    return sorted(strikes, key=lambda strike: strike.at_s)


def _kill(duration_s: float, number: int, rng: random.Random) -> Strike:
    part_s = duration_s / _KILLS
    return Strike((number + rng.uniform(0.2, 0.8)) * part_s, "kill", {})


def _connection_fault(at_s: float, rng: random.Random) -> Strike:
    kind = rng.choice(("drop", "half_open", "disconnect"))
    return Strike(at_s, kind, {"error": rng.choice(("warning", "refresh_requested"))} if kind == "disconnect" else {})


def _delivery_fault(at_s: float, rng: random.Random) -> Strike:
    if rng.random() < 0.6:
        return Strike(at_s, "duplicate", {"times": rng.randint(1, 5)})
    return Strike(at_s, "late", {"times": rng.randint(1, 3), "seconds": rng.uniform(10, _LATE_MOST_S)})


def _call_fault(at_s: float, rng: random.Random) -> Strike:
    method = rng.choice(_CALLED)
    if rng.random() < 0.3:
        return Strike(at_s, "ratelimit", {"method": method, "times": 1, "retry_after": rng.randint(1, 4)})
    after = method == "chat.postMessage" and rng.random() < 0.6
    fields = {"method": method, "times": rng.randint(1, 2), "error": rng.choice(("internal_error", "fatal_error"))}
    return Strike(at_s, "error", {**fields, "after": after})
