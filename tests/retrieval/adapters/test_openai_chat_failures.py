"""What becomes of a question when the chat server fails, is slow or talks nonsense."""

import pytest

from retrieval.budget import question_budget
from retrieval.errors import ModelOutputInvalid, ServiceUnavailable
from tests.model_servers.replay import ReplayServer
from tests.model_servers.server import Answer, Hang, Reset, Response, Trickle
from tests.retrieval.adapters.openai_chats import PARIS, chat_server, completions, generate, in_turn, says, served_chat


@pytest.mark.parametrize(
    "passing",
    [
        pytest.param(Response(429, "slow down", {"Retry-After": "0"}), id="429"),
        pytest.param(Response(503, {"error": {"message": "Loading model"}}, {"Retry-After": "0.01"}), id="503"),
        pytest.param(Response(500, "Internal Server Error", {"Retry-After": "0"}), id="500"),
        pytest.param(Reset(), id="connection reset"),
    ],
)
def test_a_passing_failure_is_tried_once_more(passing: Answer) -> None:
    with chat_server(in_turn(passing, says(PARIS))) as server, served_chat(server) as chat:
        assert generate(chat).name == "Paris"

    assert len(completions(server)) == 2


@pytest.mark.parametrize(
    ("failing", "calls"),
    [
        pytest.param(Response(502, "<html>", {"Retry-After": "0"}), 2, id="it does not pass"),
        pytest.param(Response(429, "tomorrow", {"Retry-After": "3600"}), 1, id="too long a wait"),
        pytest.param(Response(429, "tomorrow", {"Retry-After": "Fri, 31 Dec 2077 23:59:59 GMT"}), 1, id="a date"),
        pytest.param(Response(404, {"detail": "Not Found"}), 1, id="404"),
        pytest.param(Response(500, {"error": {"message": "input is too large to process"}}), 1, id="lasting 500"),
    ],
)
def test_a_failure_is_tried_again_only_where_that_can_help(failing: Response, calls: int) -> None:
    with chat_server(in_turn(failing)) as server, served_chat(server) as chat, pytest.raises(ServiceUnavailable):
        generate(chat)

    assert len(completions(server)) == calls


def test_no_second_try_where_the_time_for_the_question_does_not_hold_the_wait() -> None:
    busy = Response(503, "busy", {"Retry-After": "5"})
    with (
        chat_server(in_turn(busy)) as server,
        served_chat(server) as chat,
        question_budget(4),
        pytest.raises(ServiceUnavailable),
    ):
        generate(chat)

    assert len(completions(server)) <= 1


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Response(200, "<html>Sign in</html>", {"Content-Type": "text/html"}), id="web page"),
        pytest.param(Response(200, '{"choices": [', {"Content-Type": "application/json"}), id="broken JSON"),
        pytest.param(Response(200, "[" * 100_000, {"Content-Type": "application/json"}), id="deep JSON"),
        pytest.param(Response(200, b"\xff\xfe\x00", {"Content-Type": "application/json"}), id="no text"),
        pytest.param(Response(200, {"choices": []}), id="no choice"),
        pytest.param(Response(200, {"choices": None}), id="null choices"),
        pytest.param(Response(200, [1, 2]), id="a list"),
        pytest.param(Response(200, {"error": {"message": "Unexpected endpoint"}}), id="an error with status 200"),
        pytest.param(Response(204), id="no content"),
    ],
)
def test_an_answer_that_is_no_chat_completion_is_an_outage(answer: Answer) -> None:
    with (
        chat_server(in_turn(answer)) as server,
        served_chat(server) as chat,
        pytest.raises(ServiceUnavailable, match=r"CHAT"),
    ):
        generate(chat)


@pytest.mark.parametrize("name", ["swift_emb_chat", "swift_rr_pair"])
def test_a_server_of_another_kind_is_told_from_a_chat_model(name: str) -> None:
    with (
        ReplayServer(name) as server,
        served_chat(server, "Qwen3-4B") as chat,
        pytest.raises((ServiceUnavailable, ModelOutputInvalid)),
    ):
        generate(chat)


@pytest.mark.parametrize("answer", [Hang(), Trickle()])
def test_a_server_that_never_finishes_ends_with_the_time_for_the_question(answer: Answer) -> None:
    with (
        chat_server(in_turn(answer)) as server,
        served_chat(server) as chat,
        question_budget(1),
        pytest.raises(ServiceUnavailable),
    ):
        generate(chat)

    assert len(completions(server)) <= 1


def test_a_server_that_hangs_again_and_again_is_to_be_restarted() -> None:
    with chat_server(in_turn(Hang())) as server, served_chat(server, read_timeout_s=0.2) as chat:
        with pytest.raises(ServiceUnavailable, match="no answer in time"):
            generate(chat)
        with pytest.raises(ServiceUnavailable, match="2 times in a row; restart the server"):
            generate(chat)


def test_no_call_is_made_when_the_time_is_used_up() -> None:
    with (
        chat_server(in_turn(says(PARIS))) as server,
        served_chat(server) as chat,
        question_budget(0),
        pytest.raises(ServiceUnavailable, match="used up"),
    ):
        generate(chat)

    assert not server.requests
