"""Accepted messages to workers: bounded, and one at a time in each thread."""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from retrieval.types import ThreadMessage


@dataclass(frozen=True, slots=True)
class Job:
    """A message to answer. `addressed`: it mentions the bot or is direct; otherwise it follows up in a thread.

    `shared_channel` is None where it is not known, and so are the `files` of the message, as Slack sent them: the job
    comes from before a restart.
    """

    message: ThreadMessage
    addressed: bool = True
    shared_channel: bool | None = None
    files: Sequence[Mapping[str, Any]] | None = None

    @property
    def key(self) -> tuple[str, str]:
        """The thread."""
        return self.message.channel, self.message.thread


_SAME_CHANNEL_MOST = 3


class JobQueue:
    """Gives jobs out in the order they came, but never two of one thread at the same time, and few of one channel:
    Slack takes a message a second there, and those who wait elsewhere must not wait for that."""

    def __init__(self, capacity: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._capacity = capacity
        self._clock = clock
        self._waiting: deque[Job] = deque()
        self._later: list[tuple[float, Job]] = []
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

    def put_back(self, job: Job, delay_s: float) -> None:
        """Give the job out again, not before so many seconds have passed."""
        with self._changed:
            self._later.append((self._clock() + delay_s, job))
            self._changed.notify()

    def take(self) -> Job | None:
        """The next job, waiting for one; None once the queue is closed. Each is to be given back by `done`."""
        with self._changed:
            while not self._closed:
                next_due_s = self._take_up_due()
                job = next((waiting for waiting in self._waiting if self._may_go(waiting)), None)
                if job is not None:
                    self._waiting.remove(job)
                    self._under_way.add(job.key)
                    return job
                self._changed.wait(next_due_s)
            return None

    def _take_up_due(self) -> float | None:
        """Move what is due among the waiting; seconds until the next one is, None without one."""
        now = self._clock()
        self._waiting.extend(job for due, job in self._later if due <= now)
        self._later = [(due, job) for due, job in self._later if due > now]
        return min(due for due, _ in self._later) - now if self._later else None

    def _may_go(self, job: Job) -> bool:
        channel = job.message.channel
        busy = sum(under_way == channel for under_way, _ in self._under_way)
        return job.key not in self._under_way and busy < _SAME_CHANNEL_MOST

    def done(self, job: Job) -> None:
        """The job is finished; the next one of its thread may go."""
        with self._changed:
            self._under_way.discard(job.key)
            self._changed.notify_all()

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
