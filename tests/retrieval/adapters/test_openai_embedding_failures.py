"""Vectors that are of no use, and embedding servers that fail."""

import base64
import math
from contextlib import closing

import numpy as np
import pytest

from retrieval.adapters.openai_models import OpenAIEmbeddings
from retrieval.budget import question_budget
from retrieval.errors import ServiceUnavailable
from tests.model_servers.server import Answer, Hang, Request, Reset, Response, Trickle
from tests.retrieval.adapters.openai_embedders import (
    LIST_REFUSED,
    embedding_server,
    inputs,
    numbered,
    served_embeddings,
    texts_of,
    unit_of,
    vector_of,
    vectors,
)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(vectors([[1.0, 2.0]]), id="too few"),
        pytest.param(vectors([[1.0], [2.0], [3.0]]), id="too many"),
        pytest.param(vectors([]), id="none"),
        pytest.param(vectors([[1.0, 2.0], [1.0]]), id="different widths"),
        pytest.param(vectors([[1.0, 2.0], [math.nan, 1.0]]), id="NaN"),
        pytest.param(vectors([[1.0, 2.0], [math.inf, 1.0]]), id="infinite"),
        pytest.param(vectors([[1.0, 2.0], [1e308, 1e308]]), id="overflow"),
        pytest.param(vectors([[1.0, 2.0], [10**400, 1]]), id="huge"),
        pytest.param(vectors([[1.0, 2.0], [0.0, 0.0]]), id="zero"),
        pytest.param(vectors([[], []]), id="empty vectors"),
        pytest.param(vectors([[1.0, 2.0], None]), id="null"),
        pytest.param(vectors([[1.0, 2.0], ["1", "2"]]), id="strings"),
        pytest.param(vectors([[1.0, 2.0], "no base64"]), id="no base64"),
        pytest.param(Response(body={"data": [{"index": 0, "embedding": [1.0]}] * 2}), id="one index twice"),
        pytest.param(Response(body={"data": [{"index": i, "embedding": [1.0]} for i in (1, 2)]}), id="wrong indices"),
        pytest.param(Response(body={"data": ["a", "b"]}), id="no objects"),
        pytest.param(Response(body={"data": None}), id="null data"),
        pytest.param(Response(body={}), id="empty object"),
        pytest.param(Response(body={"detail": "quota exceeded"}), id="error as a success"),
        pytest.param(Response(body=[[1.0], [2.0]]), id="bare lists"),
        pytest.param(Response(200, "<html>", {"Content-Type": "text/html"}), id="web page"),
        pytest.param(Response(200, '{"data": [', {"Content-Type": "application/json"}), id="broken JSON"),
        pytest.param(Response(500, "Internal Server Error", {"Retry-After": "0"}), id="500"),
        pytest.param(Response(429, "", {"Retry-After": "60"}), id="429"),
        pytest.param(Reset(), id="reset"),
    ],
)
def test_an_answer_of_no_use_is_an_outage(answer: Answer) -> None:
    with (
        embedding_server(lambda request: answer) as server,
        served_embeddings(server) as model,
        pytest.raises(ServiceUnavailable, match="EMBEDDING"),
    ):
        model.embed(["a", "b"], "passage")


def test_vectors_are_placed_by_their_index() -> None:
    def backwards(request: Request) -> Answer:
        items = [{"index": i, "embedding": vector_of(text)} for i, text in enumerate(texts_of(request))]
        return Response(body={"data": items[::-1]})

    with embedding_server(backwards) as server, served_embeddings(server) as model:
        rows = model.embed(["a", "bb", "ccc"], "passage")

    assert rows == pytest.approx(np.array([unit_of("a"), unit_of("bb"), unit_of("ccc")]), abs=1e-6)


def test_base64_floats_are_little_endian() -> None:
    sent = base64.b64encode(np.array([3.0, 4.0], "<f4").tobytes()).decode()
    with embedding_server(lambda request: vectors([sent])) as server, served_embeddings(server) as model:
        assert model.embed(["a"], "passage")[0] == pytest.approx([0.6, 0.8])


def test_another_width_than_before_is_an_outage() -> None:
    widths = iter([[1.0, 2.0], [1.0, 2.0, 3.0]])
    with embedding_server(lambda request: vectors([next(widths)])) as server, served_embeddings(server) as model:
        model.embed(["a"], "passage")
        with pytest.raises(ServiceUnavailable, match="vectors 3 wide, not 2"):
            model.embed(["b"], "passage")


@pytest.mark.parametrize("answer", [Hang(), Trickle()])
@pytest.mark.parametrize("count", [1, 40])
def test_a_server_that_never_finishes_ends_with_the_time_for_the_question(answer: Answer, count: int) -> None:
    def stuck(request: Request) -> Answer:
        return LIST_REFUSED if isinstance(request.body["input"], list) else answer

    with (
        embedding_server(stuck) as server,
        served_embeddings(server) as model,
        question_budget(1),
        pytest.raises(ServiceUnavailable),
    ):
        model.embed(numbered(count), "passage")


def test_a_failure_of_one_call_stops_the_others() -> None:
    def failing(request: Request) -> Answer:
        return LIST_REFUSED if isinstance(request.body["input"], list) else Response(503, "", {"Retry-After": "99"})

    with (
        embedding_server(failing) as server,
        served_embeddings(server) as model,
        pytest.raises(ServiceUnavailable, match="503"),
    ):
        model.embed(numbered(5000), "passage")

    assert len(inputs(server)) < 5000


def test_a_server_that_is_away_is_named_with_its_address() -> None:
    with embedding_server() as server:
        address = server.url
    with (
        closing(OpenAIEmbeddings(f"{address}/v1", "m", None, instruction="", max_chars=100)) as model,
        pytest.raises(ServiceUnavailable, match=rf"no server answers at {address}/v1 .*EMBEDDING_BASE_URL"),
    ):
        model.embed(["a"], "passage")
