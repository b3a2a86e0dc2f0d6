"""What scores of a served reranker are taken for."""

from typing import Any

import pytest

from retrieval.adapters.http_reranker import HttpReranker
from retrieval.errors import ServiceUnavailable
from tests.model_servers.meaning import overlap
from tests.model_servers.scripted import ScriptedEmbedding, ScriptedModels, ScriptedReranker, ServerKind
from tests.retrieval.adapters.http_rerankers import APIS, PASSAGES, QUERY, served

every_server = pytest.mark.parametrize("server", APIS)


@pytest.mark.parametrize("url", ["reranker_url", "embedding_url"])
def test_scores_below_0_are_told_to_be_an_embedding_server_s(url: str) -> None:
    cosines = dict(zip(PASSAGES, (0.4, -0.2, 0.1), strict=True))
    embedding = ScriptedEmbedding(vector_of=lambda text: (1.0, 0.0) if text == QUERY.main_query else (-0.6, 0.8))
    reranker = ScriptedReranker(score_of=lambda _, passage, __: cosines[passage])

    with ScriptedModels(embedding=embedding, reranker=reranker) as models:
        asked = HttpReranker(getattr(models, url), None, None, api="rerank", expanded=True, max_chars=400)
        with pytest.raises(ServiceUnavailable, match="cosines of an embedding model"):
            asked.score(QUERY, PASSAGES)


@every_server
def test_scores_beyond_1_are_told_to_be_logits(server: ServerKind) -> None:
    with (
        served(server, score_of=lambda _, passage, __: float(len(passage))) as (_, reranker),
        pytest.raises(ServiceUnavailable, match="raw logits"),
    ):
        reranker.score(QUERY, PASSAGES)


@every_server
def test_the_same_score_for_all_is_a_broken_model_unless_it_says_that_nothing_fits(server: ServerKind) -> None:
    with served(server, score_of=lambda *_: 0.5) as (models, reranker):
        with pytest.raises(ServiceUnavailable, match=r"all passages score 0\.5"):
            reranker.score(QUERY, PASSAGES)
        assert reranker.score(QUERY, PASSAGES[:2]) == [0.5, 0.5]
        assert reranker.score(QUERY, PASSAGES[:1] * 3) == [0.5] * 3
        models.score_of = lambda *_: 0.0
        assert reranker.score(QUERY, PASSAGES) == [0.0] * 3


@every_server
def test_rounding_errors_are_forgiven(server: ServerKind) -> None:
    rounded = dict(zip(PASSAGES, (1.0000001, -0.0, -1e-9), strict=True))

    with served(server, score_of=lambda _, passage, __: rounded[passage]) as (_, reranker):
        scores = reranker.score(QUERY, PASSAGES)

    assert [str(score) for score in scores] == ["1.0", "0.0", "0.0"]


def _bge(logits: dict[str, float]) -> Any:
    """llama.cpp's raw logits; what answers no query gets what BGE gives it."""
    return served("llama.cpp", model="bge-reranker-v2-m3", score_of=lambda _, passage, __: logits.get(passage, -8.2))


@pytest.mark.parametrize("logits", [(3.0, -5.0, 0.0), (0.2, 0.9, 0.5), (5.2, 7.1, 1.4)])
def test_raw_logits_of_bge_become_probabilities_wherever_they_lie(logits: tuple[float, float, float]) -> None:
    with _bge(dict(zip(PASSAGES, logits, strict=True))) as (_, reranker):
        scores = reranker.score(QUERY, PASSAGES)

    known = {3.0: 0.9526, -5.0: 0.0067, 0.0: 0.5, 0.2: 0.5498, 0.9: 0.7109, 0.5: 0.6225, 5.2: 0.9945, 7.1: 0.9992}
    assert scores == [pytest.approx((known | {1.4: 0.8022})[logit], abs=1e-4) for logit in logits]


def test_a_logit_beyond_what_exp_can_hold_is_a_probability_too() -> None:
    with _bge(dict(zip(PASSAGES, (-1e4, 1e4, 0.0), strict=True))) as (_, reranker):
        assert reranker.score(QUERY, PASSAGES) == [0.0, 1.0, 0.5]


def test_probabilities_of_bge_stay_as_they_are() -> None:
    with served("vllm", model="BAAI/bge-reranker-base") as (models, reranker):
        models.model = "BAAI/bge-reranker-base"
        scores = reranker.score(QUERY, PASSAGES)

    assert scores == [overlap(QUERY.main_query, passage) for passage in PASSAGES]


def test_cosines_under_the_name_of_bge_are_not_taken_for_logits() -> None:
    cosines = dict(zip(PASSAGES, (0.4, -0.2, 0.1), strict=True))

    with (
        served("llama.cpp", model="bge-reranker-base", score_of=lambda _, text, __: cosines.get(text, 0.3)) as (_, it),
        pytest.raises(ServiceUnavailable, match="cosines of an embedding model"),
    ):
        it.score(QUERY, PASSAGES)
