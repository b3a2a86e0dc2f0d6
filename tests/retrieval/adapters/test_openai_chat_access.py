"""Keys, model names and requests that a chat server refuses."""

import pytest

from retrieval.errors import RequestRefused, ServiceUnavailable
from tests.model_servers.replay import ReplayServer
from tests.model_servers.server import Answer, Reset, Response
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


@pytest.mark.parametrize(
    ("name", "model", "message"),
    [
        ("vllm_chat_toolong", "Qwen/Qwen3-4B", "CHAT_WINDOW_TOKENS"),
        ("swift_chat_badrole", "Qwen3-4B", "wizard"),
    ],
)
def test_a_recorded_refusal_of_the_request_is_told_and_not_repeated(name: str, model: str, message: str) -> None:
    with (
        ReplayServer(name) as server,
        served_chat(server, model, "123") as chat,
        pytest.raises(RequestRefused, match=message),
    ):
        generate(chat)

    assert len(completions(server)) == 1


@pytest.mark.parametrize("name", ["swift_chat_badkey", "swift_chat_nokey", "vllm_chat_nokey"])
def test_a_recorded_refusal_of_the_key_names_the_variable_and_not_the_key(name: str) -> None:
    with (
        ReplayServer(name) as server,
        served_chat(server, key="hunter2", service="EXTRACTOR") as chat,
        pytest.raises(ServiceUnavailable, match="EXTRACTOR_API_KEY") as caught,
    ):
        generate(chat)

    assert "hunter2" not in str(caught.value)
    assert not isinstance(caught.value, RequestRefused)
    assert server.requests[-1].headers["authorization"] == "Bearer hunter2"


def test_a_key_that_the_server_wants_for_its_list_of_models_is_told_too() -> None:
    with (
        ReplayServer("vllm_chat_models_nokey") as server,
        served_chat(server, None) as chat,
        pytest.raises(ServiceUnavailable, match="CHAT_API_KEY"),
    ):
        generate(chat)


@pytest.mark.parametrize(
    ("configured", "listed", "sent"),
    [
        pytest.param("Qwen/Qwen3-4B", ["Qwen3-4B"], "Qwen3-4B", id="the server drops the path"),
        pytest.param("Qwen3-4B", ["other", "Qwen/Qwen3-4B"], "Qwen/Qwen3-4B", id="the setting drops the path"),
        pytest.param("b", ["x/b", "b"], "b", id="the very name is preferred"),
        pytest.param("qwen3:4b", ["llama"], "qwen3:4b", id="not listed"),
        pytest.param(None, ["one", "two"], "one", id="none configured"),
    ],
)
def test_the_model_is_called_what_the_server_calls_it(configured: str | None, listed: list[str], sent: str) -> None:
    with chat_server(in_turn(says(PARIS)), lists(*listed)) as server, served_chat(server, configured) as chat:
        generate(chat)
        generate(chat)

    assert [asked["model"] for asked in completions(server)] == [sent, sent]
    assert [request.method for request in server.requests].count("GET") == 1


@pytest.mark.parametrize(
    "models", [Response(404, {"detail": "Not Found"}), Response(500, "no"), Response(200, "<html>"), Reset()]
)
def test_a_server_without_a_list_of_models_serves_the_configured_one(models: Answer) -> None:
    with chat_server(in_turn(says(PARIS)), models) as server, served_chat(server, "org/qwen3") as chat:
        assert generate(chat).name == "Paris"
        assert chat.name == "qwen3"

    assert completions(server)[0]["model"] == "org/qwen3"


def test_a_server_that_lists_no_model_needs_one_configured() -> None:
    with (
        chat_server(in_turn(says(PARIS)), lists()) as server,
        served_chat(server, None) as chat,
        pytest.raises(ServiceUnavailable, match="CHAT_MODEL"),
    ):
        generate(chat)
