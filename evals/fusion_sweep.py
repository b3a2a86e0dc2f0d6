"""What fusing meaning and keywords is worth, before any reranking: hit rates of recall by the weight alpha."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from evals.data_sets import cast, mtrag, xquad
from evals.data_sets.turns import Turn
from evals.data_sets.xquad import Xquad
from evals.knowledge_base import knowledge_base
from evals.report import Report
from retrieval.build import Footnote
from retrieval.search.recall import Recall
from retrieval.types import Conversation, ExtractedQuery, Filterable, Viewer
from retrieval.understand.rules import RuleBasedExtractor

_SWEEP = (0.0, 0.25, 0.5, 0.75, 1.0)
_DEPTHS = (5, 10)
_MAY_LOSE = 0.005

Asked = Sequence[tuple[ExtractedQuery, frozenset[str]]]
"""Queries, each with the names of the documents that answer it."""


def evaluate(data: Path) -> Report:
    """Hit rates at each alpha: 0 is keywords alone, 1 is meaning alone.

    The bars: at the alpha in force, no set of questions loses more than half a point of hit@5 against either alone.
    """
    report = Report("fusion")
    for documents, questions in _data_sets(data):
        with knowledge_base(documents) as footnote:
            for name, asked in questions.items():
                _sweep(report, footnote, name, asked)
    return report


def _data_sets(data: Path) -> Iterator[tuple[Mapping[str, str], Mapping[str, Asked]]]:
    """Documents by name, and the sets of questions on them."""
    passages, turns = cast.load(data)
    yield passages, {f"CAsT 2021 {way}": _asked(turns, way) for way in ("rules", "t5", "human")}
    passages, turns = mtrag.load(data)
    yield passages, {f"MT-RAG {way}": _asked(turns, way) for way in ("rules", "human")}
    halves = {lang: xquad.load(data, lang) for lang in ("en", "es")}
    for written_in, half in halves.items():
        questions = {f"XQuAD {asked_in}-{written_in}": _posed(other) for asked_in, other in halves.items()}
        yield half.documents, questions


def _posed(half: Xquad) -> Asked:
    return [(_query(Conversation(question.text)), frozenset({question.document})) for question in half.questions]


def _asked(turns: Sequence[Turn], way: str) -> Asked:
    if way == "rules":
        return [(_query(Conversation(turn.message, turn.earlier)), turn.documents) for turn in turns]
    return [(_query(Conversation(turn.rewrites[way])), turn.documents) for turn in turns if way in turn.rewrites]


def _query(conversation: Conversation) -> ExtractedQuery:
    return RuleBasedExtractor().extract(conversation, Filterable())


def _sweep(report: Report, footnote: Footnote, name: str, asked: Asked) -> None:
    recall, candidates = footnote.pipeline.finding.recall, footnote.pipeline.recall_candidates
    at_five = {}
    for alpha in sorted({*_SWEEP, recall.alpha}):
        ranks = [_rank(replace(recall, alpha=alpha), query, documents, candidates) for query, documents in asked]
        shares = {k: sum(rank is not None and rank <= k for rank in ranks) / len(asked) for k in _DEPTHS}
        at_five[alpha] = shares[5]
        for k, share in shares.items():
            report.add(f"{name}: hit@{k} at alpha {alpha:g}", share)
    better_side = max(at_five[0.0], at_five[1.0])
    report.add(f"{name}: hit@5 over the better side alone", at_five[recall.alpha] - better_side, -_MAY_LOSE)


def _rank(recall: Recall, query: ExtractedQuery, documents: frozenset[str], candidates: int) -> int | None:
    found = recall.candidates(query, Viewer(), candidates)
    names = dict.fromkeys(candidate.passage.document for candidate in found)
    return next((place for place, name in enumerate(names, start=1) if name in documents), None)
