"""The three services of ScriptedModels: what a chat model, an embedding model and a reranker answer."""

import base64
import json
import math
import queue
import struct
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.model_servers import meaning
from tests.model_servers.faults import Fault
from tests.model_servers.server import Response
from tests.model_servers.service import Body, Refused, Service

_CHARACTERS_A_TOKEN = 4
_TEMPLATE_TOKENS = 73  # of Qwen3's reranker template
_TEI_BATCH_TEXTS = 32
_SWIFT_NORM = 0.9998  # bfloat16


class Completion(NamedTuple):
    """A chat model's answer with what else may matter about it."""

    content: str | None
    finish_reason: str = "stop"
    reasoning: str | None = None


Reply = str | Body | Completion
"""What a chat model says; a dict is said as its JSON text."""


@dataclass
class ScriptedChat(Service):
    """Says what was queued by `say`, else what `reply` makes of the messages."""

    model: str = "Qwen3-4B"
    reply: Callable[[list[Body]], Reply] = lambda messages: "Noted."
    _queued: "queue.SimpleQueue[Reply]" = field(default_factory=queue.SimpleQueue, init=False)

    def say(self, *replies: Reply) -> None:
        """What it says next, in this order."""
        for reply in replies:
            self._queued.put(reply)

    def answer(self, path: str, body: Body, fault: Fault | None) -> Response:
        if not path.endswith("/chat/completions"):
            raise self.no_route()
        messages = body["messages"]
        asked = [str(message["content"]) for message in messages]
        self.demand_length(*asked)
        said = self._next(messages)
        if fault in {"nan", "empty"}:
            said = said._replace(content="NaN" if fault == "nan" else "")
        message = {"role": "assistant", "content": said.content, "reasoning": said.reasoning, "tool_calls": None}
        choice = {"index": 0, "message": message, "finish_reason": said.finish_reason, "logprobs": None}
        usage = _usage(sum(map(_tokens, asked)), _tokens(said.content or ""))
        return _answer(self, "chat.completion", usage, choices=[] if fault == "wrong_count" else [choice])

    def _next(self, messages: list[Body]) -> Completion:
        try:
            said = self._queued.get_nowait()
        except queue.Empty:
            said = self.reply(messages)
        if isinstance(said, dict):
            said = json.dumps(said, ensure_ascii=False)
        done = Completion(said) if isinstance(said, str) else said
        if self.server != "swift" or done.content is None:
            return done
        return done._replace(content=f"<think>\n\n</think>\n\n{done.content}")


@dataclass
class ScriptedEmbedding(Service):
    """Unit vectors in which texts that share words are near; a query's instruction is not part of its meaning.

    `vector_of`, where set, gives the vectors instead. Lists are allowed as the kind of server does, or as set.
    """

    model: str = "Qwen3-Embedding-0.6B"
    width: int = 256
    vector_of: Callable[[str], Sequence[float]] | None = None
    lists_allowed: bool | None = None

    def answer(self, path: str, body: Body, fault: Fault | None) -> Response:
        if path.endswith("/rerank") and self.server == "vllm":
            return self._compared(body["query"], body["documents"])
        if not path.endswith("/embeddings"):
            raise self.no_route()
        texts = self._texts(body["input"])
        self.demand_length(*texts)
        rows = [self.vector(text) for text in texts]
        match fault:
            case "wrong_count":
                rows = rows[:-1] if len(rows) > 1 else rows * 2
            case "nan":
                rows[0] = [math.nan] * len(rows[0])
            case "empty":
                rows = []
        packed = body.get("encoding_format") == "base64" and self.server != "swift"
        data = [
            {"object": "embedding", "index": index, "embedding": _base64(row) if packed else row}
            for index, row in enumerate(rows)
        ]
        return _answer(self, "list", _usage(sum(map(_tokens, texts)), 0), data=data)

    def vector(self, text: str) -> list[float]:
        """Of a passage, or of a query with or without its instruction."""
        if self.vector_of is not None:
            return list(self.vector_of(text))
        if text.startswith("Instruct:"):
            text = text.partition("\nQuery:")[2]
        row = meaning.vector(text, self.width)
        return [value * _SWIFT_NORM for value in row] if self.server == "swift" else row

    def _texts(self, asked: str | list[str]) -> list[str]:
        lists_allowed = self.server != "swift" if self.lists_allowed is None else self.lists_allowed
        if isinstance(asked, str):
            return [asked]
        if not lists_allowed:
            wrong = {"type": "string_type", "loc": ["body", "input"], "msg": "Input should be a valid string"}
            raise Refused(422, {"detail": [wrong | {"input": asked}]})
        if self.server == "tei" and len(asked) > _TEI_BATCH_TEXTS:
            raise self.refused(413, f"batch size {len(asked)} > maximum allowed batch size {_TEI_BATCH_TEXTS}")
        return asked

    def _compared(self, query: str, documents: list[str]) -> Response:
        """vLLM's rerank route on an embedding model: cosines."""
        asked = self.vector(query)
        scores = [meaning.cosine(asked, self.vector(text)) for text in documents]
        return _answer(self, "list", _usage(_tokens(query), 0), results=_ranked(scores, "relevance_score"))


