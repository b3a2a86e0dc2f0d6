"""The relevance floor for the reranker in use, from questions with and without an answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from evals.measures.refusals import RefusalPoint, auc, best_point, point
from evals.own import figures
from evals.own.asked import ask
from evals.own.question import Question
from evals.own.variants import search_alone
from evals.report import Relevances, Report
from retrieval.errors import ConfigurationError, ServiceUnavailable
from retrieval.pipeline import Pipeline
from retrieval.types import Missing

_FEW = 30
"""Below this many questions of a kind, one question moves its share by more than three points."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The floor found for a reranker, and what it does to the questions it was found by."""

    reranker: str
    chosen: RefusalPoint
    questions: int
    report: Report


def calibrate(pipeline: Pipeline, questions: Sequence[Question], most_false: float) -> Calibration:
    """The floor that refuses most unanswerable questions while at most that share of the answerable ones is refused.

    Raises ConfigurationError where questions of one kind are lacking or no floor tells them apart, ServiceUnavailable
    where the reranker did not judge every question.
    """
    searching = search_alone(pipeline)
    asked = [ask(searching, question) for question in questions]
    left_out = [one for one in asked if one.out_of_service or Missing.RERANKER in one.outcome.missing]
    if left_out:
        raise ServiceUnavailable(f"the reranker did not judge {len(left_out)} questions; `footnote doctor` tells why")
    scores = figures.scores_of(asked)
    if scores is None:
        raise ConfigurationError(
            'calibrating needs questions with an answer and questions without one ("answerable": false)'
        )
    judge = pipeline.finding.rerank.served or pipeline.finding.rerank.embedded
    chosen = best_point(scores, most_false)
    if not chosen.refused:
        raise ConfigurationError(
            f"no floor refuses any unanswerable question and at most {most_false:.0%} of the others, so none was kept; "
            "look at the answerable ones that score lowest, edit drafts, or allow more by --max-false-refusals"
        )
    now = point(scores, figures.floor_of(asked, judge.floor))
    report = Report("calibrate", relevances=[Relevances("calibration", scores, chosen.floor)])
    report.add("questions with an answer", len(scores.answerable))
    report.add("questions without an answer", len(scores.unanswerable))
    report.add("AUC of the best relevance", auc(scores))
    for when, found in (("before", now), ("now", chosen)):
        report.add(f"floor {when}", found.floor)
        report.add(f"false refusals {when}", found.false_refusals, None, "lower")
        report.add(f"unanswerable refused {when}", found.refused)
    if min(len(scores.answerable), len(scores.unanswerable)) < _FEW:
        report.notes.append(f"With fewer than {_FEW} questions of a kind the floor is a guess: add some.")
    return Calibration(judge.reranker.name, chosen, len(asked), report)
