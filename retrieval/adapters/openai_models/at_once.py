"""Calls made at the same time, of which one failure ends the wait for all."""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from functools import partial
from typing import TypeVar

from retrieval.budget import in_this_question

Result = TypeVar("Result")


def all_at_once(calls: Sequence[Callable[[], Result]], most: int) -> list[Result]:
    """Results in order, of at most so many calls at a time. Raises the first error of any; what has not begun then
    never does, and what hangs is left alone in daemon threads, which keep no process from ending."""
    futures: list[Future[Result]] = [Future() for _ in calls]
    waiting = deque(zip(futures, map(in_this_question, calls), strict=True))
    for _ in range(min(most, len(calls))):
        threading.Thread(target=partial(_work_off, waiting), name="embedding", daemon=True).start()
    try:
        for future in wait(futures, return_when=FIRST_EXCEPTION).done:
            future.result()
        return [future.result() for future in futures]
    finally:
        waiting.clear()


def _work_off(waiting: deque[tuple[Future[Result], Callable[[], Result]]]) -> None:
    while True:
        try:
            future, call = waiting.popleft()
        except IndexError:
            return
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)
