"""Many texts: how many a call, how many calls at once, and which of them is refused."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrieval.errors import RequestRefused, ServiceUnavailable
from tests.model_servers.server import Answer, Request, Response
from tests.retrieval.adapters.openai_embedders import (
    LIST_REFUSED,
    TOO_LONG,
    embedded,
    embedding_server,
    inputs,
    numbered,
    one_a_call_only,
    served_embeddings,
    texts_of,
    unit_of,
)


@pytest.mark.parametrize("answer", [embedded, one_a_call_only])
def test_many_texts_come_back_in_their_order(answer: Callable[[Request], Answer]) -> None:
    texts = numbered(300)
    with embedding_server(answer) as server, served_embeddings(server) as model:
        rows = model.embed(texts, "passage")

    assert rows == pytest.approx(np.array([unit_of(text) for text in texts]), abs=1e-6)
    assert all(len(sent) <= 32 for sent in inputs(server) if isinstance(sent, list))


def test_sixteen_texts_are_under_way_at_once_where_a_call_takes_one() -> None:
    together = threading.Barrier(16)

    def crowded(request: Request) -> Answer:
        if isinstance(request.body["input"], list):
            return LIST_REFUSED
        together.wait(60)
        return embedded(request)

    with embedding_server(crowded) as server, served_embeddings(server) as model:
        assert model.embed(numbered(32), "passage").shape == (32, 3)


def test_several_lists_are_under_way_at_once() -> None:
    together = threading.Barrier(3)
    ahead = threading.Event()

    def crowded(request: Request) -> Answer:
        if ahead.is_set():
            together.wait(60)
        ahead.set()
        return embedded(request)

    with embedding_server(crowded) as server, served_embeddings(server) as model:
        assert model.embed(numbered(4 * 32), "passage").shape == (4 * 32, 3)

    assert len(inputs(server)) == 4


def test_a_limit_of_ten_texts_a_call_is_found_and_kept_to() -> None:
    def hosted(request: Request) -> Answer:
        too_many = len(texts_of(request)) > 10
        return (
            Response(400, {"error": {"message": "batch size should not exceed 10"}}) if too_many else embedded(request)
        )

    texts = numbered(200)
    with embedding_server(hosted) as server, served_embeddings(server) as model:
        rows = model.embed(texts, "passage")
        learnt = len(inputs(server))
        model.embed(texts, "passage")

    assert rows == pytest.approx(np.array([unit_of(text) for text in texts]), abs=1e-6)
    assert all(len(sent) <= 10 for sent in inputs(server)[learnt:])


@pytest.mark.parametrize("one_a_call", [False, True])
def test_a_text_that_the_server_refuses_is_named(one_a_call: bool) -> None:
    def strict(request: Request) -> Answer:
        if one_a_call and isinstance(request.body["input"], list):
            return LIST_REFUSED
        return TOO_LONG if any("forbidden" in text for text in texts_of(request)) else embedded(request)

    texts = [*numbered(100), "the forbidden passage", *numbered(30)]
    with embedding_server(strict) as server, served_embeddings(server) as model:
        with pytest.raises(RequestRefused, match=r"max_length.*the text begins “the forbidden passage”"):
            model.embed(texts, "passage")
        assert model.embed(numbered(100), "passage").shape == (100, 3)


def test_a_refused_query_is_named_without_its_task() -> None:
    with (
        embedding_server(lambda request: TOO_LONG) as server,
        served_embeddings(server) as model,
        pytest.raises(RequestRefused, match="begins “how long”"),
    ):
        model.embed(["how\nlong"], "query")


def test_a_text_refused_for_its_neighbours_passes_alone() -> None:
    """ms-swift with --max_batch_size 8 refuses what ran beside a bad text."""
    unlucky = threading.Event()

    def batching(request: Request) -> Answer:
        if isinstance(request.body["input"], list):
            return LIST_REFUSED
        if "unlucky" in request.body["input"] and not unlucky.is_set():
            unlucky.set()
            return Response(400, {"message": "list index out of range", "object": "error"})
        return embedded(request)

    with embedding_server(batching) as server, served_embeddings(server) as model:
        rows = model.embed(["a", "unlucky", "b"], "passage")

    assert rows[1] == pytest.approx(unit_of("unlucky"), abs=1e-6)
    assert inputs(server).count("unlucky") == 2


def test_a_refused_key_is_no_reason_to_halve() -> None:
    refused = Response(400, {"message": "API key error", "object": "error"})
    with (
        embedding_server(lambda request: refused) as server,
        served_embeddings(server) as model,
        pytest.raises(ServiceUnavailable, match="EMBEDDING_API_KEY"),
    ):
        model.embed(numbered(64), "passage")

    assert len(inputs(server)) == 1


def test_questions_at_the_same_time_share_what_is_learnt() -> None:
    outcomes: list[Any] = []
    with embedding_server(one_a_call_only) as server, served_embeddings(server) as model:
        threads = [
            threading.Thread(target=lambda: outcomes.append(model.embed(numbered(5), "query").shape)) for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert outcomes == [(5, 3)] * 6
