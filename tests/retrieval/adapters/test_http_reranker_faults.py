"""A served reranker that fails: told in one line, within the question's time, tried again only where it can help."""

import pytest

from retrieval.adapters.http_reranker import HttpReranker
from retrieval.budget import question_budget
from retrieval.errors import RequestRefused, ServiceUnavailable
from tests.model_servers.meaning import overlap
from tests.model_servers.scripted import Fault, ScriptedModels, ServerKind
from tests.retrieval.adapters.http_rerankers import APIS, PASSAGES, QUERY, served

every_server = pytest.mark.parametrize("server", APIS)

RIGHT = [overlap(QUERY.main_query, passage) for passage in PASSAGES]


@every_server
@pytest.mark.parametrize("fault", ["refused", "500", "429", "503", "wrong_json", "wrong_count", "nan", "empty"])
def test_a_fault_ends_in_one_line(server: ServerKind, fault: Fault) -> None:
    with served(server, model="Qwen3-Reranker-0.6B") as (models, reranker):
        models.fail(fault)
        with pytest.raises(ServiceUnavailable, match=r"^RERANKER: .+; ") as caught:
            reranker.score(QUERY, PASSAGES)
        assert not isinstance(caught.value, RequestRefused)
        assert "\n" not in str(caught.value)

        models.heal()
        assert reranker.score(QUERY, PASSAGES) == pytest.approx(RIGHT)


@pytest.mark.parametrize("server", ["swift", "vllm"])
@pytest.mark.parametrize("fault", ["hang", "trickle"])
def test_a_server_that_never_ends_its_answer_is_left_when_the_time_is_up(server: ServerKind, fault: Fault) -> None:
    passages = [f"Room {number} is opened with key {number}." for number in range(50)]

    with served(server) as (models, reranker):
        models.fail(fault)
        with question_budget(0.5), pytest.raises(ServiceUnavailable, match=r"no answer within|used up"):
            reranker.score(QUERY, passages)

    assert len(models.calls) <= 16  # not one after another for all of them


@every_server
def test_no_call_is_made_when_the_time_is_up(server: ServerKind) -> None:
    with (
        served(server) as (models, reranker),
        question_budget(0),
        pytest.raises(ServiceUnavailable, match="used up"),
    ):
        reranker.score(QUERY, PASSAGES)

    assert models.requests == []


@every_server
@pytest.mark.parametrize("fault", ["refused", "429", "503"])
def test_what_passes_in_a_moment_is_tried_a_second_time(server: ServerKind, fault: Fault) -> None:
    with served(server, model="Qwen3-Reranker-0.6B") as (models, reranker):
        models.fail(fault, times=1)
        scores = reranker.score(QUERY, PASSAGES[:1])

    assert scores == pytest.approx(RIGHT[:1])
    assert len(models.calls) == 2


@every_server
@pytest.mark.parametrize(
    ("fault", "retry_after"), [("429", "5"), ("429", "Tue, 01 Dec 2026 10:00:00 GMT"), ("500", "0")]
)
def test_what_does_not_pass_in_a_moment_is_tried_once(server: ServerKind, fault: Fault, retry_after: str) -> None:
    with served(server, model="Qwen3-Reranker-0.6B") as (models, reranker):
        models.fail(fault, retry_after=retry_after)
        with pytest.raises(ServiceUnavailable):
            reranker.score(QUERY, PASSAGES[:1])

    assert len(models.calls) == 1


def test_a_busy_server_that_names_no_time_is_given_a_moment() -> None:
    with served("tei") as (models, reranker):
        models.fail("429", times=1, retry_after=None)
        assert reranker.score(QUERY, PASSAGES) == pytest.approx(RIGHT)


def test_there_is_no_second_try_beyond_the_question_s_time() -> None:
    with served("vllm", model="Qwen3-Reranker-0.6B") as (models, reranker):
        models.fail("429", retry_after="2")
        with question_budget(1.9), pytest.raises(ServiceUnavailable):
            reranker.score(QUERY, PASSAGES[:1])

    assert len(models.calls) <= 1


@every_server
def test_a_right_answer_that_comes_late_is_taken(server: ServerKind) -> None:
    with served(server) as (models, reranker):
        models.fail("slow_then_fine", slow_s=0.05)
        assert reranker.score(QUERY, PASSAGES) == pytest.approx(RIGHT)


@every_server
def test_where_nobody_listens_the_address_is_told(server: ServerKind) -> None:
    with ScriptedModels() as models:
        url = models.closed_url
        reranker = HttpReranker(url, None, None, api=APIS[server], expanded=True, max_chars=400)
        with pytest.raises(ServiceUnavailable, match="RERANKER_BASE_URL") as caught:
            reranker.score(QUERY, PASSAGES * 20)

    assert url.removesuffix("/v1") in str(caught.value)


def test_the_model_s_name_is_asked_for_again_after_an_outage() -> None:
    with served("swift") as (models, reranker):
        models.fail("refused")
        with pytest.raises(ServiceUnavailable):
            reranker.score(QUERY, PASSAGES)
        models.heal()
        reranker.score(QUERY, PASSAGES)

    assert models.bodies[-1]["model"] == models.model
