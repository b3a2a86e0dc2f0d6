"""Embedding models on servers of our own, for the tests of how they are asked."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import numpy as np

from retrieval.adapters.openai_models import OpenAIEmbeddings
from tests.model_servers.replay import recorded
from tests.model_servers.server import Answer, ModelServer, Request, Response

TASK = "Given a question, retrieve passages that answer it"


QUESTION = "What is the capital of China?"


LIST_REFUSED = Response(422, recorded("swift_emb_list")["response"]["body"])


TOO_LONG = Response(400, {"message": "Current length of row(9) is larger than the max_length(8).", "object": "error"})


def vector_of(text: str) -> list[float]:
    """Tells texts apart, and is not of unit length."""
    return [float(len(text)), float(sum(map(ord, text)) % 1000), 1.0]


def unit_of(text: str) -> Any:
    return np.array(vector_of(text)) / np.linalg.norm(vector_of(text))


def vectors(vectors: list[Any]) -> Response:
    items = [{"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(vectors)]
    return Response(body={"object": "list", "data": items})


def texts_of(request: Request) -> list[str]:
    sent = request.body["input"]
    return [sent] if isinstance(sent, str) else list(sent)


def embedded(request: Request) -> Answer:
    return vectors([vector_of(text) for text in texts_of(request)])


def one_a_call_only(request: Request) -> Answer:
    return embedded(request) if isinstance(request.body["input"], str) else LIST_REFUSED


@contextmanager
def embedding_server(answer: Callable[[Request], Answer] = embedded) -> Iterator[ModelServer]:
    listed = Response(body={"data": [{"id": "Qwen3-Embedding-0.6B"}]})
    with ModelServer(lambda request: listed if request.path == "/v1/models" else answer(request)) as server:
        yield server


@contextmanager
def served_embeddings(
    server: ModelServer, model: str | None = "Qwen/Qwen3-Embedding-0.6B", max_chars: int = 2000, **changes: Any
) -> Iterator[OpenAIEmbeddings]:
    wishes = {"instruction": TASK, "max_chars": max_chars, **changes}
    with closing(OpenAIEmbeddings(f"{server.url}/v1", model, None, **wishes)) as embeddings:
        yield embeddings


def inputs(server: ModelServer) -> list[Any]:
    return [request.body["input"] for request in server.requests if request.path == "/v1/embeddings"]


def numbered(count: int) -> list[str]:
    return [f"passage number {n} " + "x" * (n % 7) for n in range(count)]
