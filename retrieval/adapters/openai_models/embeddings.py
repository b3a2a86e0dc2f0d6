"""Texts to vectors by a served embedding model."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from retrieval.adapters.openai_models.batches import Batches, ListsRefused
from retrieval.adapters.openai_models.connection import Connection
from retrieval.adapters.openai_models.failures import Refused
from retrieval.adapters.openai_models.sendable import sendable
from retrieval.adapters.openai_models.usage import call
from retrieval.adapters.openai_models.vectors import unit_rows
from retrieval.budget import note_call
from retrieval.errors import RequestRefused, ServiceUnavailable
from retrieval.types import Vectors

_READ_TIMEOUT_S = 120.0
"""A laptop takes its time for a list of passages; a question's budget ends a wait earlier."""

_NO_LISTS = "should be a valid string"
"""ms-swift's words, which are Pydantic's."""

_TEXT_FOR_EMPTY = "."
_NAMED_CHARS = 60


class OpenAIEmbeddings:
    """`retrieval.ports.EmbeddingModel` on any server with `/v1/embeddings`. Thread-safe."""

    def __init__(
        self,
        base_url: str,
        model: str | None,
        api_key: str | None,
        *,
        instruction: str,
        max_chars: int,
        read_timeout_s: float = _READ_TIMEOUT_S,
    ) -> None:
        """Connects to nothing yet. `instruction`, the task, goes with queries where it is not empty; no text sent is
        longer than `max_chars`. Raises ConfigurationError for an address or a key that cannot be one."""
        self._connection = Connection(base_url, model, api_key, service="EMBEDDING", read_timeout_s=read_timeout_s)
        self._query_prefix = f"Instruct: {instruction}\nQuery:" if instruction else ""  # as the model card has it
        self._max_chars = max_chars
        self._batches = Batches(self._ask)
        self._dim: int | None = None

    def close(self) -> None:
        self._connection.close()

    @property
    def name(self) -> str:
        """The model's, without its path. Raises ServiceUnavailable where only the server knows it."""
        return self._connection.name

    @property
    def dim(self) -> int:
        """Asks the server the first time. Raises ServiceUnavailable."""
        return self._dim or self.embed([_TEXT_FOR_EMPTY], "passage").shape[1]

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        """Unit rows of shape (len(texts), dim).

        Raises ServiceUnavailable, and RequestRefused naming the text that the server refuses.
        """
        if not texts:
            return np.empty((0, self.dim), np.float32)
        prefix = self._query_prefix if kind == "query" else ""
        return self._batches.rows([self._prepared(text, prefix) for text in texts])

    def _prepared(self, text: str, prefix: str) -> str:
        room = max(self._max_chars - len(prefix), self._max_chars // 2)  # for the text, however long the task is
        clipped = sendable(text)[:room]
        return prefix + (clipped if clipped.strip() else _TEXT_FOR_EMPTY)

    def _ask(self, texts: Sequence[str]) -> Vectors:
        """By one call."""
        asked = texts[0] if len(texts) == 1 else list(texts)
        body = {"input": asked, "encoding_format": "float"}
        try:
            answer = self._connection.post("/embeddings", body)
        except Refused as refused:
            if len(texts) == 1:
                raise RequestRefused(f"{refused}; the text begins “{self._beginning(texts[0])}”") from None
            if _NO_LISTS in refused.words:
                raise ListsRefused from None
            raise
        note_call(call("EMBEDDING", self._connection.name, answer))
        return self._checked(answer, len(texts))

    def _checked(self, answer: object, count: int) -> Vectors:
        try:
            rows = unit_rows(answer, count)
        except (ValueError, OverflowError) as error:
            raise ServiceUnavailable(f"EMBEDDING: the server's answer is of no use: {error}; see its log") from None
        dim = rows.shape[1]
        if self._dim not in {None, dim}:
            raise ServiceUnavailable(
                f"EMBEDDING: the server now sends vectors {dim} wide, not {self._dim}: its model was changed; restart"
                " Footnote"
            )
        self._dim = dim
        return rows

    def _beginning(self, text: str) -> str:
        words = " ".join(text.removeprefix(self._query_prefix)[: 2 * _NAMED_CHARS].split())
        return words[:_NAMED_CHARS]
