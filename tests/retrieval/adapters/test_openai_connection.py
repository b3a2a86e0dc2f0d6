"""How a served model is reached: addresses, keys, proxies."""

from contextlib import closing

import pytest
from pydantic import BaseModel

from retrieval.adapters.openai_models import OpenAIChat, OpenAIEmbeddings
from retrieval.errors import ConfigurationError, ServiceUnavailable
from tests.model_servers.replay import ReplayServer
from tests.model_servers.server import ModelServer, Response


class _Said(BaseModel):
    name: str


@pytest.mark.parametrize("base_url", ["127.0.0.1:8000/v1", "", "ftp://host/v1", "http://", "http://[::1", "localhost"])
def test_what_is_no_address_is_a_mistake_in_the_settings(base_url: str) -> None:
    with pytest.raises(ConfigurationError, match="EXTRACTOR_BASE_URL"):
        OpenAIChat(base_url, None, None, service="EXTRACTOR")


def test_an_address_with_a_password_is_not_taken_since_addresses_are_shown() -> None:
    with pytest.raises(ConfigurationError, match="EMBEDDING_API_KEY") as caught:
        OpenAIEmbeddings("http://me:hunter2@host/v1", None, None, instruction="", max_chars=100)

    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("key", ["schlüssel-hunter2", "two\nlines-hunter2"])
def test_a_key_that_cannot_be_sent_is_a_mistake_in_the_settings(key: str) -> None:
    with pytest.raises(ConfigurationError, match="CHAT_API_KEY") as caught:
        OpenAIChat("http://127.0.0.1:1/v1", None, key)

    assert "hunter2" not in str(caught.value)


def test_a_key_is_sent_without_white_space_around_it() -> None:
    with ReplayServer("vllm_emb_str") as server:
        model = OpenAIEmbeddings(f"{server.url}/v1", "m", " key\n", instruction="", max_chars=99)
        with closing(model):
            model.embed(["a"], "passage")

    assert server.requests[-1].headers["authorization"] == "Bearer key"


def test_nothing_of_the_environment_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "hunter2")
    monkeypatch.setenv("OPENAI_ORG_ID", "hunter2")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "hunter2")
    with (
        ReplayServer("vllm_emb_str") as server,
        closing(OpenAIEmbeddings(f"{server.url}/v1", "m", None, instruction="", max_chars=99)) as model,
    ):
        model.embed(["a"], "passage")

    assert not [value for request in server.requests for value in request.headers.values() if "hunter2" in value]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_no_proxy_is_asked_for_this_machine(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    for variable in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(variable, raising=False)
    with ReplayServer("vllm_emb_str") as server:
        url = server.url.replace("127.0.0.1", host)
        with closing(OpenAIEmbeddings(f"{url}/v1", "m", None, instruction="", max_chars=99)) as model:
            assert model.dim == 64


def test_other_machines_are_asked_through_the_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(variable, raising=False)
    with ModelServer(lambda request: Response(body={"data": [{"embedding": [1.0]}]})) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        with closing(OpenAIEmbeddings("http://models.invalid/v1", "m", None, instruction="", max_chars=99)) as model:
            assert model.dim == 1

    assert proxy.requests[-1].path == "http://models.invalid/v1/embeddings"


def test_a_dead_proxy_is_told() -> None:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("http_proxy", "http://127.0.0.1:9")
        environment.delenv("no_proxy", raising=False)
        environment.delenv("NO_PROXY", raising=False)
        model = OpenAIChat("http://models.invalid/v1", "m", None)
    with closing(model), pytest.raises(ServiceUnavailable, match=r"no server answers at http://models\.invalid/v1"):
        model.generate("s", "u", _Said, temperature=0, max_tokens=5)
