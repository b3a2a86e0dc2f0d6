"""An embedding model to checks: it answers, tells meanings apart, and takes passages as long as they come."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from retrieval.checkup.examination import told
from retrieval.checkup.first_reply import first_reply, with_address
from retrieval.checkup.lengths import longest_check
from retrieval.checkup.samples import CAPITAL, GRAVITY
from retrieval.checkup.vectors import Stored, stored_vectors_check
from retrieval.errors import RequestRefused
from retrieval.ports import EmbeddingModel
from retrieval.settings import ModelAddress
from retrieval.types import Check, CheckStatus, Facts, Vectors

_ROUTE = "embeddings"
_REAL_MARGIN = 0.05
_SAME = 0.999


def served_embedding_checks(at: ModelAddress, model: EmbeddingModel, max_chars: int, stored: Stored) -> Iterator[Check]:
    """Of the server, the model, the longest text and the stored vectors, as far as there are answers."""
    answers = told("Embedding server", _server_check, at)
    yield with_address(answers, at)
    if not answers.facts:
        return

    def send(text: str) -> None:
        model.embed([text], "passage")

    judges = told("Embedding self-test", embedding_check, model)
    yield judges
    if judges.facts:
        yield told("Embedding longest text", longest_check, send, max_chars, "EMBEDDING_MAX_CHARS")
        yield told("Stored vectors", stored_vectors_check, stored, model)


def embedding_check(subject: str, model: EmbeddingModel) -> Check:
    """Each of two questions must be nearer to its own passage than to the other's. Raises ServiceUnavailable."""
    samples = (CAPITAL, GRAVITY)
    questions = model.embed([sample.question for sample in samples], "query")
    passages = model.embed([sample.passage for sample in samples], "passage")
    cosines = questions @ passages.T
    again = float(model.embed([CAPITAL.passage], "passage")[0] @ passages[0])
    status, advice = _judged(cosines, again)
    facts: Facts = {
        "model": model.name,
        "width": model.dim,
        "near": round(float(cosines.diagonal().min()), 2),
        "far": round(float(max(cosines[0, 1], cosines[1, 0])), 2),
        "same_text_again": round(again, 4),
    }
    return Check(subject, status, facts, advice)


def _judged(cosines: Vectors, again: float) -> tuple[CheckStatus, str]:
    margin = float(min(cosines[0, 0] - cosines[0, 1], cosines[1, 1] - cosines[1, 0]))
    if margin <= 0:
        return "wrong", (
            "a question is no nearer to its answer than to another text: this is no embedding model, or its pooling is"
            " wrong; start it as docs/serving.md shows"
        )
    if again < _SAME:
        return "look", "the same text gives another vector alone than beside others; update the server"
    if margin < _REAL_MARGIN:
        return "look", f"a question is hardly nearer to its answer than to another text (by {margin:.2f})"
    return "ok", ""


def _server_check(subject: str, at: ModelAddress) -> Check:
    first = first_reply(at, _ROUTE, {"input": CAPITAL.passage})
    try:
        lists = bool(first.server.post(_ROUTE, {"input": [CAPITAL.passage, GRAVITY.passage]}))
    except RequestRefused:
        lists = False
    return first.check(subject, {**_vector_facts(first.reply.body), "texts_a_call": "many" if lists else "one"})


def _vector_facts(answer: Any) -> Facts:
    """Width and length as the server sends it; the client makes it 1."""
    match answer:
        case {"data": [{"embedding": [*numbers]}]}:
            return {"width": len(numbers), "norm": round(float(np.linalg.norm(np.asarray(numbers, np.float64))), 4)}
    return {}
