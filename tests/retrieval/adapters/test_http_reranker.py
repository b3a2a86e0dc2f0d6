"""One contract for all kinds of servers, over real HTTP."""

import pytest

from retrieval.adapters.http_reranker import HttpReranker
from retrieval.errors import ConfigurationError, RequestRefused, ServiceUnavailable
from tests.model_servers.meaning import overlap
from tests.model_servers.scripted import ScriptedModels, ServerKind
from tests.retrieval.adapters.http_rerankers import APIS, PASSAGES, QUERY, sent_passages, served

every_server = pytest.mark.parametrize("server", APIS)


@every_server
def test_scores_come_in_the_order_of_the_passages(server: ServerKind) -> None:
    passages = [f"Box {number} holds key {number}." for number in range(20)] + PASSAGES

    with served(server) as (_, reranker):
        scores = reranker.score(QUERY, passages)

    assert scores == [pytest.approx(overlap(QUERY.main_query, passage)) for passage in passages]
    assert max(scores) == scores[passages.index(PASSAGES[1])]


@every_server
def test_a_passage_without_words_is_irrelevant_and_never_sent(server: ServerKind) -> None:
    with served(server) as (models, reranker):
        assert reranker.score(QUERY, []) == []
        assert reranker.score(QUERY, ["", " \n"]) == [0.0, 0.0]
        assert models.calls == []
        blank, worded, empty = reranker.score(QUERY, [" ", PASSAGES[1], ""])

    assert (blank, empty) == (0.0, 0.0)
    assert worded > 0.5
    assert sent_passages(models) == [PASSAGES[1]]


@every_server
def test_a_long_passage_is_cut_to_what_the_server_takes(server: ServerKind) -> None:
    with served(server, max_chars=80) as (models, reranker):
        models.max_chars = 80
        [score] = reranker.score(QUERY, [PASSAGES[1] + " x" * 1000])

    assert score > 0.5
    assert [len(text) for text in sent_passages(models)] == [79]  # a space at the end is taken off


@every_server
def test_a_passage_that_is_too_long_for_the_server_is_this_request_s_trouble(server: ServerKind) -> None:
    with served(server) as (models, reranker):
        models.max_chars = 80
        with pytest.raises(RequestRefused, match="lower RERANKER_MAX_CHARS"):
            reranker.score(QUERY, [*PASSAGES, "x" * 1000])


@every_server
def test_the_key_is_sent_and_a_wrong_one_told_without_repeating_it(server: ServerKind) -> None:
    with served(server, key="grüße-right", api_key="grüße-right".encode().decode("latin-1")) as (_, reranker):
        assert len(reranker.score(QUERY, PASSAGES)) == 3
    with (
        served(server, key="wrong-7531", api_key="right") as (_, reranker),
        pytest.raises(ServiceUnavailable, match="RERANKER_API_KEY") as caught,
    ):
        reranker.score(QUERY, PASSAGES)

    assert not isinstance(caught.value, RequestRefused)
    assert "7531" not in str(caught.value)


def test_a_key_that_no_header_can_hold_is_told_without_repeating_it() -> None:
    with served("vllm", key="7531\n7531") as (_, reranker), pytest.raises(ServiceUnavailable) as caught:
        reranker.score(QUERY, PASSAGES)

    assert "RERANKER_API_KEY" in str(caught.value)
    assert "7531" not in str(caught.value)


@pytest.mark.parametrize("server", ["swift", "vllm", "llama.cpp", "sglang"])
def test_the_model_s_name_is_asked_for_once_where_none_is_set(server: ServerKind) -> None:
    with served(server) as (models, reranker):
        before = reranker.name
        reranker.score(QUERY, PASSAGES)
        reranker.score(QUERY, PASSAGES)

    assert [request.method for request in models.requests].count("GET") == 1
    assert {body["model"] for body in models.bodies} == {"Qwen3-Reranker-0.6B"}
    assert before.startswith("http://127.0.0.1:")
    assert reranker.name == "Qwen3-Reranker-0.6B"


def test_a_server_that_tells_no_model_is_asked_without() -> None:
    with served("vllm", api_key="right") as (models, reranker):
        with pytest.raises(ServiceUnavailable):
            reranker.score(QUERY, PASSAGES)
        models.api_key = None
        reranker.score(QUERY, PASSAGES)

    assert "model" not in models.bodies[-1]


def test_a_swift_server_knows_the_model_by_the_last_part_of_its_path() -> None:
    with served("swift", model="Qwen/Qwen3-Reranker-0.6B") as (models, reranker):
        reranker.score(QUERY, PASSAGES)

    assert {body["model"] for body in models.bodies} == {"Qwen3-Reranker-0.6B"}


@pytest.mark.parametrize("server", ["swift", "vllm"])
def test_a_model_that_the_server_does_not_have_is_told(server: ServerKind) -> None:
    with (
        served(server, model="gpt-4") as (_, reranker),
        pytest.raises(ServiceUnavailable, match=r"gpt-4.*RERANKER_MODEL"),
    ):
        reranker.score(QUERY, PASSAGES)


def test_no_proxy_stands_before_a_server_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedModels() as models:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, models.closed_url)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        reranker = HttpReranker(models.reranker_url, None, None, api="rerank", expanded=True, max_chars=400)

        assert len(reranker.score(QUERY, PASSAGES)) == 3


@pytest.mark.parametrize("url", ["localhost:18001/v1", "http://", "http://[::1", "ftp://models/v1", ""])
def test_what_is_no_address_is_told_before_anything_is_asked(url: str) -> None:
    with pytest.raises(ConfigurationError, match="RERANKER_BASE_URL"):
        HttpReranker(url, None, None, api="rerank", expanded=True, max_chars=400)


@pytest.mark.parametrize("address", ["http://sk-SECRET@host/v1", "http://me:sk-SECRET@host/v1", "sk-SECRET@host"])
def test_an_address_with_a_key_is_not_taken_since_addresses_are_shown(address: str) -> None:
    with pytest.raises(ConfigurationError, match="RERANKER_API_KEY") as caught:
        HttpReranker(address, "m", None, api="rerank", expanded=True, max_chars=400)

    assert "SECRET" not in str(caught.value)
