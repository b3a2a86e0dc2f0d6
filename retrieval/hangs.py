"""A server that takes calls and never answers: known by its timeouts, so that not every call waits for the next one."""

import time

from retrieval.errors import ServiceUnavailable

_TIMEOUTS_OF_A_HANG = 2
_LEAST_WAIT_S = 10.0
"""A question whose time was nearly used up tells nothing of the server."""

_FAILING_S = 30.0


class Hangs:
    """What is known of one server. Thread-safe."""

    def __init__(self) -> None:
        self._timeouts_in_a_row = 0
        self._known: tuple[float, str] | None = None

    def check(self) -> None:
        """Raises ServiceUnavailable for a while after a hang was seen, with the same advice."""
        if (known := self._known) and time.monotonic() < known[0]:
            raise ServiceUnavailable(known[1])

    def timed_out(self, told: str, waited_s: float, most_s: float) -> ServiceUnavailable:
        """The error for a call that waited so long of at most `most_s`."""
        if waited_s >= min(most_s, _LEAST_WAIT_S):
            self._timeouts_in_a_row += 1
        if self._timeouts_in_a_row < _TIMEOUTS_OF_A_HANG:
            return ServiceUnavailable(f"{told}; restart the server if that goes on")
        told = f"{told}, {self._timeouts_in_a_row} times in a row; restart the server"
        self._known = time.monotonic() + _FAILING_S, told
        return ServiceUnavailable(told)

    def answered(self) -> None:
        """It does not hang."""
        self._timeouts_in_a_row, self._known = 0, None
