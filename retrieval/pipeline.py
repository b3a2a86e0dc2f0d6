"""Conversation to reply: the flow, in order."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from retrieval.answer.settle import settle
from retrieval.answer.wording import notice, refusal, unavailable
from retrieval.errors import ServiceUnavailable, new_incident
from retrieval.ports import Answerer, QueryExtractor
from retrieval.search.recall import Recall
from retrieval.search.rerank import Rerank, distinct
from retrieval.text import encodable
from retrieval.types import Conversation, Evidence, ExtractedQuery, Kind, Outcome, Reply, Viewer

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pipeline:
    """Extraction, recall, reranking, floor, answer."""

    extractor: QueryExtractor
    recall: Recall
    rerank: Rerank
    answerer: Answerer
    recall_candidates: int
    evidence_passages: int
    relevance_floor: float

    def ask(self, conversation: Conversation, viewer: Viewer) -> Outcome:
        """The reply, and how it came about. An outage is a Notice with an incident id, never a refusal."""
        clock = _Stopwatch()
        with clock.lap("extract"):
            query = self.extractor.extract(replace(conversation, question=encodable(conversation.question)))
        if query.kind is not Kind.QUESTION:
            return Outcome(notice(query), query, timings_ms=clock.laps_ms)
        try:
            evidence = self._evidence(query, viewer, clock, self.recall_candidates)
            reply = self._reply(query, evidence, clock)
        except ServiceUnavailable:
            incident = new_incident()
            log.exception("question not answered, incident %s", incident)
            return Outcome(unavailable(query.language, incident), query, timings_ms=clock.laps_ms)
        return Outcome(reply, query, tuple(evidence[: self.evidence_passages]), timings_ms=clock.laps_ms)

    def search(self, question: str, viewer: Viewer, k: int) -> tuple[ExtractedQuery, list[Evidence]]:
        """The query made of the question, and up to k passages, best first, no floor applied."""
        query = self.extractor.extract(Conversation(encodable(question)))
        return query, self._evidence(query, viewer, _Stopwatch(), max(k, self.recall_candidates))[:k]

    def _evidence(self, query: ExtractedQuery, viewer: Viewer, clock: "_Stopwatch", candidates: int) -> list[Evidence]:
        with clock.lap("recall"):
            recalled = self.recall.candidates(query, viewer, candidates)
        with clock.lap("rerank"):
            return distinct(self.rerank.evidence(query, recalled))

    def _reply(self, query: ExtractedQuery, evidence: list[Evidence], clock: "_Stopwatch") -> Reply:
        if not evidence:
            return refusal("knowledge_base_empty", query.language)
        if max(item.relevance for item in evidence) < self.relevance_floor:
            return refusal("below_floor", query.language)
        with clock.lap("answer"):
            best = evidence[: self.evidence_passages]
            return settle(self.answerer.compose(query, best), best, query)


@dataclass
class _Stopwatch:
    laps_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def lap(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.laps_ms[name] = round((time.perf_counter() - start) * 1000, 1)
