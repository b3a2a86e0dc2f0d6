"""Questions and a knowledge base to a report."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from evals.own import figures
from evals.own.asked import Asked, ask
from evals.own.failures import answer_failure, search_failure
from evals.own.judging import Judged, judged
from evals.own.question import Question
from evals.own.variants import AsTyped, search_alone
from evals.report import Failure, Relevances, Report
from retrieval.build import Footnote
from retrieval.pipeline import Pipeline
from retrieval.types import Candidate

KINDS = ("retrieval", "answers", "refusal", "all")


def measure(kind: str, footnote: Footnote, questions: Sequence[Question]) -> Report:
    """What the questions show of search, answers, refusals, or all of these. `kind`: one of KINDS.

    Raises ServiceUnavailable where the verifier or reranker that judges answers does not answer.
    """
    footnote.warm_up()
    pipeline = footnote.pipeline
    report = Report(kind)
    if kind == "retrieval":
        asked = [ask(search_alone(pipeline), question) for question in questions]
    else:
        asked = [ask(pipeline, question) for question in questions]
    _note(report, asked)
    if kind in ("retrieval", "all"):
        _add(report, figures.search_values(asked))
    if kind in ("answers", "all"):
        _add_answers(report, pipeline, asked)
    if kind in ("refusal", "all"):
        _add_refusals(report, pipeline, asked)
    _add(report, figures.latency_values(asked))
    report.failures += _failures(kind, pipeline, asked)
    return report


def _note(report: Report, asked: Sequence[Asked]) -> None:
    drafts = sum(one.question.draft for one in asked)
    if drafts:
        report.notes.append(f"{drafts} of {len(asked)} questions are drafts that no person has looked at.")
    without = sum(bool(one.outcome.missing) for one in asked)
    if without:
        report.notes.append(f"{without} questions were answered without a served part: `footnote doctor` tells why.")
    report.add("questions", len(asked))


def _add_answers(report: Report, pipeline: Pipeline, asked: Sequence[Asked]) -> None:
    verdicts = judge_all(pipeline, asked)
    _add(report, figures.answer_values(asked))
    _add(report, figures.gold_values(asked, verdicts))
    _add(report, figures.citation_values(verdicts))
    if answered := [one for one in asked if one.answer and one.question.answerable]:
        report.add("relevance of answers", fmean(_relevance(pipeline, one) for one in answered))


def judge_all(pipeline: Pipeline, asked: Sequence[Asked]) -> list[Judged | None]:
    """Each reply's statements and citations, in order; None where it states nothing."""
    return [judged(one.outcome, pipeline.checker) for one in asked]


def _relevance(pipeline: Pipeline, one: Asked) -> float:
    """How relevant to the question the reranker in use finds the answer itself."""
    assert one.answer
    passage = replace(one.answer.citations[0].passage, text=one.answer.text, title="", section=())
    ranked = pipeline.finding.rerank.ranked(one.outcome.query, [Candidate(passage, None, None, 0.0)])
    return ranked.evidence[0].relevance


def _add_refusals(report: Report, pipeline: Pipeline, asked: Sequence[Asked]) -> None:
    _add(report, figures.refusal_values(asked))
    judge = pipeline.finding.rerank.served or pipeline.finding.rerank.embedded
    if scores := figures.scores_of(asked):
        report.relevances.append(Relevances("own questions", scores, figures.floor_of(asked, judge.floor)))
    else:
        report.notes.append("Questions with and without an answer are needed for the curve of refusals.")


def _failures(kind: str, pipeline: Pipeline, asked: Sequence[Asked]) -> list[Failure]:
    as_typed = replace(search_alone(pipeline), extractor=AsTyped())

    def finds(one: Asked) -> Callable[[], bool]:
        return lambda: bool(set(ask(as_typed, one.question).ranking) & set(one.relevant))

    if kind == "retrieval":
        found = (search_failure(one, finds(one)) for one in asked)
    else:
        chosen = {
            "answers": [one for one in asked if one.question.answerable],
            "refusal": [one for one in asked if one.question.answerable is one.refused],
        }.get(kind, asked)
        found = (answer_failure(one, pipeline.checker, finds(one)) for one in chosen)
    return [failure for failure in found if failure]


def _add(report: Report, values: Mapping[str, float]) -> None:
    for name, value in values.items():
        report.add(name, value, None, "lower" if name in figures.LOWER_IS_BETTER else "higher")
