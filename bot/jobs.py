"""Accepted messages to workers: bounded, and one at a time in each thread."""

import threading
from collections import deque
from dataclasses import dataclass

from retrieval.types import ThreadMessage


@dataclass(frozen=True, slots=True)
class Job:
    """A message to answer. `addressed`: it mentions the bot or is direct; otherwise it follows up in a thread.

    `shared_channel` is None where it is not known: the job comes from before a restart. `has_files` tells of
    files in the message, which are not read.
    """

    message: ThreadMessage
    addressed: bool = True
    shared_channel: bool | None = None
    has_files: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """The thread."""
        return self.message.channel, self.message.thread


class JobQueue:
    """Gives jobs out in the order they came, but never two of one thread at the same time."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._waiting: deque[Job] = deque()
        self._under_way: set[tuple[str, str]] = set()
        self._closed = False
        self._changed = threading.Condition()

    def put(self, job: Job, *, beyond_capacity: bool = False) -> bool:
        """False, and nothing kept, when the queue is full or closed."""
        with self._changed:
            full = len(self._waiting) >= self._capacity and not beyond_capacity
            if full or self._closed:
                return False
            self._waiting.append(job)
            self._changed.notify()
            return True

    def take(self) -> Job | None:
        """The next job, waiting for one; None once the queue is closed. Each is to be given back by `done`."""
        with self._changed:
            while not self._closed:
                job = next((waiting for waiting in self._waiting if waiting.key not in self._under_way), None)
                if job is not None:
                    self._waiting.remove(job)
                    self._under_way.add(job.key)
                    return job
                self._changed.wait()
            return None

    def done(self, job: Job) -> None:
        """The job is finished; the next one of its thread may go."""
        with self._changed:
            self._under_way.discard(job.key)
            self._changed.notify()

    def close(self) -> None:
        """Take in and give out nothing more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        """Whether the queue is closed."""
        return self._closed

    def wait_until_idle(self, timeout_s: float) -> bool:
        """Wait for what is under way. False when some of it did not end in time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._under_way, timeout_s)
