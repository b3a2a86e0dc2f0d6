"""The time that one question may take, what was missing while it was answered, and which models were called.

They belong to a question and not to a part: an adapter deep down asks how long it may wait, a part that had to
stand in for another says so, and the pipeline tells it in the reply.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from typing import TypeVar

from retrieval.errors import ServiceUnavailable
from retrieval.types import Missing, ModelCall

Result = TypeVar("Result")


@dataclass(frozen=True)
class Budget:
    """`deadline` is a reading of time.monotonic()."""

    deadline: float
    missing: dict[Missing, None] = field(default_factory=dict)
    calls: list[ModelCall] = field(default_factory=list)


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def question_budget(seconds: float) -> Iterator[Budget]:
    """For the calls made within. Its `missing` and `calls` fill, in order, the former without repeats."""
    budget = Budget(time.monotonic() + seconds)
    token = _current.set(budget)
    try:
        yield budget
    finally:
        _current.reset(token)


@contextmanager
def share_of_budget(share: float) -> Iterator[None]:
    """Within, no more than this share of the time left may be spent, so that others still have theirs."""
    whole = _current.get()
    if whole is None:
        yield
        return
    now = time.monotonic()
    token = _current.set(Budget(now + (whole.deadline - now) * share, whole.missing, whole.calls))
    try:
        yield
    finally:
        _current.reset(token)


def time_left_s(most_s: float) -> float:
    """How long a call may take: `most_s`, or what is left of the question's time if that is less.

    Raises ServiceUnavailable when nothing is left.
    """
    budget = _current.get()
    left = most_s if budget is None else min(most_s, budget.deadline - time.monotonic())
    if left <= 0:
        raise ServiceUnavailable("the time for this question is used up")
    return left


def note_missing(part: Missing) -> None:
    """The question is answered without this part."""
    if budget := _current.get():
        budget.missing[part] = None


def missing_parts() -> frozenset[Missing]:
    """What the question has gone without so far."""
    budget = _current.get()
    return frozenset(budget.missing) if budget else frozenset()


def note_call(call: ModelCall) -> None:
    """The question was put to this model."""
    if budget := _current.get():
        budget.calls.append(call)


def in_this_question(work: Callable[[], Result]) -> Callable[[], Result]:
    """The work as something that another thread may do on behalf of the question of this one."""
    context = copy_context()
    return lambda: context.run(work)
