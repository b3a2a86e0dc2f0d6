"""Served rerankers of every kind, scripted, and the adapter that asks them."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, Literal

from retrieval.adapters.http_reranker import HttpReranker
from retrieval.types import ExtractedQuery
from tests.model_servers.scripted import ScriptedModels, ScriptedReranker, ServerKind
from tests.model_servers.server import ModelServer

APIS: dict[ServerKind, Literal["swift", "rerank", "tei", "sglang"]] = {
    "swift": "swift",
    "vllm": "rerank",
    "llama.cpp": "rerank",
    "tei": "tei",
    "sglang": "sglang",
}
"""What each kind of server speaks."""

QUERY = ExtractedQuery("Where is the spare key kept?", "en")
PASSAGES = ["The bike store opens at seven.", "The spare key is kept in box 7.", "A key opens the locker."]


@contextmanager
def served(
    server: ServerKind, *, key: str | None = None, model: str | None = None, max_chars: int = 4000, **settings: Any
) -> Iterator[tuple[ScriptedReranker, HttpReranker]]:
    """A scripted server with those settings, and the adapter on it with that key and model."""
    with ScriptedModels(reranker=ScriptedReranker(server=server, **settings)) as models:
        url = models.reranker_url
        reranker = HttpReranker(url, model, key, api=APIS[server], expanded=True, max_chars=max_chars)
        with closing(reranker):
            yield models.reranker, reranker


def sent_passages(server: ScriptedReranker) -> list[str]:
    """All passages that a server was sent, in the order of the calls."""
    match server.server:
        case "swift":
            return [body["messages"][-1]["content"] for body in server.bodies]
        case "tei":
            return [text for body in server.bodies for text in body["texts"]]
    return [text for body in server.bodies for text in body["documents"]]


def reranker_on(server: ModelServer, api: Literal["swift", "rerank"]) -> HttpReranker:
    """The adapter on a server that answers as a test says."""
    return HttpReranker(f"{server.url}/v1", "m", None, api=api, expanded=True, max_chars=400)
