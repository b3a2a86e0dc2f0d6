"""Rerankers that redirect, hang, or come back with another model, and an environment that is wrong."""

from contextlib import closing

import pytest

from retrieval import hangs
from retrieval.adapters.http_reranker import HttpReranker
from retrieval.budget import question_budget
from retrieval.errors import ConfigurationError, ServiceUnavailable
from tests.model_servers.server import Answer, Hang, ModelServer, Request, Response
from tests.retrieval.adapters.http_rerankers import PASSAGES, QUERY, reranker_on

SCORES = Response(body={"results": [{"index": 0, "relevance_score": 0.5}]})


def test_a_redirect_is_told_and_not_followed() -> None:
    moved = Response(307, "", {"Location": "//me:sk-SECRET@other.example/rerank?key=sk-SECRET"})
    with (
        ModelServer(lambda request: moved) as server,
        closing(reranker_on(server, "rerank")) as reranker,
        pytest.raises(
            ServiceUnavailable, match=r"redirects to http://other\.example/rerank; set RERANKER_BASE_URL"
        ) as e,
    ):
        reranker.score(QUERY, PASSAGES[:1])

    assert "SECRET" not in str(e.value)


def test_a_server_that_comes_back_with_another_model_is_asked_by_its_name() -> None:
    listed = ["old"]

    def answer(request: Request) -> Answer:
        if request.method == "GET":
            return Response(body={"data": [{"id": listed[0]}]})
        known = request.body["model"] == listed[0]
        return SCORES if known else Response(404, {"error": {"message": "The model does not exist."}})

    with ModelServer(answer) as server:
        url = f"{server.url}/v1"
        with closing(HttpReranker(url, None, None, api="rerank", expanded=True, max_chars=400)) as reranker:
            reranker.score(QUERY, PASSAGES[:1])
            listed[0] = "new"
            assert reranker.score(QUERY, PASSAGES[:1]) == [0.5]
            assert reranker.name == "new"


def test_a_server_known_to_hang_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hangs, "_LEAST_WAIT_S", 0.01)
    with ModelServer(lambda request: Hang()) as server, closing(reranker_on(server, "rerank")) as reranker:
        for _ in range(2):
            with question_budget(0.5), pytest.raises(ServiceUnavailable, match="no answer within"):
                reranker.score(QUERY, PASSAGES)
        before = len(server.requests)
        with pytest.raises(ServiceUnavailable, match="2 times in a row; restart the server"):
            reranker.score(QUERY, PASSAGES)

    assert len(server.requests) == before


@pytest.mark.parametrize(
    ("variable", "value"),
    [("ALL_PROXY", "socks5://h:1"), ("HTTPS_PROXY", "ftp://x:1"), ("REQUESTS_CA_BUNDLE", "/missing")],
)
def test_a_wrong_environment_is_named_and_counts_only_for_other_machines(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigurationError, match=variable):
        HttpReranker("https://models.example/v1", "m", None, api="rerank", expanded=True, max_chars=400)

    with ModelServer(lambda request: SCORES) as server, closing(reranker_on(server, "rerank")) as reranker:
        assert reranker.score(QUERY, PASSAGES[:1]) == [0.5]
