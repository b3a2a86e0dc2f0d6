"""A served part and what stands in for it: the rungs on which a question is answered though a server fails."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from retrieval.budget import in_this_question, note_missing, share_of_budget, time_left_s
from retrieval.errors import ModelOutputInvalid, RequestRefused, ServiceUnavailable
from retrieval.types import Missing

log = logging.getLogger(__name__)

Result = TypeVar("Result")

_COOL_DOWN_S = 20.0
_LONGEST_S = 600.0


@dataclass
class ServedPart:
    """One server, remembered between questions. Thread-safe.

    After an outage it is left alone for `cool_down_s`; then one question tries it again while the others still go
    without. `share` is how much of a question's remaining time it may use.
    """

    name: Missing
    share: float
    cool_down_s: float = _COOL_DOWN_S
    _rests_until: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def attempt(self, work: Callable[[], Result], instead: Callable[[], Result]) -> Result:
        """What the work returns, or the stand-in where the part fails, is too slow or rests."""
        if not self._may_try():
            note_missing(self.name)
            return instead()
        try:
            with share_of_budget(self.share):
                result = _within(time_left_s(_LONGEST_S), work)
        except (RequestRefused, ModelOutputInvalid) as error:  # this question's trouble: the next one is tried as ever
            self._came_back()
            log.warning("%s: %s", self.name, error)
        except ServiceUnavailable as error:
            self._rest()
            log.warning("%s is out for %d s: %s", self.name, self.cool_down_s, error)
        else:
            self._came_back()
            return result
        note_missing(self.name)
        return instead()

    def _may_try(self) -> bool:
        with self._lock:
            now = time.monotonic()
            if now < self._rests_until:
                return False
            if self._rests_until:
                self._rests_until = now + self.cool_down_s
            return True

    def _rest(self) -> None:
        with self._lock:
            self._rests_until = time.monotonic() + self.cool_down_s

    def _came_back(self) -> None:
        with self._lock:
            self._rests_until = 0.0


def _within(seconds: float, work: Callable[[], Result]) -> Result:
    """What the work returns or raises. Raises ServiceUnavailable after the time given, whatever the work waits for:
    a server that sends a byte now and then outlasts any timeout of a socket."""
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=in_this_question(run), name="served-part", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise ServiceUnavailable(f"no answer within {seconds:.1f} s")
    if failure:
        raise failure[0]
    return outcome[0]
