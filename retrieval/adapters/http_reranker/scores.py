"""What servers call a score, to a relevance in [0, 1]. Pure. All functions raise ServiceUnavailable."""

import math
import re
from collections.abc import Iterator, Sequence

from retrieval.errors import ServiceUnavailable

CONTROL_PASSAGE = "qxv zzk wplm"
"""Answers no query."""

_ROUNDING = 1e-5
_SATURATED = 0.01

_RAW_LOGITS = re.compile(r"bge.*rerank", re.IGNORECASE)


def number(value: object) -> float:
    """The one number that an answer holds: itself, as text, or alone in a list (ms-swift)."""
    match value:
        case bool():
            pass
        case [alone]:
            return number(alone)
        case int() | float() | str():
            try:
                return float(value)
            except (ValueError, OverflowError):
                pass
    raise ServiceUnavailable(
        "RERANKER: the server answers with something that is no score; serve a reranker there (ms-swift: --task_type"
        " generative_reranker) and check RERANKER_API"
    )


def by_index(answer: object, count: int) -> list[float]:
    """Scores in input order, from results that name the `index` of their document, in any order."""
    results = list(_results(answer))
    places = [place for place, _ in results]
    if sorted(places) != list(range(count)):
        raise ServiceUnavailable(
            f"RERANKER: {count} passages were sent, {len(set(places))} came back with a score; check RERANKER_API, and"
            " the server's log"
        )
    scores = dict(results)
    return [number(scores[place]) for place in range(count)]


def _results(answer: object) -> Iterator[tuple[int, object]]:
    rows = answer
    if isinstance(answer, dict):
        rows = answer.get("results", answer.get("data"))
    for row in rows if isinstance(rows, list) else ():
        match row:
            case {"index": int(place), "relevance_score": score} | {"index": int(place), "score": score}:
                yield place, score


def may_be_logits(model: str | None) -> bool:
    """Whether servers exist (llama.cpp) that send this model's raw logits: BGE's rerankers."""
    return bool(model and _RAW_LOGITS.search(model))


def without_control(scores: Sequence[float]) -> list[float]:
    """Scores of a call whose last passage was CONTROL_PASSAGE, which is left out; logits as their probabilities.

    One score beyond 1, up or down, shows that the whole call is logits. Those of the passages may all happen to lie
    in [0, 1]; that of the control lies far below -1 then (BGE gives irrelevant pairs -4 to -11), as no cosine does.
    """
    finite = _finite(scores)
    logits = any(abs(score) > 1 + _ROUNDING for score in finite)
    return [(1 + math.tanh(score / 2)) / 2 if logits else score for score in finite[:-1]]


def in_range(scores: Sequence[float], passages: Sequence[str]) -> list[float]:
    """The scores as relevance, rounding errors taken off."""
    finite = _finite(scores)
    if any(abs(score) > 1 + _ROUNDING for score in finite):
        raise ServiceUnavailable(
            "RERANKER: scores beyond 1 are raw logits; let the server map them to 0..1 (vLLM: use_activation, ms-swift:"
            " --reranker_use_activation)"
        )
    if min(finite, default=0.0) < -_ROUNDING:
        raise ServiceUnavailable(
            "RERANKER: scores below 0 are cosines of an embedding model, no reranker's; check RERANKER_BASE_URL, and"
            " how the reranker is started (vLLM: --hf-overrides and --chat-template)"
        )
    if len(set(passages)) >= 3 and len(set(finite)) == 1 and _SATURATED < finite[0] < 1 - _SATURATED:
        raise ServiceUnavailable(
            f"RERANKER: all passages score {finite[0]:.3g}, so the model has no working head; serve another build of it"
        )
    return [min(1.0, max(0.0, score)) for score in finite]


def _finite(scores: Sequence[float]) -> Sequence[float]:
    if not all(map(math.isfinite, scores)):
        raise ServiceUnavailable("RERANKER: a score is not a number; see the server's log, restart it")
    return scores
