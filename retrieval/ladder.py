"""A served part and what stands in for it: the rungs on which a question is answered though a server fails."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from retrieval.budget import in_this_question, note_missing, share_of_budget, time_left_s
from retrieval.errors import ModelOutputInvalid, RequestRefused, ServiceUnavailable
from retrieval.ports import Answerer
from retrieval.types import Draft, Evidence, ExtractedQuery, Missing

log = logging.getLogger(__name__)

Result = TypeVar("Result")

_LONGEST_S = 600.0


@dataclass
class ServedPart:
    """What a server does for a question. `share` is how much of the question's remaining time it may use. Thread-safe.

    After an outage the server is left alone for `cool_down_s`; then one question tries it again, and for as long again
    others still go without.
    """

    name: Missing
    share: float
    cool_down_s: float = 20.0
    _rests_until: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def attempt(self, work: Callable[[], Result], instead: Callable[[], Result]) -> Result:
        """What the work returns, or the stand-in where the server fails, is too slow or rests."""
        try:
            with share_of_budget(self.share):
                seconds = time_left_s(_LONGEST_S)
                if self._may_be_asked():
                    return self._asked(lambda: _within(seconds, work))
        except (ServiceUnavailable, ModelOutputInvalid) as error:
            log.warning("answering without the %s: %s", self.name, error)
        note_missing(self.name)
        return instead()

    def _may_be_asked(self) -> bool:
        with self._lock:
            now = time.monotonic()
            if now < self._rests_until:
                return False
            if self._rests_until:
                self._rests_until = now + self.cool_down_s
            return True

    def _asked(self, work: Callable[[], Result]) -> Result:
        try:
            result = work()
        except (RequestRefused, ModelOutputInvalid):  # this question's trouble: the next one is tried as ever
            self._rest(0.0)
            raise
        except ServiceUnavailable:
            self._rest(time.monotonic() + self.cool_down_s)
            raise
        self._rest(0.0)
        return result

    def _rest(self, until: float) -> None:
        with self._lock:
            self._rests_until = until


@dataclass(frozen=True)
class ServedAnswerer:
    """Answerer by a language model, or by quotations while that does not answer."""

    served: Answerer
    quoting: Answerer
    part: ServedPart

    def compose(self, query: ExtractedQuery, evidence: Sequence[Evidence]) -> Draft:
        """Never fails but by the quotations."""
        return self.part.attempt(
            lambda: self.served.compose(query, evidence), lambda: self.quoting.compose(query, evidence)
        )


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
