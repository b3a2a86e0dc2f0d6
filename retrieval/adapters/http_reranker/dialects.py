"""How each kind of server wants to be asked for scores, and answers."""

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeVar

from retrieval.adapters.http_reranker.connection import Connection
from retrieval.adapters.http_reranker.model import ServedModel
from retrieval.adapters.http_reranker.scores import CONTROL_PASSAGE, by_index, may_be_logits, number, without_control
from retrieval.budget import in_this_question
from retrieval.errors import RequestRefused

log = logging.getLogger(__name__)

Result = TypeVar("Result")

_CALLS_AT_ONCE = 16
_TEI_TEXTS_A_CALL = 32  # its own default


class Dialect(Protocol):
    """A way of asking."""

    def scores(self, query: str, instruction: str, documents: Sequence[str]) -> list[float]:
        """As the server gives them, in input order, for at least one document. An empty instruction is not sent.

        Raises ServiceUnavailable, RequestRefused.
        """


@dataclass(frozen=True)
class OneByOne:
    """ms-swift: a chat in which the user asks the query and the assistant says the document. It scores the first
    document of a call and passes over the others in silence, so that each needs a call of its own."""

    connection: Connection
    model: ServedModel

    def scores(self, query: str, instruction: str, documents: Sequence[str]) -> list[float]:
        """As Dialect. A server that batches refuses good documents beside a bad one: these are sent again, alone."""
        model = self.model.name()
        ask = [partial(self._score, model, query, instruction, document) for document in documents]
        found = _all_at_once([partial(_or_refusal, one) for one in ask])
        return [
            again() if isinstance(score, RequestRefused) else score for score, again in zip(found, ask, strict=True)
        ]

    def _score(self, model: str | None, query: str, instruction: str, document: str) -> float:
        messages = [{"role": "user", "content": query}, {"role": "assistant", "content": document}]
        if instruction:
            messages.insert(0, {"role": "system", "content": instruction})
        payload = {"messages": messages} | ({"model": model} if model else {})
        match self.connection.post("chat/completions", payload).json():
            case {"choices": [{"message": {"content": content}}]}:
                return number(content)
        return number(None)


@dataclass
class ListAtOnce:
    """vLLM, llama.cpp, Infinity, Xinference, Cohere, Jina, SGLang: one call for all documents.

    No field is sent that one of them might refuse, but for the instruction: who does not know it is asked without.
    """

    connection: Connection
    model: ServedModel
    instruction_field: str
    also: Mapping[str, Any] = field(default_factory=dict)
    _instructed: bool = True

    def scores(self, query: str, instruction: str, documents: Sequence[str]) -> list[float]:
        """As Dialect."""
        model = self.model.name()
        payload = {**self.also, "query": query} | ({"model": model} if model else {})
        if not may_be_logits(model):
            return self._asked(payload, instruction, documents)
        return without_control(self._asked(payload, instruction, [*documents, CONTROL_PASSAGE]))

    def _asked(self, payload: dict[str, Any], instruction: str, documents: Sequence[str]) -> list[float]:
        plain = payload | {"documents": list(documents)}
        if not instruction or not self._instructed:
            return by_index(self.connection.post("rerank", plain).json(), len(documents))
        response = self.connection.post("rerank", plain | {self.instruction_field: instruction})
        if response.status not in {400, 422} or self.instruction_field not in response.text:
            return by_index(response.json(), len(documents))
        scores = by_index(self.connection.post("rerank", plain).json(), len(documents))
        self._instructed = False
        log.warning("RERANKER: the server takes no instruction, so it judges by the main query alone")
        return scores


@dataclass(frozen=True)
class TextEmbeddingsInference:
    """TEI: `texts`, not too many a call, no instruction and no name of the model."""

    connection: Connection

    def scores(self, query: str, instruction: str, documents: Sequence[str]) -> list[float]:
        """As Dialect."""
        calls = range(0, len(documents), _TEI_TEXTS_A_CALL)
        return [score for at in calls for score in self._batch(query, documents[at : at + _TEI_TEXTS_A_CALL])]

    def _batch(self, query: str, documents: Sequence[str]) -> list[float]:
        """In halves where the server allows fewer a call."""
        payload = {"query": query, "texts": list(documents), "truncate": True, "raw_scores": False}
        response = self.connection.post("rerank", payload)
        middle = len(documents) // 2
        if response.status == 413 and middle:
            return self._batch(query, documents[:middle]) + self._batch(query, documents[middle:])
        return by_index(response.json(), len(documents))


def _or_refusal(ask: Callable[[], float]) -> float | RequestRefused:
    try:
        return ask()
    except RequestRefused as refusal:
        return refusal


def _all_at_once(work: Sequence[Callable[[], Result]]) -> list[Result]:
    """Results in order. The first error ends it: the rest would only wait for the same server."""
    pool = ThreadPoolExecutor(min(len(work), _CALLS_AT_ONCE), thread_name_prefix="reranker")
    try:
        futures = [pool.submit(in_this_question(one)) for one in work]
        for future in wait(futures, return_when=FIRST_EXCEPTION).done:
            future.result()
        return [future.result() for future in futures]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
