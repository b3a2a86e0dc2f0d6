"""Servers that redirect, hang, or come back with another model."""

import threading

import pytest

from retrieval.adapters.openai_models import OpenAIChat
from retrieval.adapters.openai_models.connection import _trusted
from retrieval.budget import question_budget
from retrieval.errors import ConfigurationError, RequestRefused, ServiceUnavailable
from tests.model_servers.server import Answer, Hang, ModelServer, Request, Response
from tests.retrieval.adapters.openai_chats import (
    PARIS,
    chat_server,
    completions,
    generate,
    in_turn,
    lists,
    says,
    served_chat,
)
from tests.retrieval.adapters.openai_embedders import (
    LIST_REFUSED,
    embedded,
    embedding_server,
    inputs,
    numbered,
    served_embeddings,
)

BAD_ENVIRONMENTS = [
    pytest.param({"ALL_PROXY": "socks5://h:1"}, "ALL_PROXY", id="socks"),
    pytest.param({"HTTPS_PROXY": "ftp://x:1"}, "HTTPS_PROXY", id="ftp"),
    pytest.param({"HTTPS_PROXY": "http://x:port"}, "HTTPS_PROXY", id="port"),
    pytest.param({"SSL_CERT_FILE": "/missing"}, "SSL_CERT_FILE", id="certificates"),
]


@pytest.fixture
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.usefixtures("_no_proxies")
@pytest.mark.parametrize(("environment", "named"), BAD_ENVIRONMENTS)
def test_a_wrong_environment_is_named_and_counts_only_for_other_machines(
    environment: dict[str, str], named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _trusted.cache_clear()
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError, match=named):
        OpenAIChat("https://models.example/v1", "m", None)

    with chat_server(in_turn(says(PARIS))) as server, served_chat(server) as chat:
        assert generate(chat).name == "Paris"
    OpenAIChat("https://localhost/v1", "m", None).close()


@pytest.mark.usefixtures("_no_proxies")
def test_odd_entries_of_no_proxy_do_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "fe80::/10,[::1,http://,a b")

    OpenAIChat("https://models.example/v1", "m", None).close()


def test_a_redirect_is_told_and_not_followed() -> None:
    with ModelServer(lambda request: says(PARIS)) as elsewhere:
        place = elsewhere.url.replace("http://", "http://me:sk-SECRET@")
        moved = Response(307, "", {"Location": f"{place}/v1/chat/completions?key=sk-SECRET"})
        with (
            chat_server(in_turn(moved)) as server,
            served_chat(server) as chat,
            pytest.raises(ServiceUnavailable, match=rf"redirects to {elsewhere.url}.*CHAT_BASE_URL") as caught,
        ):
            generate(chat)

    assert not elsewhere.requests
    assert "SECRET" not in str(caught.value)


def _only(model: str, listed: list[str], answer: Answer, status: int) -> ModelServer:
    """Lists what a test has in `listed`, and answers for that model alone."""

    def reply(request: Request) -> Answer:
        if request.path == "/v1/models":
            return lists(*listed)
        if request.body["model"] == model:
            return answer
        return Response(status, {"error": {"message": f"The model `{request.body['model']}` does not exist."}})

    return ModelServer(reply)


@pytest.mark.parametrize("status", [400, 404])
def test_a_server_that_comes_back_with_another_model_is_asked_by_its_name(status: int) -> None:
    listed = ["old"]
    with _only("new", listed, says(PARIS), status) as server, served_chat(server, None) as chat:
        with pytest.raises(ServiceUnavailable, match="old"):
            generate(chat)
        listed[:] = ["new"]
        assert generate(chat).name == "Paris"
        assert chat.name == "new"

    assert [asked["model"] for asked in completions(server)] == ["old", "old", "new"]


def test_an_embedding_server_that_comes_back_with_another_model_is_asked_by_its_name() -> None:
    listed = ["old"]
    answer = Response(body={"data": [{"embedding": [1.0, 0.0]}]})
    with _only("new", listed, answer, 404) as server, served_embeddings(server, None) as model:
        assert model.name == "old"
        listed[:] = ["new"]
        assert model.embed(["a"], "passage").shape == (1, 2)


def test_a_configured_model_is_never_given_up() -> None:
    with (
        _only("new", ["new"], says(PARIS), 404) as server,
        served_chat(server, "old") as chat,
        pytest.raises(ServiceUnavailable, match="CHAT_MODEL"),
    ):
        generate(chat)

    assert [asked["model"] for asked in completions(server)] == ["old"]


def test_a_server_known_to_hang_is_not_waited_for() -> None:
    with chat_server(in_turn(Hang())) as server, served_chat(server, read_timeout_s=0.2) as chat:
        for _ in range(5):
            with pytest.raises(ServiceUnavailable) as caught:
                generate(chat)

    assert len(completions(server)) == 2
    assert "2 times in a row; restart the server" in str(caught.value)


def test_questions_whose_time_is_short_do_not_make_a_hang() -> None:
    with chat_server(in_turn(Hang(), Hang(), says(PARIS))) as server, served_chat(server) as chat:
        while len(completions(server)) < 2:
            with question_budget(0.5), pytest.raises(ServiceUnavailable):
                generate(chat)
        assert generate(chat).name == "Paris"


def test_a_failure_does_not_wait_for_calls_that_hang() -> None:
    hanging = threading.Event()

    def half_dead(request: Request) -> Answer:
        if isinstance(request.body["input"], list):
            return LIST_REFUSED
        if request.body["input"].startswith("passage number 1 "):
            hanging.set()
            return Hang()
        if request.body["input"].startswith("passage number 2 "):
            hanging.wait(60)
            return Response(401, {"message": "no"})
        return embedded(request)

    with (
        embedding_server(half_dead) as server,
        served_embeddings(server, read_timeout_s=1000.0) as model,  # far beyond the time limit of tests
        pytest.raises(ServiceUnavailable, match="EMBEDDING_API_KEY"),
    ):
        model.embed(numbered(10), "passage")

    assert len(inputs(server)) > 2


def test_what_did_not_help_is_asked_for_again_the_next_time() -> None:
    refusals = [
        Response(400, {"error": {"message": "response_format: the schema is too complex today"}}),
        Response(400, {"error": {"message": "the messages are at fault"}}),
    ]
    with chat_server(in_turn(*refusals, says(PARIS))) as server, served_chat(server) as chat:
        with pytest.raises(RequestRefused):
            generate(chat)
        generate(chat)

    assert ["response_format" in asked for asked in completions(server)] == [True, False, True]
