"""What a served embedding model gives, over what real servers sent and over a server of our own."""

import numpy as np
import pytest

from retrieval.errors import RequestRefused, ServiceUnavailable
from tests.model_servers.replay import ReplayServer, recorded, recorded_body
from tests.model_servers.server import Response
from tests.retrieval.adapters.openai_embedders import QUESTION, TASK, embedding_server, inputs, served_embeddings


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["swift_emb_models", "swift_emb_str"], id="ms-swift"),
        pytest.param(["swift_vllm_emb_str"], id="ms-swift on vLLM"),
        pytest.param(["vllm_emb_models", "vllm_emb_str"], id="vLLM"),
    ],
)
def test_a_recorded_vector_comes_as_a_unit_row(names: list[str]) -> None:
    sent = recorded(names[-1])["response"]["body"]["data"][0]["embedding"]
    with ReplayServer(*names) as server, served_embeddings(server) as model:
        rows = model.embed([QUESTION], "passage")

        assert model.dim == 64
    assert rows.shape == (1, 64)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows[0]) == pytest.approx(1, abs=1e-6)
    assert rows[0] == pytest.approx(np.array(sent) / np.linalg.norm(sent), abs=1e-6)


def test_recorded_vectors_of_a_list_come_in_its_order() -> None:
    with ReplayServer("vllm_emb_list") as server, served_embeddings(server) as model:
        rows = model.embed([QUESTION, "b"], "passage")

    first, second = (item["embedding"] for item in recorded("vllm_emb_list")["response"]["body"]["data"])
    assert rows == pytest.approx(np.array([first, second]), abs=1e-3)
    assert inputs(server) == [[QUESTION, "b"]]


def test_recorded_vectors_in_base64_are_read() -> None:
    answer = Response(200, recorded_body("vllm_emb_b64"), {"Content-Type": "application/json"})
    floats = recorded("vllm_emb_str")["response"]["body"]["data"][0]["embedding"]
    with embedding_server(lambda request: answer) as server, served_embeddings(server) as model:
        assert model.embed([QUESTION], "passage")[0] == pytest.approx(np.array(floats), abs=1e-3)


@pytest.mark.parametrize("name", ["swift_emb_33000tok", "swift_vllm_emb_600tok", "vllm_emb_overlong_400"])
def test_a_recorded_refusal_of_a_long_text_names_the_text_and_the_setting(name: str) -> None:
    with (
        ReplayServer(name) as server,
        served_embeddings(server) as model,
        pytest.raises(RequestRefused, match=r"EMBEDDING_MAX_CHARS.* begins “hello hello"),
    ):
        model.embed(["hello " * 600], "passage")


@pytest.mark.parametrize(
    "name", ["swift_emb_wrongmodel", "swift_emb_404", "vllm_rr_tpl_embeddings", "vllm_emb_wrongmodel"]
)
def test_a_recorded_refusal_of_the_model_or_the_address_is_an_outage(name: str) -> None:
    with (
        ReplayServer(name) as server,
        served_embeddings(server, "x") as model,
        pytest.raises(ServiceUnavailable, match=r"EMBEDDING_BASE_URL.*EMBEDDING_MODEL") as caught,
    ):
        model.embed(["a"], "passage")

    assert not isinstance(caught.value, RequestRefused)


def test_a_recorded_refusal_of_lists_leads_to_one_text_a_call_from_then_on() -> None:
    with (
        ReplayServer("swift_emb_models", "swift_emb_list", "swift_emb_str") as server,
        served_embeddings(server) as model,
    ):
        first = model.embed(["one", "two", "three"], "passage")
        again = model.embed(["four", "five"], "passage")

    assert (first.shape, again.shape) == ((3, 64), (2, 64))
    lists = [sent for sent in inputs(server) if isinstance(sent, list)]
    assert lists == [["one", "two", "three"]]
    assert sorted(sent for sent in inputs(server) if isinstance(sent, str)) == ["five", "four", "one", "three", "two"]


def test_floats_are_asked_for_and_no_other_width() -> None:
    with embedding_server() as server, served_embeddings(server) as model:
        model.embed(["a"], "passage")

    asked = server.requests[-1].body
    assert asked == {"model": "Qwen3-Embedding-0.6B", "input": "a", "encoding_format": "float"}


def test_queries_carry_the_task_and_passages_nothing() -> None:
    with embedding_server() as server, served_embeddings(server) as model:
        model.embed([QUESTION], "query")
        model.embed([QUESTION], "passage")

    assert inputs(server) == [f"Instruct: {TASK}\nQuery:{QUESTION}", QUESTION]


def test_without_a_task_queries_go_as_they_are() -> None:
    with embedding_server() as server, served_embeddings(server, instruction="") as model:
        model.embed([QUESTION], "query")

    assert inputs(server) == [QUESTION]


def test_a_long_text_is_clipped_and_the_task_is_not() -> None:
    with embedding_server() as server, served_embeddings(server, max_chars=100) as model:
        model.embed(["x" * 500], "passage")
        model.embed(["y" * 500], "query")

    passage, query = inputs(server)
    assert passage == "x" * 100
    assert query.startswith(f"Instruct: {TASK}\nQuery:yyy")
    assert len(query) < 150


@pytest.mark.parametrize("empty", ["", " ", "\n\t"])
def test_no_empty_text_is_sent(empty: str) -> None:
    with embedding_server() as server, served_embeddings(server) as model:
        rows = model.embed([empty, "b"], "passage")

    assert rows.shape == (2, 3)
    assert all(text.strip() for text in inputs(server)[0])


def test_unpaired_surrogates_are_sent_as_question_marks() -> None:
    with embedding_server() as server, served_embeddings(server) as model:
        model.embed(["a \ud83d"], "passage")

    assert inputs(server) == ["a ?"]


def test_no_texts_have_no_rows_but_the_width_of_the_model() -> None:
    with embedding_server() as server, served_embeddings(server) as model:
        assert model.embed([], "passage").shape == (0, 3)


def test_the_width_is_asked_for_once() -> None:
    with embedding_server() as server, served_embeddings(server) as model:
        assert (model.dim, model.dim) == (3, 3)

    assert len(inputs(server)) == 1


def test_the_name_is_the_same_with_and_without_its_path() -> None:
    with (
        embedding_server() as server,
        served_embeddings(server) as configured,
        served_embeddings(server, None) as listed,
    ):
        assert configured.name == listed.name == "Qwen3-Embedding-0.6B"
