"""Faults that a test orders, kept until the traffic they are meant for comes by."""

from dataclasses import dataclass
from typing import Any

from workspace.errors import ControlError
from workspace.json_types import Json

CONNECTION_KINDS = ("drop", "half_open", "disconnect")
# The streams of changes that open pages watch are cut; the pages come back by themselves.
PAGE_KIND = "page"
DELIVERY_KINDS = ("duplicate", "late")
CALL_KINDS = ("error", "ratelimit")
_KINDS = (*CONNECTION_KINDS, PAGE_KIND, *DELIVERY_KINDS, *CALL_KINDS)
_LATE_S = 5.0
_DEFAULT_ERRORS = {"error": "internal_error", "disconnect": "refresh_requested"}


@dataclass(slots=True)
class Fault:
    """One ordered fault; `times` is how often it still strikes, `after` that the call takes effect all the same."""

    kind: str
    method: str
    times: int
    error: str
    retry_after_s: float
    seconds: float | None
    after: bool

    @property
    def delay_s(self) -> float:
        """How late an event comes."""
        return _LATE_S if self.seconds is None else self.seconds


class Faults:
    """The faults still to strike."""

    def __init__(self) -> None:
        self._armed: list[Fault] = []
        self.rate_limits_enforced = False

    def order(self, wanted: Json) -> Fault:
        """The fault, armed unless it is one of connections, to be done at once; ControlError for nonsense."""
        fault = _parsed(wanted)
        # Slack's own limits, until a reset, as opposed to so many answers with 429.
        if fault.kind == "ratelimit" and fault.method == "*" and "times" not in wanted:
            self.rate_limits_enforced = True
        elif fault.kind not in (*CONNECTION_KINDS, PAGE_KIND) and fault.times > 0:
            self._armed.append(fault)
        return fault

    def take(self, kind: str, method: str = "*") -> Fault | None:
        """The fault of that kind that strikes now, counted down; None when there is none."""
        for fault in self._armed:
            if fault.kind == kind and fault.method in ("*", method):
                fault.times -= 1
                if fault.times <= 0:
                    self._armed.remove(fault)
                return fault
        return None


def _parsed(wanted: Json) -> Fault:
    kind = wanted.get("kind")
    if kind not in _KINDS:
        raise ControlError(400, "invalid_fault", f"kind must be one of: {', '.join(_KINDS)}.")
    seconds = wanted.get("seconds")
    return Fault(
        kind=str(kind),
        method=str(wanted.get("method", "*")),
        times=int(_number(wanted, "times", 1)),
        error=str(wanted.get("error", _DEFAULT_ERRORS.get(str(kind), ""))),
        retry_after_s=_number(wanted, "retry_after", 1),
        seconds=None if seconds is None else _number(wanted, "seconds", 0),
        after=wanted.get("after") is True,
    )


def _number(wanted: Json, key: str, default: float) -> float:
    value: Any = wanted.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        raise ControlError(400, "invalid_fault", f"{key} must be a number of 0 or more, not {value!r}.")
    return float(value)
