"""Work handed over to one thread in the background."""

import queue
import threading
from collections.abc import Callable


class Background:
    """Does one thing after the other. Nothing of it holds up the end of the process."""

    def __init__(self, name: str) -> None:
        self._waiting: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[], None]) -> None:
        """Queue a piece of work, which raises nothing."""
        self._waiting.put(work)

    def close(self) -> None:
        """Begin nothing more."""
        self._closed.set()
        self._waiting.put(None)

    @property
    def closed(self) -> bool:
        """Whether it begins nothing more."""
        return self._closed.is_set()

    def wait_until_idle(self, timeout_s: float) -> bool:
        """Once closed: wait for the work under way. False when it did not end in time."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (work := self._waiting.get()) is not None and not self.closed:
            work()
