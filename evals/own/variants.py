"""Parts of the pipeline switched off or replaced, to see what each is worth. All else stays the product's own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from retrieval.answer.check import Checker
from retrieval.answer.citations import marks, read, renumbered
from retrieval.pipeline import Pipeline
from retrieval.search.recall import Recall
from retrieval.search.rerank import Ranked, Rerank, distinct
from retrieval.text import language
from retrieval.types import (
    Candidate,
    CheckedAnswer,
    Conversation,
    Draft,
    Evidence,
    ExtractedQuery,
    Filterable,
    Viewer,
)

Side = Literal["dense", "lexical"]


class AsTyped:
    """QueryExtractor that searches for the message as it stands, without its thread."""

    def extract(self, conversation: Conversation, _filterable: Filterable) -> ExtractedQuery:
        return ExtractedQuery(conversation.question, language(conversation.question))


class Declining:
    """Answerer that never answers: for measuring the search alone, without the cost of answers."""

    def compose(self, _query: ExtractedQuery, _evidence: Sequence[Evidence]) -> Draft:
        return Draft("", answerable=False)


@dataclass(frozen=True)
class OneSided(Recall):
    """Recall by meaning or by keywords alone."""

    side: Side

    def candidates(self, query: ExtractedQuery, viewer: Viewer, k: int) -> list[Candidate]:
        found = super().candidates(query, viewer, k)
        return [candidate for candidate in found if getattr(candidate, self.side) is not None]


@dataclass(frozen=True)
class RecallOrder(Rerank):
    """No reranking: candidates as recall has them, and no floor, since none is calibrated for their scores."""

    def ranked(self, query: ExtractedQuery, candidates: list[Candidate]) -> Ranked:
        return Ranked(distinct(Evidence(candidate, candidate.fused) for candidate in candidates), 0.0)


@dataclass(frozen=True)
class Unchecked(Checker):
    """No check: every statement of the draft is shown, under the citations that exist."""

    def check(self, draft: Draft, evidence: Sequence[Evidence], query: ExtractedQuery) -> CheckedAnswer:
        text = read(draft.text, [item.passage.text for item in evidence])
        cited = [n for n in marks(text) if 1 <= n <= len(evidence)]
        numbers = {n: place for place, n in enumerate(cited, start=1)}
        places = tuple(n - 1 for n in cited)
        return CheckedAnswer(renumbered(text, numbers), places, (), (), (), bool(cited), False)


def search_alone(pipeline: Pipeline) -> Pipeline:
    """The same search, and no answers."""
    return replace(pipeline, answerer=Declining())


def with_recall(pipeline: Pipeline, side: Side | None) -> Pipeline:
    """By one side alone; None: by both, as configured."""
    recall = pipeline.finding.recall
    if side is None:
        return pipeline
    one = OneSided(recall.indexes, recall.passages, recall.dense, 1.0 if side == "dense" else 0.0, side)
    return replace(pipeline, finding=replace(pipeline.finding, recall=one))


def without_floor(pipeline: Pipeline) -> Pipeline:
    """Nothing is refused before an answer was tried."""
    rerank = pipeline.finding.rerank
    served = replace(rerank.served, floor=0.0, calibrated=None) if rerank.served else None
    unfloored = replace(rerank, embedded=replace(rerank.embedded, floor=0.0, calibrated=None), served=served)
    return replace(pipeline, finding=replace(pipeline.finding, rerank=unfloored))


def without_reranking(pipeline: Pipeline) -> Pipeline:
    """Candidates as recall orders them."""
    order = RecallOrder(pipeline.finding.rerank.embedded)
    return replace(pipeline, finding=replace(pipeline.finding, rerank=order))


def without_check(pipeline: Pipeline) -> Pipeline:
    """Drafts shown as they are."""
    return replace(pipeline, checker=Unchecked(pipeline.checker.verifier))
