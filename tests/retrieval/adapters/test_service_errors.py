"""What servers were recorded to say when they refuse, as errors for people."""

import json

import pytest

from retrieval.errors import RequestRefused, ServiceUnavailable
from retrieval.service_errors import is_passing, server_words, service_error
from tests.model_servers.replay import recorded, recorded_body


def _error(name: str, service: str = "EMBEDDING") -> ServiceUnavailable:
    return service_error(service, recorded(name)["response"]["status"], recorded_body(name))


@pytest.mark.parametrize(
    "name",
    ["swift_chat_badkey", "swift_chat_nokey", "vllm_chat_nokey", "vllm_chat_models_nokey"],
)
def test_a_refused_key_is_told_with_the_variable_to_set(name: str) -> None:
    error = _error(name, "CHAT")

    assert "CHAT_API_KEY" in str(error)
    assert not isinstance(error, RequestRefused)


@pytest.mark.parametrize(
    "name", ["swift_emb_404", "swift_emb_wrongmodel", "vllm_emb_wrongmodel", "vllm_rr_tpl_chat", "vllm_chat_wrongmodel"]
)
def test_a_wrong_address_or_model_is_told_with_the_variables_to_check(name: str) -> None:
    error = _error(name, "RERANKER")

    assert "RERANKER_BASE_URL" in str(error)
    assert "RERANKER_MODEL" in str(error)
    assert not isinstance(error, RequestRefused)


@pytest.mark.parametrize(
    "name",
    ["swift_emb_33000tok", "swift_vllm_emb_600tok", "vllm_emb_overlong_400", "swift_rr_overlong"],
)
def test_a_text_that_is_too_long_is_refused_with_the_setting_to_lower(name: str) -> None:
    error = _error(name)

    assert isinstance(error, RequestRefused)
    assert "lower EMBEDDING_MAX_CHARS" in str(error)


def test_too_many_tokens_for_a_chat_model_name_its_window() -> None:
    error = _error("vllm_chat_toolong", "EXTRACTOR")

    assert isinstance(error, RequestRefused)
    assert "CHAT_WINDOW_TOKENS" in str(error)


@pytest.mark.parametrize("name", ["swift_emb_list", "swift_chat_badrole", "vllm_emb_emptylist", "vllm_rr_tpl_docobj"])
def test_a_request_that_is_not_understood_is_refused(name: str) -> None:
    assert isinstance(_error(name), RequestRefused)


def test_a_server_started_for_another_task_is_out_for_all_requests() -> None:
    error = _error("swift_vllm_rr_pair_FAILS", "RERANKER")

    assert not isinstance(error, RequestRefused)
    assert "docs/serving.md" in str(error)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('{"message": "API down", "object": "error"}', "API down"),
        ('{"error": {"message": "no room", "type": "x", "code": 500}}', "no room"),
        ('{"error": "Unauthorized"}', "Unauthorized"),
        ('{"error": "Model is overloaded", "error_type": "Overloaded"}', "Model is overloaded"),
        ('{"detail": "Not Found"}', "Not Found"),
        ('{"detail": [{"type": "t", "loc": ["body", "input"], "msg": "Bad"}]}', "body.input: Bad"),
        ('{"object": "error", "message": {"detail": [{"loc": ["body", "x"], "msg": "Extra"}]}}', "body.x: Extra"),
        ('[{"error": {"message": "in a list"}}]', "in a list"),
        ("Internal Server\n Error", "Internal Server Error"),
        ("<!DOCTYPE html><html><title>502</title></html>", "a web page"),
        ("", ""),
        ("null", ""),
        ("[" * 30_000, "[" * 20_000),
    ],
)
def test_the_words_of_a_server_are_found_in_every_shape(body: str, words: str) -> None:
    assert server_words(body) == words


def test_an_error_is_one_short_line_with_service_status_and_words() -> None:
    error = str(service_error("CHAT", 503, json.dumps({"error": {"message": "Loading\nmodel " + "x" * 5000}})))

    assert error.startswith("CHAT: ")
    assert "503: Loading model xxx" in error
    assert "\n" not in error
    assert len(error) < 300


@pytest.mark.parametrize("said", ["Authorization: Bearer hunter2hunter2", "got sk-hunter2hunter2"])
@pytest.mark.parametrize("status", [400, 500])
def test_a_key_that_a_server_repeats_is_not_repeated(said: str, status: int) -> None:
    assert "hunter2" not in str(service_error("CHAT", status, said))


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_passing_failure_is_an_outage_and_worth_another_try(status: int) -> None:
    assert is_passing(status)
    assert not isinstance(service_error("CHAT", status, "Internal Server Error"), RequestRefused)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_a_lasting_failure_is_not_worth_another_try(status: int) -> None:
    assert not is_passing(status)


def test_a_text_that_llama_cpp_calls_too_large_with_status_500_is_refused() -> None:
    body = '{"error": {"code": 500, "message": "input is too large to process. increase the physical batch size"}}'

    assert isinstance(service_error("EMBEDDING", 500, body), RequestRefused)
