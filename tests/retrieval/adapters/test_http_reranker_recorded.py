"""What real servers sent (tiny models with random weights: the shapes are real, the scores mean nothing)."""

from typing import Literal

import pytest

from retrieval.adapters.http_reranker import HttpReranker
from retrieval.budget import question_budget
from retrieval.errors import RequestRefused, ServiceUnavailable
from retrieval.types import ExtractedQuery
from tests.model_servers.replay import ReplayServer

Api = Literal["swift", "rerank", "tei", "sglang"]

QUERY = ExtractedQuery("what is the capital of China?", "en", criteria=("from the help desk",))
PASSAGES = ["Beijing.", "Gravity pulls bodies together."]


def scores(api: Api, *recorded: str, path: str = "/v1", passages: list[str] = PASSAGES) -> list[float]:
    with ReplayServer(*recorded) as server:
        model = "Qwen3-Reranker-0.6B" if api == "swift" else "Qwen/Qwen3-Reranker-0.6B"
        reranker = HttpReranker(f"{server.url}{path}", model, None, api=api, expanded=True, max_chars=4000)
        return reranker.score(QUERY, passages)


def test_ms_swift() -> None:
    assert scores("swift", "swift453_rr_pair", passages=PASSAGES[:1]) == [0.03622005507349968]
    assert scores("swift", "swift_rr_system", passages=PASSAGES[:1]) == [0.004609572235494852]


def test_vllm_which_sends_the_best_first() -> None:
    assert scores("rerank", "vllm_rr_tpl_rerank") == [0.032792434096336365, 0.06972286105155945]


def test_vllm_with_an_instruction() -> None:
    assert scores("rerank", "vllm_rr_tpl_instruction") == [0.05573458969593048, 0.0997367650270462]


@pytest.mark.parametrize(
    ("api", "recorded", "told"),
    [
        ("swift", "swift_rr_wrongmodel", r"model_list.*RERANKER_MODEL"),
        ("swift", "swift_rr_null_doc", "the server fails"),
        ("swift", "swift_rr_stream", "breaks the connection off"),
        ("swift", "swift_vllm_rr_pair_FAILS", "does not do this"),
        ("swift", "swift_emb_chat", "is no score"),
        ("swift", "vllm_rr_tpl_chat", "RERANKER_BASE_URL"),
        ("rerank", "swift_emb_404", "RERANKER_BASE_URL"),
        ("rerank", "vllm_chat_model_rerank_404", "RERANKER_BASE_URL"),
        ("rerank", "vllm_rr_noov_rerank", "cosines of an embedding model"),
        ("rerank", "vllm_rr_tpl_noact", "raw logits"),
    ],
)
def test_a_server_that_does_not_rerank(api: Api, recorded: str, told: str) -> None:
    with pytest.raises(ServiceUnavailable, match=told) as caught:
        scores(api, recorded)

    assert not isinstance(caught.value, RequestRefused)


@pytest.mark.parametrize(
    ("api", "recorded"),
    [("swift", "swift_rr_overlong"), ("swift", "swift_rr_user_only"), ("rerank", "vllm_rr_tpl_overlong_400")],
)
def test_a_request_that_is_refused(api: Api, recorded: str) -> None:
    with pytest.raises(RequestRefused):
        scores(api, recorded)


def test_an_embedding_server_that_reranks_by_cosine() -> None:
    passages = ["Beijing.", "b", "What is the capital of China?"]

    with pytest.raises(ServiceUnavailable, match="cosines of an embedding model"):
        scores("rerank", "vllm_emb_rerank_bi_encoder", path="", passages=passages)


def test_fewer_results_than_passages() -> None:
    with pytest.raises(ServiceUnavailable, match="2 passages were sent, 1 came back"):
        scores("rerank", "vllm_rr_tpl_topn", path="/v2")


def test_ms_swift_before_4_6_hangs_after_one_bad_request() -> None:
    with question_budget(0.5), pytest.raises(ServiceUnavailable, match=r"restart the server if that goes on|used up"):
        scores("swift", "swift453_rr_next_valid_request_HANGS")
