"""A request for a completion without what the server refuses of it."""

import threading
from typing import Any

import pytest

from retrieval.errors import RequestRefused
from tests.model_servers.server import Answer, Request, Response
from tests.retrieval.adapters.openai_chats import PARIS, chat_server, completions, generate, in_turn, says, served_chat


@pytest.mark.parametrize(
    ("refusal", "key", "value"),
    [
        pytest.param(
            Response(422, {"detail": [{"loc": ["body", "chat_template_kwargs"], "msg": "Extra inputs not permitted"}]}),
            "chat_template_kwargs",
            None,
            id="switch unknown",
        ),
        pytest.param(
            Response(400, {"error": {"message": "parameter.enable_thinking must be false for non-streaming calls"}}),
            "enable_thinking",
            False,
            id="switch elsewhere",
        ),
        pytest.param(
            Response(400, {"error": {"message": "This response_format type is unavailable now"}}),
            "response_format",
            None,
            id="no schema",
        ),
        pytest.param(
            Response(
                400, {"error": {"message": "'max_tokens' is not supported, use 'max_completion_tokens' instead."}}
            ),
            "max_completion_tokens",
            100,
            id="limit by its new name",
        ),
        pytest.param(
            Response(400, {"error": {"message": "'temperature' does not support 0 with this model"}}),
            "temperature",
            None,
            id="no temperature",
        ),
    ],
)
def test_what_a_server_refuses_of_a_request_is_left_out_from_then_on(refusal: Response, key: str, value: Any) -> None:
    with chat_server(in_turn(refusal, says(PARIS))) as server, served_chat(server) as chat:
        generate(chat)
        generate(chat)

    first, second, third = completions(server)
    assert second == third
    assert first.get(key) != value
    assert second.get(key) == value


def test_a_limit_that_is_too_large_is_no_reason_to_name_it_otherwise() -> None:
    message = "'max_tokens' or 'max_completion_tokens' is too large: 100. This model's maximum context length is 50"
    refusal = Response(400, {"error": {"message": message}})
    with chat_server(in_turn(refusal)) as server, served_chat(server) as chat, pytest.raises(RequestRefused):
        generate(chat)

    assert len(completions(server)) == 1


def test_a_server_that_refuses_everything_optional_still_answers() -> None:
    refused = ("chat_template_kwargs", "response_format", "temperature")

    def picky(request: Request) -> Answer:
        found = [name for name in refused if name in request.body]
        return Response(400, {"error": {"message": f"{found[0]} is not supported"}}) if found else says(PARIS)

    with chat_server(picky) as server, served_chat(server) as chat:
        assert generate(chat).name == "Paris"


def test_questions_at_the_same_time_learn_what_the_server_refuses() -> None:
    def picky(request: Request) -> Answer:
        refused = "response_format" in request.body
        return Response(400, {"error": {"message": "response_format: no"}}) if refused else says(PARIS)

    read: list[str] = []
    with chat_server(picky) as server, served_chat(server) as chat:
        threads = [threading.Thread(target=lambda: read.append(generate(chat).name)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert read == ["Paris"] * 8