@dataclass
class ScriptedReranker(Service):
    """Scores in [0, 1] by the words that the query, or its instruction, shares with the passage.

    `score_of` (query, passage, instruction), where set, gives the scores instead. `templated`: whether the server
    wraps each pair in the model's template, as its token count tells. `most_texts`: TEI's largest batch.
    """

    model: str = "Qwen3-Reranker-0.6B"
    score_of: Callable[[str, str, str], float] = meaning.overlap
    templated: bool = True
    most_texts: int = _TEI_BATCH_TEXTS

    def answer(self, path: str, body: Body, fault: Fault | None) -> Response:
        if not path.endswith("/chat/completions" if self.server == "swift" else "/rerank"):
            raise self.no_route()
        query, documents, instruction = self._asked(body)
        self.demand_length(*documents)
        scores = [self.score_of(query, document, instruction) for document in documents]
        match fault:
            case "wrong_count":
                scores = scores[:-1] if len(scores) > 1 else scores * 2
            case "nan":
                scores[0] = math.nan
            case "empty":
                scores = []
        frame = _TEMPLATE_TOKENS if self.templated else 0
        usage = _usage(sum(_tokens(query) + _tokens(text) + frame for text in documents), 0)
        match self.server:
            case "swift":
                message = {"role": "assistant", "content": scores, "tool_calls": None, "reasoning_content": None}
                choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
                return _answer(self, "chat.completion", usage, choices=[choice])
            case "tei" | "sglang":
                return Response(200, _ranked(scores, "score"))
            case "llama.cpp":
                return _answer(self, "list", usage, results=_ranked(scores, "relevance_score"))
        results = _ranked(scores, "relevance_score")
        told = [result | {"document": {"text": documents[0], "multi_modal": None}} for result in results]
        return _answer(self, "list", usage, results=told)

    def _asked(self, body: Body) -> tuple[str, list[str], str]:
        """Query, documents, instruction. Raises Refused."""
        match self.server:
            case "swift":
                return self._asked_in_messages(body["messages"])
            case "tei":
                if len(body["texts"]) > self.most_texts:
                    said = f"batch size {len(body['texts'])} > maximum allowed batch size {self.most_texts}"
                    raise self.refused(413, said)
                return body["query"], body["texts"], ""
        if not body["documents"]:
            raise self.refused(400, "At least one text_pair element must be given")
        field_name = "instruct" if self.server == "sglang" else "instruction" if self.server == "vllm" else ""
        return body["query"], body["documents"], body.get(field_name, "")

    def _asked_in_messages(self, messages: list[Body]) -> tuple[str, list[str], str]:
        system = [str(message["content"]) for message in messages[:1] if message["role"] == "system"]
        pair = [message["content"] for message in messages[len(system) :]][:2]
        if len(pair) < 2:
            raise self.refused(400, "list index out of range")
        return pair[0], [pair[1]], " ".join(system)


def _answer(service: Service, kind: str, usage: Body, **holding: object) -> Response:
    head = {"id": f"{kind}-{uuid.uuid4().hex}", "object": kind, "created": int(time.time()), "model": service.model}
    return Response(200, head | holding | {"usage": usage})


def _ranked(scores: list[float], name: str) -> list[Body]:
    """Best first, as these servers send them."""
    order = sorted(range(len(scores)), key=lambda index: -scores[index])
    return [{"index": index, name: scores[index]} for index in order]


def _tokens(text: str) -> int:
    return len(text) // _CHARACTERS_A_TOKEN + 1


def _usage(prompt: int, completion: int) -> Body:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _base64(row: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(row)}f", *row)).decode()
