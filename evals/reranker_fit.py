"""Where the coefficients of the embedded reranker come from: a logistic fit of "the documents hold the answer".

Each question gives one row, the signs of its best passage: which that is follows from the coefficients, so that both
are found in turn until they settle. XQuAD with every second article left out tells questions without any passage from
those with one; ClapNQ, those whose passages are on the subject but do not hold the answer. The bias is then moved to
where 4.5 % of XQuAD's answerable questions in one language, and 12 % of those across languages, fall below a relevance
of 0.5.

How well questions of ClapNQ are told apart is reported for ones that the fit has not seen: each fifth of them is judged
by a fit on the others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.data_sets import clapnq, xquad
from evals.knowledge_base import knowledge_base
from evals.measures.refusals import ScoreSets, auc, best_point
from evals.report import Report
from retrieval.build import Footnote
from retrieval.search.rerank import searchable
from retrieval.search.sentence_reranker import (
    ACROSS_LANGUAGES,
    SAME_LANGUAGE,
    Coefficients,
    SentenceReranker,
)
from retrieval.search.signs import Signs
from retrieval.types import Conversation, Filterable, Viewer

_RIDGE = 0.5
_STEPS = 30
_ROUNDS = 6
_FOLDS = 5
_MOST_FALSE = (0.05, 0.10, 0.15, 0.20, 0.25)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Row:
    """A question: the signs of each of its passages, shape (passages, signs + 1), the last column of ones."""

    signs: Floats
    answerable: bool


def evaluate(data: Path) -> Report:
    """Fitted coefficients beside those in force; reported only."""
    report = Report("reranker")
    same, across = _xquad_rows(data)
    hard = list(_clapnq_rows(data))
    for name, in_force, rows, others, false_refusals in (
        ("same language", SAME_LANGUAGE, same, hard, 0.045),
        ("across languages", ACROSS_LANGUAGES, across, [], 0.12),
    ):
        fitted = _fit([*rows, *others])
        fitted[-1] -= np.quantile([_score(row, fitted) for row in rows if row.answerable], false_refusals)
        for field, value in zip(fields(Coefficients), fitted, strict=True):
            report.add(f"{name}: {field.name} (in force {getattr(in_force, field.name)})", float(value))
    _add_unseen(report, same, hard)
    return report


def _add_unseen(report: Report, others: Sequence[_Row], hard: Sequence[_Row]) -> None:
    scores: dict[bool, list[float]] = {True: [], False: []}
    for fold in range(_FOLDS):
        fitted = _fit([*others, *(row for place, row in enumerate(hard) if place % _FOLDS != fold)])
        for row in hard[fold::_FOLDS]:
            scores[row.answerable].append(_score(row, fitted))
    found = ScoreSets(tuple(scores[True]), tuple(scores[False]))
    report.add("ClapNQ, unseen: AUC", auc(found))
    for most in _MOST_FALSE:
        report.add(
            f"ClapNQ, unseen: unanswerable refused at <= {most:.0%} false refusals", best_point(found, most).refused
        )


def _xquad_rows(data: Path) -> tuple[list[_Row], list[_Row]]:
    """Of questions in the language of the passages, and in another."""
    same: list[_Row] = []
    across: list[_Row] = []
    halves = {lang: xquad.load(data, lang) for lang in ("en", "es")}
    for written_in, half in halves.items():
        for kept in (0, 1):
            documents = {name: text for name, text in half.documents.items() if half.articles[name] % 2 == kept}
            with knowledge_base(documents) as footnote:
                for asked_in, asked in halves.items():
                    rows = same if asked_in == written_in else across
                    rows += [
                        _row(footnote, question.text, question.article % 2 == kept) for question in asked.questions[::2]
                    ]
    return same, across


def _clapnq_rows(data: Path) -> Iterable[_Row]:
    documents, questions = clapnq.load(data)
    with knowledge_base(documents) as footnote:
        for question in questions:
            yield _row(footnote, question.text, question.answerable)


def _row(footnote: Footnote, question: str, answerable: bool) -> _Row:
    pipeline = footnote.pipeline
    reranker = pipeline.finding.rerank.embedded.reranker
    assert isinstance(reranker, SentenceReranker)
    query = pipeline.extractor.extract(Conversation(question), Filterable())
    recalled = pipeline.finding.recall.candidates(query, Viewer(), pipeline.recall_candidates)
    signs = [main for main, *_ in reranker.signs(query, [searchable(candidate.passage) for candidate in recalled])]
    return _Row(np.array([_values(one) for one in signs]), answerable)


def _values(signs: Signs) -> list[float]:
    names = [field.name for field in fields(Coefficients) if field.name != "bias"]
    return [*(float(getattr(signs, name)) for name in names), 1.0]


def _score(row: _Row, coefficients: Floats) -> float:
    return float((row.signs @ coefficients).max())


def _fit(rows: Sequence[_Row]) -> Floats:
    """Coefficients, the bias last. At first the best passage is the one whose signs sum up to most."""
    answerable = np.array([row.answerable for row in rows])
    coefficients = np.ones(rows[0].signs.shape[1])
    for _ in range(_ROUNDS):
        best = np.array([row.signs[(row.signs @ coefficients).argmax()] for row in rows])
        coefficients = _newton(best, answerable)
    return coefficients


def _newton(signs: Floats, answerable: NDArray[np.bool_]) -> Floats:
    """The most of the ridge-penalised likelihood; the bias is free."""
    coefficients = np.zeros(signs.shape[1])
    penalty = np.diag([_RIDGE] * (signs.shape[1] - 1) + [0.0])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-(signs @ coefficients)))
        gradient = signs.T @ (p - answerable) + penalty @ coefficients
        curvature = (signs * (p * (1 - p))[:, None]).T @ signs + penalty
        coefficients = coefficients - np.linalg.solve(curvature, gradient)
    return coefficients
