"""Where the coefficients of the embedded reranker come from: a logistic fit of "the documents hold the answer".

Each question gives one row, the signs of its best passage under the coefficients in force. XQuAD with every second
article left out tells questions without any passage from those with one; ClapNQ, at a weight of 0.3, those whose
passages are on the subject but do not hold the answer. The best sentence's weight is held where it is: left free it
turns negative on ClapNQ, whose titles repeat the subject, and ranking suffers. The bias is then moved to where 4 %
of the answerable questions in one language, and 12 % of those across languages, fall below a relevance of 0.5.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals import clapnq, xquad
from evals.knowledge_base import knowledge_base
from evals.report import Report
from retrieval.build import Footnote
from retrieval.search.rerank import searchable
from retrieval.search.sentence_reranker import (
    ACROSS_LANGUAGES,
    SAME_LANGUAGE,
    Coefficients,
    SentenceReranker,
    Signs,
    relevance,
)
from retrieval.types import Conversation, Filterable, Viewer

_CLAPNQ_WEIGHT = 0.3
_RIDGE = 0.01
_STEPS = 60
_FALSE_REFUSALS = {"same language": 0.04, "across languages": 0.12}

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Row:
    signs: Signs
    answerable: bool
    weight: float = 1.0


def evaluate(data: Path) -> Report:
    """Fitted coefficients beside those in force; reported only."""
    rows = [*_xquad_rows(data), *_clapnq_rows(data)]
    report = Report("reranker")
    for name, in_force, same in (
        ("same language", SAME_LANGUAGE, True),
        ("across languages", ACROSS_LANGUAGES, False),
    ):
        chosen = [row for row in rows if row.signs.same_language is same]
        fitted = _fit(chosen, in_force.best_sentence if same else None, _FALSE_REFUSALS[name])
        for field in Coefficients.__dataclass_fields__:
            report.add(f"{name}: {field} (in force {getattr(in_force, field)})", getattr(fitted, field))
    return report


def _xquad_rows(data: Path) -> Iterable[_Row]:
    halves = {lang: xquad.load(data, lang) for lang in ("en", "es")}
    for half in halves.values():
        for kept in (0, 1):
            documents = {name: text for name, text in half.documents.items() if half.articles[name] % 2 == kept}
            with knowledge_base(documents) as footnote:
                for asked in halves.values():
                    for question in asked.questions[::2]:
                        yield _Row(_best(footnote, question.text), question.article % 2 == kept)


def _clapnq_rows(data: Path) -> Iterable[_Row]:
    documents, questions = clapnq.load(data)
    with knowledge_base(documents) as footnote:
        for question in questions:
            yield _Row(_best(footnote, question.text), question.answerable, _CLAPNQ_WEIGHT)


def _best(footnote: Footnote, question: str) -> Signs:
    """The signs of the passage with the highest relevance."""
    pipeline = footnote.pipeline
    reranker = pipeline.finding.rerank.embedded.reranker
    assert isinstance(reranker, SentenceReranker)
    query = pipeline.extractor.extract(Conversation(question), Filterable())
    recalled = pipeline.finding.recall.candidates(query, Viewer(), pipeline.recall_candidates)
    signs = reranker.signs(query.main_query, [searchable(candidate.passage) for candidate in recalled])
    return max(signs, key=relevance)


def _fit(rows: list[_Row], best_sentence: float | None, false_refusals: float) -> Coefficients:
    """By Newton's method on the ridge-penalised likelihood, with one coefficient held if given."""
    signs = np.array(
        [[s.best_sentence, s.whole_passage, s.coverage, s.missing_names, 1.0] for s in (r.signs for r in rows)]
    )
    answerable = np.array([row.answerable for row in rows])
    weight = np.array([row.weight for row in rows])
    held = 0 if best_sentence is None else 1
    offset = signs[:, 0] * (best_sentence or 0.0) if held else np.zeros(len(rows))
    free = _newton(signs[:, held:], offset, answerable, weight)
    coefficients = np.concatenate([[best_sentence or 0.0][:held], free])
    logits = np.sort((signs @ coefficients)[answerable & (weight == 1.0)])
    coefficients[-1] -= logits[int(false_refusals * len(logits))]
    return Coefficients(*(float(value) for value in coefficients))


def _newton(signs: Floats, offset: Floats, answerable: NDArray[np.bool_], weight: Floats) -> Floats:
    coefficients = np.zeros(signs.shape[1])
    penalty = _RIDGE * np.eye(signs.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-(signs @ coefficients + offset)))
        gradient = signs.T @ (weight * (p - answerable)) + penalty @ coefficients
        curvature = (signs * (weight * p * (1 - p))[:, None]).T @ signs + penalty
        coefficients = coefficients - np.linalg.solve(curvature, gradient)
    return coefficients
