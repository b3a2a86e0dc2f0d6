"""What can go wrong with a scripted service, for so many calls or until it is healed."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

Fault = Literal[
    "refused",  # the connection is reset when the request has come
    "hang",  # nothing comes, ever
    "400",  # the request is refused, whatever it is
    "500",
    "429",
    "503",
    "wrong_json",  # an answer that breaks off
    "wrong_count",  # one vector or score too few, or one too many where one is asked for; no choice of a chat
    "nan",
    "empty",  # a well-formed answer that holds nothing
    "slow_then_fine",  # the right answer, late
    "trickle",  # an answer that comes byte by byte and never ends
]


@dataclass
class Faults:
    """Thread-safe."""

    _fault: Fault | None = None
    _times: int | None = None
    retry_after: str | None = "0"
    slow_s: float = 0.5
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def set(self, fault: Fault | None, times: int | None, retry_after: str | None, slow_s: float) -> None:
        with self._lock:
            self._fault, self._times, self.retry_after, self.slow_s = fault, times, retry_after, slow_s

    @property
    def down(self) -> bool:
        """Whether the server refuses all connections."""
        with self._lock:
            return self._fault == "refused" and self._times != 0

    def take(self) -> Fault | None:
        """The fault of the call that has just come."""
        with self._lock:
            if self._times is None:
                return self._fault
            if not self._times:
                return None
            self._times -= 1
            return self._fault


@dataclass
class Crowd:
    """The calls that are there at the same time."""

    most: int = 0
    _enough: int = 1
    _inside: int = 0
    _open: bool = True
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def hold(self, calls: int) -> None:
        with self._changed:
            self._enough, self._open = calls, False

    @contextmanager
    def present(self) -> Iterator[None]:
        """One call, which waits while calls are held and too few."""
        with self._changed:
            self._inside += 1
            self.most = max(self.most, self._inside)
            self._open = self._open or self._inside >= self._enough
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._open)
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1

    def let_go(self) -> None:
        with self._changed:
            self._open = True
            self._changed.notify_all()
