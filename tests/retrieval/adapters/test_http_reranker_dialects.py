"""How each kind of server is asked, and what answers of it are read."""

import pytest

from retrieval.adapters.http_reranker import HttpReranker
from retrieval.errors import RequestRefused, ServiceUnavailable
from tests.model_servers.meaning import overlap
from tests.model_servers.scripted import ScriptedModels, ScriptedReranker
from tests.model_servers.server import ModelServer, Response
from tests.retrieval.adapters.http_rerankers import PASSAGES, QUERY, reranker_on, sent_passages, served


def test_a_swift_server_is_sent_one_passage_a_call_and_eight_or_more_at_once() -> None:
    passages = [f"Room {number} is opened with key {number}." for number in range(50)]

    with served("swift") as (models, reranker):
        models.hold(8)  # without eight calls at the same time, none would be answered
        scores = reranker.score(QUERY, passages)

    assert scores == [overlap(QUERY.main_query, passage) for passage in passages]
    assert sorted(sent_passages(models)) == sorted(passages)
    assert [[message["role"] for message in body["messages"]] for body in models.bodies] == [["user", "assistant"]] * 50
    assert 8 <= models.most_at_once <= 16


def test_passages_that_a_batching_swift_server_refused_beside_a_bad_one_are_sent_again_alone() -> None:
    passages = [f"Room {number} is opened with key {number}." for number in range(10)]

    with served("swift", model="Qwen3-Reranker-0.6B") as (models, reranker):
        models.fail("400", times=3)
        scores = reranker.score(QUERY, passages)

    assert scores == [overlap(QUERY.main_query, passage) for passage in passages]
    assert len(models.calls) == 13


def test_a_passage_that_is_refused_alone_too_is_not_tried_a_third_time() -> None:
    with served("swift") as (models, reranker):
        models.max_chars = 80
        with pytest.raises(RequestRefused, match="too much for the server"):
            reranker.score(QUERY, [*PASSAGES, "x" * 100])

    assert len(models.calls) == 5


@pytest.mark.parametrize(("content", "score"), [([0.25], 0.25), (0.25, 0.25), ("0.97", 0.97), ("1e-3", 0.001), (1, 1)])
def test_a_swift_score_is_read_by_its_type(content: object, score: float) -> None:
    with _chat_that_says(content) as server:
        assert reranker_on(server, "swift").score(QUERY, PASSAGES[:1]) == [score]


@pytest.mark.parametrize("content", ["yes", "", "<think>\n\n</think>\n\nyes", None, [], [0.1, 0.2], True, {"a": 1}])
def test_what_is_no_swift_score_is_refused(content: object) -> None:
    with _chat_that_says(content) as server, pytest.raises(ServiceUnavailable, match="is no score"):
        reranker_on(server, "swift").score(QUERY, PASSAGES[:1])


def _chat_that_says(content: object) -> ModelServer:
    message = {"role": "assistant", "content": content}
    return ModelServer(lambda request: Response(200, {"choices": [{"index": 0, "message": message}]}))


_ROWS = [{"index": 2, "score": 0.9}, {"index": 0, "score": 0.5}, {"index": 1, "score": 0.1}]
_TEXTS = ["cosy", {"text": "cosy", "multi_modal": None}, None]


@pytest.mark.parametrize(
    "answer",
    [
        _ROWS,
        {"data": _ROWS},
        {"results": _ROWS, "meta": {}},
        {"results": [{"index": row["index"], "relevance_score": row["score"]} for row in _ROWS]},
        {"results": [row | {"document": text} for row, text in zip(_ROWS, _TEXTS, strict=True)]},
    ],
)
def test_every_shape_of_results_is_read_by_index(answer: object) -> None:
    with ModelServer(lambda request: Response(200, answer)) as server:
        assert reranker_on(server, "rerank").score(QUERY, PASSAGES) == [0.5, 0.1, 0.9]


@pytest.mark.parametrize(
    "answer",
    [
        {"results": _ROWS[:2]},
        {"results": [*_ROWS[:2], _ROWS[0]]},
        {"results": [*_ROWS, {"index": 3, "score": 0.2}]},
        {"results": [{"relevance_score": 0.5}] * 3},
        {"results": None},
        {"message": "no"},
        [],
        "no",
        None,
    ],
)
def test_results_that_do_not_hold_every_passage_once_are_refused(answer: object) -> None:
    with (
        ModelServer(lambda request: Response(200, [answer] if isinstance(answer, str) else answer)) as server,
        pytest.raises(ServiceUnavailable, match="3 passages were sent"),
    ):
        reranker_on(server, "rerank").score(QUERY, PASSAGES)


def test_hosted_services_are_sent_no_field_that_they_might_refuse() -> None:
    with served("vllm") as (models, reranker):
        reranker.score(QUERY, PASSAGES)

    [body] = models.bodies
    assert body == {"query": QUERY.main_query, "documents": PASSAGES, "model": "Qwen3-Reranker-0.6B"}


def test_tei_is_sent_no_more_texts_a_call_than_it_takes() -> None:
    passages = [f"Room {number} is opened with key {number}." for number in range(70)]

    with served("tei") as (models, reranker):
        scores = reranker.score(QUERY, passages)
        assert [len(body["texts"]) for body in models.bodies] == [32, 32, 6]
        models.most_texts = 10
        assert reranker.score(QUERY, passages) == scores

    assert scores == [pytest.approx(overlap(QUERY.main_query, passage)) for passage in passages]
    assert models.bodies[0] == {
        "query": QUERY.main_query,
        "texts": passages[:32],
        "truncate": True,
        "raw_scores": False,
    }


def test_tei_is_found_though_its_address_is_given_with_a_version() -> None:
    with ScriptedModels(reranker=ScriptedReranker(server="tei")) as models:
        url = f"{models.reranker_url}/v1/"
        reranker = HttpReranker(url, None, None, api="tei", expanded=True, max_chars=400)
        assert len(reranker.score(QUERY, PASSAGES)) == 3

    assert models.reranker.calls[0].path == "/reranker/rerank"
