"""Served models by a script: one real HTTP server that plays a chat model, an embedding model and a reranker.

    with ScriptedModels(reranker=ScriptedReranker(server="swift")) as models:
        models.chat.say({"main_query": "spare key"})
        models.embedding.fail("429", times=2)
        ... ask a bot whose settings name models.chat_url, models.embedding_url and models.reranker_url ...
        assert len(models.reranker.calls) == 5

Texts that share words are near to each other, and relevant to each other, unless a test says otherwise.
"""

import socket
from types import TracebackType
from typing import Self

from tests.model_servers.faults import Fault
from tests.model_servers.server import Answer, ModelServer, Request, Response
from tests.model_servers.service import Body, ServerKind, Service
from tests.model_servers.services import Completion, Reply, ScriptedChat, ScriptedEmbedding, ScriptedReranker

__all__ = [
    "Body",
    "Completion",
    "Fault",
    "Reply",
    "Request",
    "ScriptedChat",
    "ScriptedEmbedding",
    "ScriptedModels",
    "ScriptedReranker",
    "ServerKind",
]


class ScriptedModels:
    """The three services, running between entering and leaving. Leaving waits for no call."""

    def __init__(
        self,
        chat: ScriptedChat | None = None,
        embedding: ScriptedEmbedding | None = None,
        reranker: ScriptedReranker | None = None,
    ) -> None:
        self.chat = chat or ScriptedChat()
        self.embedding = embedding or ScriptedEmbedding()
        self.reranker = reranker or ScriptedReranker()
        self._services = {"chat": self.chat, "embedding": self.embedding, "reranker": self.reranker}
        self._server = ModelServer(self._answer, keep_alive=True)
        self._deaf = socket.socket()  # bound but not listening: its port is taken and refuses connections
        self._deaf.bind(("127.0.0.1", 0))

    @property
    def chat_url(self) -> str:
        """For CHAT_BASE_URL or EXTRACTOR_BASE_URL."""
        return self._url("chat", self.chat)

    @property
    def embedding_url(self) -> str:
        """For EMBEDDING_BASE_URL."""
        return self._url("embedding", self.embedding)

    @property
    def reranker_url(self) -> str:
        """For RERANKER_BASE_URL."""
        return self._url("reranker", self.reranker)

    @property
    def closed_url(self) -> str:
        """Where connections are refused."""
        return f"http://127.0.0.1:{self._deaf.getsockname()[1]}/v1"

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for service in self._services.values():
            service.crowd.let_go()
        self._server.__exit__(kind, error, trace)
        self._deaf.close()

    def _url(self, name: str, service: Service) -> str:
        version = "" if service.server == "tei" and name == "reranker" else "/v1"
        return f"{self._server.url}/{name}{version}"

    def _answer(self, request: Request) -> Answer:
        service = self._services.get(request.path.split("/")[1])
        if service is None:
            return Response(404, {"detail": "Not Found"})
        service.requests.append(request)
        return service.get(request) if request.method == "GET" else service.post(request)
