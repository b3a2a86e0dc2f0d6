"""Chat models on servers of our own, for the tests of how they are asked."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from pydantic import BaseModel

from retrieval.adapters.openai_models import OpenAIChat
from tests.model_servers.server import Answer, ModelServer, Request, Response


class City(BaseModel):
    name: str
    population: int = 0


PARIS = '{"name": "Paris"}'


def says(content: str | None, finish_reason: str | None = "stop", **message: Any) -> Response:
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}}
    return Response(body={"object": "chat.completion", "choices": [{**choice, "finish_reason": finish_reason}]})


def lists(*models: str) -> Response:
    return Response(body={"object": "list", "data": [{"id": model, "object": "model"} for model in models]})


@contextmanager
def chat_server(answer: Callable[[Request], Answer], models: Answer | None = None) -> Iterator[ModelServer]:
    """Answers questions for completions; lists the model qwen3 unless told otherwise."""
    listed = models or lists("qwen3")
    with ModelServer(lambda request: listed if request.path == "/v1/models" else answer(request)) as server:
        yield server


def in_turn(*answers: Answer) -> Callable[[Request], Answer]:
    """The last one goes on for ever."""
    rest = list(answers)
    return lambda request: rest.pop(0) if len(rest) > 1 else rest[0]


@contextmanager
def served_chat(
    server: ModelServer, model: str | None = "qwen3", key: str | None = None, **wishes: Any
) -> Iterator[OpenAIChat]:
    with closing(OpenAIChat(f"{server.url}/v1", model, key, **wishes)) as chat:
        yield chat


def generate(chat: OpenAIChat, **changes: Any) -> City:
    return chat.generate("Name a city.", "Which?", City, **{"temperature": 0.0, "max_tokens": 100, **changes})


def completions(server: ModelServer) -> list[dict[str, Any]]:
    return [request.body for request in server.requests if request.path == "/v1/chat/completions"]
