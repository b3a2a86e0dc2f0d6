"""Where a question went wrong, read off the trace of its answer, and what to do about it."""

from collections.abc import Callable
from typing import Literal

from evals.measures.answers import best_completeness, completeness
from evals.own.asked import Asked
from evals.own.judging import judged
from evals.report import Failure
from retrieval.answer.check import Checker
from retrieval.types import Kind

Stage = Literal["extraction", "recall", "rerank", "floor", "generation", "check", "service"]

ADVICE: dict[Stage, str] = {
    "extraction": "The question was not understood as it was meant: try other values of QUERY_STRATEGY, or "
    "EXTRACTOR_MODEL; `footnote search` shows what was searched for.",
    "recall": "Search did not come up with what answers it: raise RECALL_CANDIDATES, set FUSION_ALPHA by the "
    "ablation, or use a stronger EMBEDDING_MODEL.",
    "rerank": "It was found but not among the best: raise EVIDENCE_PASSAGES, or serve a stronger reranker at "
    "RERANKER_BASE_URL.",
    "floor": "The relevance floor is in the wrong place for it: `footnote eval calibrate` sets it by your questions.",
    "generation": "What answers it was found, but the answer does not say it: a chat model (CHAT_BASE_URL), or a "
    "larger one, reads better.",
    "check": "The check judged a statement wrongly: VERIFIER=llm judges better, UNVERIFIED=warn shows what it doubts.",
    "service": "A served part did not answer: `footnote doctor` tells which and why; then measure again.",
}


def search_failure(asked: Asked, found_as_typed: Callable[[], bool]) -> Failure | None:
    """Where what answers the question is not among the evidence; None where it is, or where nobody said what does.

    `found_as_typed`: whether recall finds it when the message is searched for as it stands.
    """
    if asked.out_of_service:
        return _of(asked, "service")
    if not asked.relevant or asked.used_rank is not None:
        return None
    return _of(asked, _not_found(asked, found_as_typed))


def answer_failure(asked: Asked, checker: Checker, found_as_typed: Callable[[], bool]) -> Failure | None:
    """None where the question was answered rightly, or refused if it has no answer."""
    if asked.out_of_service:
        return _of(asked, "service")
    if not asked.question.answerable:
        return _of(asked, _let_through(asked, checker)) if asked.answer else None
    return None if is_right(asked) else _of(asked, _lost(asked, found_as_typed))


def is_right(asked: Asked) -> bool:
    """Whether an answerable question was answered: in the words it should hold where they are known, else from what
    should be cited where that is known."""
    question, answer = asked.question, asked.answer
    if answer is None:
        return False
    if question.answer_contains:
        return completeness(answer.text, question.answer_contains) == 1
    if any(question.references):
        return best_completeness(answer.text, question.references) > 0
    return not asked.relevant or not set(asked.cited).isdisjoint(asked.relevant)


def _lost(asked: Asked, found_as_typed: Callable[[], bool]) -> Stage:
    if asked.outcome.query.kind is not Kind.QUESTION:
        return "extraction"
    if asked.relevant and asked.used_rank is None:
        return _not_found(asked, found_as_typed)
    if asked.reason in ("below_floor", "knowledge_base_empty"):
        return "floor"
    return "check" if _draft_was_right(asked) else "generation"


def _not_found(asked: Asked, found_as_typed: Callable[[], bool]) -> Stage:
    if set(asked.relevant) & set(asked.ranking):
        return "rerank"
    return "extraction" if found_as_typed() else "recall"


def _draft_was_right(asked: Asked) -> bool:
    """Whether the answer held what it should before it was checked."""
    draft, question = asked.outcome.trace.draft, asked.question
    if question.answer_contains:
        return completeness(draft, question.answer_contains) == 1
    if any(question.references):
        return best_completeness(draft, question.references) > 0
    return asked.reason == "unsupported"


def _let_through(asked: Asked, checker: Checker) -> Stage:
    """Of an answer to what has none: the check, where it shows what nothing supports; the model, which should have
    declined; or, where sentences are quoted, the floor alone."""
    found = judged(asked.outcome, checker)
    if found and found.hallucinated:
        return "check"
    wrote = any(call.service == "CHAT" for call in asked.outcome.trace.calls)
    return "generation" if wrote else "floor"


def _of(asked: Asked, stage: Stage) -> Failure:
    return Failure(asked.question.text, stage, " ".join(asked.outcome.reply.text.split()), ADVICE[stage])
