"""Messages heard to messages answered: each accepted once, kept in the store, worked off by a few workers."""

import datetime as dt
import logging
import threading
from collections import deque
from functools import partial

from bot.audit import AuditTrail
from bot.background import Background
from bot.incident import incident
from bot.jobs import Job, JobQueue
from bot.responder import Responder
from retrieval.build import Deliveries
from retrieval.types import ThreadMessage

logger = logging.getLogger(__name__)

WORKERS = 8
WAITING_MOST = 200
_NOT_KEPT_MOST = 1000
_AGAIN_AFTER_S = 30.0
_REMEMBERED = dt.timedelta(days=30)
"""How long a quiet thread is remembered: so long that nobody goes on in it, and no event about it comes again."""
_TIDY_EVERY_S = 6 * 3600.0


class Delivery:
    """Owns the queue and its workers."""

    def __init__(
        self,
        deliveries: Deliveries,
        responder: Responder,
        trail: AuditTrail,
        *,
        workers: int = WORKERS,
        capacity: int = WAITING_MOST,
    ) -> None:
        self._deliveries = deliveries
        self._responder = responder
        self._trail = trail
        self._queue = JobQueue(capacity)
        self._overflow = Background("overflow")
        self._lock = threading.Lock()
        self._not_kept: deque[tuple[str, str]] = deque(maxlen=_NOT_KEPT_MOST)
        self._closing = threading.Event()
        self._tidier = threading.Thread(target=self._tidy, name="tidier", daemon=True)
        self._workers = [threading.Thread(target=self._work, name=f"answers-{n}", daemon=True) for n in range(workers)]

    def start(self) -> None:
        """Take up what an earlier run accepted and did not finish, then work."""
        unfinished = self._deliveries.unfinished()
        if unfinished:
            logger.info("taking up %d messages from before the restart", len(unfinished))
        for message in unfinished:
            self._queue.put(Job(message), beyond_capacity=True)
        for thread in (*self._workers, self._tidier):
            thread.start()

    def accept(self, job: Job) -> bool:
        """Queue a message for its reply. False when it was accepted before, or could not be kept: then the
        person gets an apology."""
        try:
            if not self._deliveries.record(job.message):
                return False
        except Exception:
            self._apologise(job, incident(logger, f"keeping {job.message.channel} {job.message.ts}"))
            return False
        if not self._queue.put(job) and not self._queue.closed:
            self._overflow.submit(partial(self._responder.refuse_busy, job))
        return True

    def hear(self, message: ThreadMessage) -> None:
        """Keep a message of a thread that is not to be answered."""
        self._deliveries.record(message)

    def takes_part(self, channel: str, thread: str) -> bool:
        """Whether the bot was asked or has spoken in the thread."""
        known = self._deliveries.thread(channel, thread)
        return any(message.by_bot or message.state != "heard" for message in known)

    def close(self) -> None:
        """Begin no more replies. What still waits, and what is accepted from now on, is for the next start."""
        self._closing.set()
        self._queue.close()
        self._overflow.close()

    def wait_until_idle(self, timeout_s: float) -> bool:
        """Wait for the replies under way. False when some did not end in time."""
        return self._queue.wait_until_idle(timeout_s)

    def _apologise(self, job: Job, number: str) -> None:
        """The store fails, so memory must do to tell the second event about a message from the first."""
        with self._lock:
            known = (job.message.channel, job.message.ts) in self._not_kept
            self._not_kept.append((job.message.channel, job.message.ts))
        if not known:
            self._overflow.submit(partial(self._responder.apologise, job, number))

    def _work(self) -> None:
        while (job := self._queue.take()) is not None:
            done = False
            try:
                done = self._responder.respond(job)
            finally:
                self._queue.done(job)
                if not done:
                    self._queue.put_back(job, _AGAIN_AFTER_S)

    def _tidy(self) -> None:
        """Forget quiet threads and old records, now and every few hours."""
        while not self._closing.is_set():
            try:
                gone = self._deliveries.forget(dt.datetime.now(dt.UTC) - _REMEMBERED)
                if gone:
                    logger.info("forgot %d messages of threads that have long been quiet", gone)
            except Exception:
                incident(logger, "forgetting threads that have long been quiet")
            self._trail.forget_old()
            self._closing.wait(_TIDY_EVERY_S)
