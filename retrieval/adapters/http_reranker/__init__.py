"""A reranker served over HTTP: ms-swift, vLLM, llama.cpp, Infinity, Xinference, Cohere, Jina, TEI, SGLang.

They judge the same but speak four dialects; the server applies the model's template, so it gets bare texts.
"""

from collections.abc import Sequence
from typing import Literal

from retrieval.adapters.http_reranker.connection import Connection, ModelUnknown
from retrieval.adapters.http_reranker.dialects import Dialect, ListAtOnce, OneByOne, TextEmbeddingsInference
from retrieval.adapters.http_reranker.model import ServedModel
from retrieval.adapters.http_reranker.scores import in_range
from retrieval.adapters.http_reranker.wording import instruction, sendable
from retrieval.types import ExtractedQuery

__all__ = ["HttpReranker"]

RerankerApi = Literal["swift", "rerank", "tei", "sglang"]


class HttpReranker:
    """Reranker over HTTP. Thread-safe.

    `expanded`: the server is told the query's explanation and key phrases too, where it takes an instruction.
    Passages are cut to `max_chars` characters; one without words is irrelevant and never sent. Making one raises
    ConfigurationError where `base_url` is no address; nothing is asked before the first query.
    """

    def __init__(
        self, base_url: str, model: str | None, api_key: str | None, *, api: RerankerApi, expanded: bool, max_chars: int
    ) -> None:
        # TEI knows no versions in its paths.
        self._connection = Connection(base_url.rstrip("/").removesuffix("/v1") if api == "tei" else base_url, api_key)
        self._model = ServedModel(self._connection, model, by_last_part=api == "swift")
        self._dialect = _dialect(api, self._connection, self._model)
        self._expanded = expanded
        self._max_chars = max_chars

    @property
    def name(self) -> str:
        """The model, once it is known, else where it is served."""
        return self._model.known or self._connection.shown

    def score(self, query: ExtractedQuery, passages: Sequence[str]) -> list[float]:
        """Relevance to the main query in [0, 1], in input order. Raises ServiceUnavailable, RequestRefused."""
        texts = [sendable(passage, self._max_chars) for passage in passages]
        worded = [number for number, text in enumerate(texts) if text]
        sent = [texts[number] for number in worded]
        asked = sendable(query.main_query, self._max_chars)
        told = instruction(query, expanded=self._expanded)
        found = in_range(self._scores(asked, told, sent), sent) if sent else []
        scores = dict(zip(worded, found, strict=True))
        return [scores.get(number, 0.0) for number in range(len(texts))]

    def _scores(self, query: str, told: str, documents: Sequence[str]) -> list[float]:
        """A server that was started anew with another model is asked by its name."""
        try:
            return self._dialect.scores(query, told, documents)
        except ModelUnknown:
            if not self._model.is_renamed():
                raise
        return self._dialect.scores(query, told, documents)

    def close(self) -> None:
        """Ends the connections that are kept for later."""
        self._connection.close()


def _dialect(api: RerankerApi, connection: Connection, model: ServedModel) -> Dialect:
    match api:
        case "swift":
            return OneByOne(connection, model)
        case "rerank":
            return ListAtOnce(connection, model, instruction_field="instruction")
        case "sglang":
            return ListAtOnce(connection, model, instruction_field="instruct", also={"return_documents": False})
        case "tei":
            return TextEmbeddingsInference(connection)
