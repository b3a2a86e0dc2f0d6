"""The queue is bounded, fair, and keeps each thread in order."""

import threading

from bot.jobs import Job, JobQueue
from retrieval.types import ThreadMessage


def job(ts: str, thread: str = "", channel: str = "C1") -> Job:
    return Job(ThreadMessage(channel, ts, thread or ts, "U1", "hi", state="accepted"))


def test_a_full_queue_takes_no_more() -> None:
    queue = JobQueue(2)

    assert [queue.put(job(ts)) for ts in ("1", "2", "3")] == [True, True, False]
    assert queue.put(job("4"), beyond_capacity=True)


def test_jobs_of_one_thread_never_run_at_the_same_time() -> None:
    queue = JobQueue(10)
    for ts, thread in (("1", "a"), ("2", "a"), ("3", "b")):
        queue.put(job(ts, thread))

    first, second = queue.take(), queue.take()
    assert first
    assert second
    queue.done(first)
    third = queue.take()

    assert third
    assert [found.message.ts for found in (first, second, third)] == ["1", "3", "2"]


def test_a_job_waiting_for_its_thread_is_given_out_when_the_thread_is_free() -> None:
    queue = JobQueue(10)
    queue.put(job("1", "a"))
    queue.put(job("2", "a"))
    first = queue.take()
    assert first
    taken: list[Job | None] = []
    worker = threading.Thread(target=lambda: taken.append(queue.take()))

    worker.start()
    queue.done(first)
    worker.join(10)

    assert [found.message.ts for found in taken if found] == ["2"]


def test_one_busy_channel_holds_up_no_other() -> None:
    queue = JobQueue(10)
    for ts in "12345":
        queue.put(job(ts))
    queue.put(job("6", channel="C2"))

    taken = [queue.take() for _ in range(4)]

    assert [found.message.ts for found in taken if found] == ["1", "2", "3", "6"]


def test_a_job_put_back_is_given_out_again_when_its_time_has_come() -> None:
    now = [0.0]
    queue = JobQueue(10, clock=lambda: now[0])
    queue.put_back(job("1"), 30.0)
    queue.put(job("2"))
    first = queue.take()
    now[0] = 30.0

    second = queue.take()

    assert [found.message.ts for found in (first, second) if found] == ["2", "1"]


def test_closing_gives_out_nothing_more_and_waits_for_what_is_under_way() -> None:
    queue = JobQueue(10)
    queue.put(job("1"))
    queue.put(job("2"))
    under_way = queue.take()
    assert under_way
    queue.close()
    assert not queue.wait_until_idle(timeout_s=0)

    queue.done(under_way)

    assert queue.wait_until_idle(timeout_s=0)
    assert queue.take() is None
    assert not queue.put(job("3"))
