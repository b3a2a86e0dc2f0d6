"""What a served chat model answers, over what real servers sent and over a server of our own."""

import logging

import pytest
from pydantic import BaseModel

from retrieval.errors import ModelOutputInvalid
from tests.model_servers.replay import ReplayServer
from tests.model_servers.server import Answer
from tests.retrieval.adapters.openai_chats import (
    PARIS,
    City,
    chat_server,
    completions,
    generate,
    in_turn,
    lists,
    says,
    served_chat,
)


def test_a_question_costs_one_call_that_asks_for_the_form_without_thinking() -> None:
    with chat_server(in_turn(says(PARIS))) as server, served_chat(server) as chat:
        assert generate(chat, temperature=0.1) == City(name="Paris")

    (asked,) = completions(server)
    assert asked["messages"] == [
        {"role": "system", "content": "Name a city."},
        {"role": "user", "content": "Which?"},
    ]
    assert (asked["model"], asked["temperature"], asked["max_tokens"]) == ("qwen3", 0.1, 100)
    assert asked["chat_template_kwargs"] == {"enable_thinking": False}
    assert asked["response_format"]["json_schema"]["schema"]["required"] == ["name"]


def test_a_model_that_thinks_is_not_asked_to_be_greedy() -> None:
    with chat_server(in_turn(says(f"<think>Hm.</think>{PARIS}"))) as server, served_chat(server, thinking=True) as chat:
        assert generate(chat).name == "Paris"

    (asked,) = completions(server)
    assert asked["chat_template_kwargs"] == {"enable_thinking": True}
    assert asked["temperature"] > 0


def test_a_model_without_the_switch_is_not_sent_it() -> None:
    with chat_server(in_turn(says(PARIS)), lists("gpt-9")) as server, served_chat(server, "gpt-9") as chat:
        generate(chat)

    assert "chat_template_kwargs" not in completions(server)[0]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(says(None, reasoning=PARIS), id="vLLM's name"),
        pytest.param(says("", reasoning_content=PARIS), id="the older name"),
        pytest.param(says("\n\n", reasoning=None, reasoning_content=PARIS), id="both names"),
    ],
)
def test_an_answer_taken_for_thinking_by_the_server_is_read(answer: Answer) -> None:
    with chat_server(in_turn(answer)) as server, served_chat(server) as chat:
        assert generate(chat).name == "Paris"


@pytest.mark.parametrize(
    "name",
    [
        "swift_chat_ok",
        "swift_chat_respfmt",
        "swift_vllm_chat_respfmt_ignored",
        "vllm_chat_json_object",
        "vllm_chat_nothink_jsonschema",
        "vllm_chat_plain",
        "vllm_chat_think_jsonschema",
    ],
)
def test_a_recorded_answer_cut_off_by_the_limit_is_invalid_and_logged(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        ReplayServer(name) as server,
        served_chat(server) as chat,
        caplog.at_level(logging.WARNING),
        pytest.raises(ModelOutputInvalid, match="cut off at 100 tokens"),
    ):
        generate(chat)

    assert len(completions(server)) == 1
    assert "finish_reason=length" in caplog.text


def test_an_object_cut_off_by_the_limit_is_not_taken_even_when_it_looks_whole() -> None:
    with (
        chat_server(in_turn(says(PARIS, "length"))) as server,
        served_chat(server) as chat,
        pytest.raises(ModelOutputInvalid),
    ):
        generate(chat)


def test_a_recorded_answer_behind_an_empty_thought_and_before_an_end_token_is_read() -> None:
    class Recorded(BaseModel):
        answer: str

    with ReplayServer("swift_vllm_chat_regex") as server, served_chat(server, "Qwen3-4B", "123") as chat:
        read = chat.generate("Answer.", "Who?", Recorded, temperature=0, max_tokens=40)

    assert read.answer == "techwang"


def test_recorded_noise_is_invalid_after_a_second_try() -> None:
    with (
        ReplayServer("swift_vllm_chat_toolong") as server,
        served_chat(server, "Qwen3-4B", "123") as chat,
        pytest.raises(ModelOutputInvalid, match="no JSON object"),
    ):
        generate(chat)

    assert len(completions(server)) == 2


@pytest.mark.parametrize("silence", [says(None), says(""), says(None, None, reasoning=None), says(None, refusal="No.")])
def test_an_answer_without_words_is_invalid_and_no_crash(silence: Answer) -> None:
    with chat_server(in_turn(silence)) as server, served_chat(server) as chat, pytest.raises(ModelOutputInvalid):
        generate(chat)


def test_an_answer_of_the_wrong_form_is_shown_once_with_what_is_wrong() -> None:
    wrong = '{"name": "Paris", "population": "many"}'
    with chat_server(in_turn(says(wrong), says(PARIS))) as server, served_chat(server) as chat:
        assert generate(chat).name == "Paris"

    shown = completions(server)[1]["messages"]
    assert [message["role"] for message in shown] == ["system", "user", "assistant", "user"]
    assert shown[2]["content"] == wrong
    assert "population: Input should be a valid integer" in shown[3]["content"]


@pytest.mark.parametrize("nonsense", ["Paris, surely.", "", '["Paris"]', '{"type": "object", "properties": {}}'])
def test_a_second_answer_of_the_wrong_form_is_invalid(nonsense: str) -> None:
    with (
        chat_server(in_turn(says(nonsense))) as server,
        served_chat(server) as chat,
        pytest.raises(ModelOutputInvalid, match="CHAT"),
    ):
        generate(chat)

    assert len(completions(server)) == 2


def test_a_long_answer_is_shown_clipped() -> None:
    with chat_server(in_turn(says("word " * 5000), says(PARIS))) as server, served_chat(server) as chat:
        generate(chat)

    assert len(completions(server)[1]["messages"][2]["content"]) <= 2000


def test_unpaired_surrogates_are_sent_as_question_marks() -> None:
    with chat_server(in_turn(says(PARIS))) as server, served_chat(server) as chat:
        chat.generate("Name a city.", "Which \ud83d?", City, temperature=0, max_tokens=10)

    assert completions(server)[0]["messages"][1]["content"] == "Which ??"
