"""Figures of questions that were asked, by name: of search, of answers, of refusals, of time. What is not known of any
question is left out."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from statistics import fmean

from evals.measures.answers import best_completeness, completeness, share_from
from evals.measures.latency import percentile_ms
from evals.measures.ranking import hit_at, ndcg_at, recall_at, reciprocal_rank
from evals.measures.refusals import ScoreSets, auc
from evals.own.asked import Asked
from evals.own.failures import is_right
from evals.own.judging import Judged
from retrieval.text import language

Values = dict[str, float]

RIGHTLY = "answered rightly"
FALSE_REFUSALS = "false refusals"
HALLUCINATED = "hallucinated statements"
LOWER_IS_BETTER = frozenset({FALSE_REFUSALS, HALLUCINATED, "latency p50 ms", "latency p95 ms"})

_FEW, _MANY = 5, 10


def search_values(asked: Sequence[Asked]) -> Values:
    """Over distinct passages, or documents where a question names no passages, after reranking."""
    found = [one for one in asked if one.relevant]
    if not found:
        return {}
    return {
        f"questions that name their {_unit(found)}": len(found),
        f"Recall@{_FEW}": _mean(found, partial(_recall, _FEW)),
        f"Recall@{_MANY}": _mean(found, partial(_recall, _MANY)),
        "Accuracy@1": _mean(found, partial(_hit, 1)),
        f"Accuracy@{_FEW}": _mean(found, partial(_hit, _FEW)),
        f"Accuracy@{_MANY}": _mean(found, partial(_hit, _MANY)),
        "MRR": _mean(found, lambda one: reciprocal_rank(one.ranking, one.relevant)),
        f"nDCG@{_MANY}": _mean(found, lambda one: ndcg_at(_MANY, one.ranking, one.relevant)),
    }


def _recall(k: int, one: Asked) -> float:
    return recall_at(k, one.ranking, one.relevant)


def _hit(k: int, one: Asked) -> float:
    return hit_at(k, one.ranking, one.relevant)


def _unit(found: Sequence[Asked]) -> str:
    by_passage = sum(bool(one.question.passages) for one in found)
    if by_passage in (0, len(found)):
        return "passages" if by_passage else "documents"
    return "passages or, where they name none, documents"


def answer_values(asked: Sequence[Asked]) -> Values:
    """Of questions that have an answer: refusals count as answers that hold nothing."""
    answerable = [one for one in asked if one.question.answerable]
    told = [one for one in answerable if one.question.answer_contains]
    sourced = [one for one in answerable if one.answer and one.relevant]
    return {
        **_if_any("answered", answerable, lambda one: one.answer is not None),
        **_if_any(RIGHTLY, answerable, is_right),
        **_if_any("answer contains gold", told, lambda one: _held(one) == 1),
        **_if_any("completeness", told, _held),
        **_if_any("answers citing what answers it", sourced, lambda one: bool(set(one.cited) & set(one.relevant))),
    }


def _held(one: Asked) -> float:
    return completeness(one.answer.text, one.question.answer_contains) if one.answer else 0.0


def gold_values(asked: Sequence[Asked], judged: Sequence[Judged | None]) -> Values:
    """Against gold sentences: the share of them in the reply, of the right answer that it comes nearest to, refusals
    counted as misses; and the share of the reply's statements that are gold sentences of any right answer."""
    known = [(one, said) for one, said in zip(asked, judged, strict=True) if one.question.references]
    if not known:
        return {}
    recalls = [best_completeness(one.answer.text if one.answer else "", one.question.references) for one, _ in known]
    precisions = [
        share_from([statement.text for statement in said.statements], list(chain(*one.question.references)))
        for one, said in known
        if said
    ]
    return {
        "gold sentences in the reply": fmean(recalls),
        **({"statements that are gold sentences": fmean(precisions)} if precisions else {}),
    }


def citation_values(judged: Sequence[Judged | None]) -> Values:
    """Of all answers, by ALCE's definitions, the product's own check being the judge."""
    answers = [one for one in judged if one]
    if not answers:
        return {}
    return {
        "citation recall (ALCE)": fmean(one.citations.recall for one in answers),
        "citation precision (ALCE)": fmean(one.citations.precision for one in answers),
        HALLUCINATED: sum(len(one.hallucinated) for one in answers) / sum(len(one.statements) for one in answers),
    }


def refusal_values(asked: Sequence[Asked]) -> Values:
    """Of questions with and without an answer, as the pipeline replied."""
    answerable = [one for one in asked if one.question.answerable]
    without = [one for one in asked if not one.question.answerable]
    in_language = [one for one in asked if one.refused and one.question.language]
    scores = scores_of(asked)
    return {
        **_if_any(FALSE_REFUSALS, answerable, lambda one: one.refused),
        **_if_any("unanswerable refused", without, lambda one: one.refused),
        **({"AUC of the best relevance": auc(scores)} if scores else {}),
        **_if_any("refusals in the language asked", in_language, _is_in_its_language),
    }


def scores_of(asked: Sequence[Asked]) -> ScoreSets | None:
    """None where questions of one kind are lacking."""
    by_kind = [tuple(one.best for one in asked if one.question.answerable is kind) for kind in (True, False)]
    return ScoreSets(*by_kind) if all(by_kind) else None


def floor_of(asked: Sequence[Asked], default: float) -> float:
    """The one that the questions were held against; the default where nothing was searched for."""
    floors = (one.outcome.trace.floor for one in asked)
    return next((floor for floor in floors if floor is not None), default)


def _is_in_its_language(one: Asked) -> bool:
    first_line = one.outcome.reply.text.split("\n", 1)[0]
    return language(first_line, default=one.outcome.query.language) == one.question.language


def latency_values(asked: Sequence[Asked]) -> Values:
    times_ms = [one.took_ms for one in asked]
    return {"latency p50 ms": percentile_ms(times_ms, 50), "latency p95 ms": percentile_ms(times_ms, 95)}


def _if_any(name: str, some: Sequence[Asked], value: Callable[[Asked], float]) -> Values:
    return {name: _mean(some, value)} if some else {}


def _mean(some: Sequence[Asked], value: Callable[[Asked], float]) -> float:
    return fmean(value(one) for one in some)
