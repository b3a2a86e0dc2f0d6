"""Served parts, their stand-ins and the time of a question."""

import threading
import time

import pytest

from retrieval.budget import question_budget, share_of_budget, time_left_s
from retrieval.errors import ModelOutputInvalid, RequestRefused, ServiceUnavailable
from retrieval.ladder import ServedPart
from retrieval.types import Missing

PLENTY_S = 60.0


def failing(error: Exception) -> str:
    raise error


def part(*, cool_down_s: float = PLENTY_S) -> ServedPart:
    return ServedPart(Missing.RERANKER, share=0.5, cool_down_s=cool_down_s)


def test_while_the_server_answers_nothing_stands_in() -> None:
    with question_budget(PLENTY_S) as budget:
        assert part().attempt(lambda: "served", lambda: "embedded") == "served"

    assert not budget.missing


@pytest.mark.parametrize(
    "error", [ServiceUnavailable("refused"), RequestRefused("too long"), ModelOutputInvalid("no JSON")]
)
def test_a_failure_is_stood_in_for_and_told(error: Exception) -> None:
    with question_budget(PLENTY_S) as budget:
        assert part().attempt(lambda: failing(error), lambda: "embedded") == "embedded"

    assert list(budget.missing) == [Missing.RERANKER]


def test_a_fault_of_ours_is_not_mistaken_for_an_outage() -> None:
    with pytest.raises(KeyError):
        part().attempt(lambda: failing(KeyError("bug")), lambda: "embedded")


def test_after_an_outage_the_server_rests_and_after_a_refused_request_it_does_not() -> None:
    down, picky = part(), part()
    down.attempt(lambda: failing(ServiceUnavailable("refused")), lambda: "embedded")
    picky.attempt(lambda: failing(RequestRefused("too long")), lambda: "embedded")

    assert down.attempt(lambda: "served", lambda: "embedded") == "embedded"
    assert picky.attempt(lambda: "served", lambda: "embedded") == "served"


def test_after_the_cool_down_one_question_tries_again_and_the_others_wait_for_its_outcome() -> None:
    mended = part(cool_down_s=0.05)
    mended.attempt(lambda: failing(ServiceUnavailable("refused")), lambda: "embedded")
    time.sleep(0.06)

    assert mended.attempt(lambda: "served", lambda: "embedded") == "served"
    assert mended.attempt(lambda: "served", lambda: "embedded") == "served"

    tried = part()
    tried._rests_until = time.monotonic() - 1
    meanwhile: list[str] = []
    tried.attempt(lambda: meanwhile.append(tried.attempt(lambda: "served", lambda: "embedded")), lambda: None)
    assert meanwhile == ["embedded"]


def test_work_that_never_ends_holds_up_nothing() -> None:
    never = threading.Event()
    with question_budget(1.0) as budget:
        assert part().attempt(lambda: str(never.wait()), lambda: "embedded") == "embedded"
        assert time_left_s(PLENTY_S) > 0, "the stand-in has its share of the time"

    assert list(budget.missing) == [Missing.RERANKER]
    never.set()


def test_a_question_out_of_time_does_not_count_against_the_server() -> None:
    served = part()
    with question_budget(-1):
        assert served.attempt(lambda: "served", lambda: "embedded") == "embedded"

    assert served.attempt(lambda: "served", lambda: "embedded") == "served"


def test_a_share_of_the_time_is_no_more_than_that_and_what_is_missing_within_it_is_told() -> None:
    with question_budget(100) as budget:
        with share_of_budget(0.1):
            assert 9 < time_left_s(PLENTY_S) <= 10
            part().attempt(lambda: failing(ServiceUnavailable("refused")), lambda: "embedded")
        assert time_left_s(PLENTY_S) == PLENTY_S

    assert list(budget.missing) == [Missing.RERANKER]


def test_without_a_question_a_call_has_its_own_limit() -> None:
    assert time_left_s(3) == 3
