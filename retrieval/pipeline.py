"""Conversation to reply: the flow, in order."""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from retrieval.answer.settle import settle
from retrieval.answer.wording import caveat, notice, refusal, unanswered, unavailable
from retrieval.budget import question_budget
from retrieval.errors import ServiceUnavailable, new_incident
from retrieval.ports import Answerer, Passages, QueryExtractor
from retrieval.search.gather import Gathered, Search, merged
from retrieval.text import encodable
from retrieval.types import (
    Answer,
    Conversation,
    Evidence,
    ExtractedQuery,
    Filters,
    Kind,
    Missing,
    Outcome,
    Refusal,
    Reply,
    Viewer,
)

log = logging.getLogger(__name__)

_NEEDED_TO_REFUSE = {Missing.EMBEDDING, Missing.VECTORS}
"""Keywords alone may answer a question, but cannot tell that the documents do not hold the answer."""


@dataclass(frozen=True)
class Pipeline:
    """Extraction, search, floor, answer."""

    extractor: QueryExtractor
    passages: Passages
    finding: Search
    answerer: Answerer
    recall_candidates: int
    evidence_passages: int
    budget_s: float

    def ask(self, conversation: Conversation, viewer: Viewer) -> Outcome:
        """The reply, and how it came about. An outage is a Notice with an incident id, never a refusal."""
        clock = _Stopwatch()
        query = ExtractedQuery(conversation.question, "en")
        gathered: list[Gathered] = []
        with question_budget(self.budget_s) as budget:
            try:
                query = self._understood(conversation, viewer, clock)
                if query.kind is Kind.QUESTION:
                    gathered = self.finding.gather(query, viewer, self.recall_candidates, clock.lap)
                    reply = self._reply(query, gathered, viewer, clock)
                else:
                    reply = notice(query)
                if isinstance(reply, Refusal) and not budget.missing.keys().isdisjoint(_NEEDED_TO_REFUSE):
                    raise ServiceUnavailable("nothing found, but search by meaning is out")
            except ServiceUnavailable:
                incident = new_incident()
                log.exception("question not answered, incident %s", incident)
                reply = unavailable(query.language, incident)
        missing = tuple(budget.missing)
        evidence = tuple(merged(gathered, self.evidence_passages))
        return Outcome(reply, query, evidence, missing, caveat(missing, query.language), clock.laps_ms)

    def search(self, question: str, viewer: Viewer, k: int) -> tuple[ExtractedQuery, list[Evidence]]:
        """The query made of the question, and up to k passages, best first, no floor applied."""
        clock = _Stopwatch()
        with question_budget(self.budget_s):
            query = self._understood(Conversation(question), viewer, clock)
            gathered = self.finding.gather(query, viewer, max(k, self.recall_candidates), clock.lap)
            return query, merged(gathered, k)[:k]

    def _understood(self, conversation: Conversation, viewer: Viewer, clock: "_Stopwatch") -> ExtractedQuery:
        asked = replace(conversation, question=encodable(conversation.question))
        with clock.lap("extract"):
            return self.extractor.extract(asked, self.passages.filterable(viewer))

    def _reply(self, query: ExtractedQuery, gathered: Sequence[Gathered], viewer: Viewer, clock: "_Stopwatch") -> Reply:
        found_any = any(found.ranked.evidence for found in gathered)
        if not found_any and not self.passages.readable(viewer, Filters()):
            return refusal("knowledge_base_empty", query.language)
        held = [found for found in gathered if found.ranked.holds_an_answer]
        if not held:
            return refusal("below_floor", query.language)
        asked = replace(query, parts=tuple(found.query for found in held)) if query.parts else held[0].query
        best = merged(held, self.evidence_passages)
        with clock.lap("answer"):
            reply = settle(self.answerer.compose(asked, best), best, asked)
        without = [found.query.main_query for found in gathered if found not in held]
        return unanswered(reply, without, query.language) if isinstance(reply, Answer) else reply


@dataclass
class _Stopwatch:
    laps_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def lap(self, name: str) -> Iterator[None]:
        """Time spent within is added to what was spent under that name before."""
        start = time.perf_counter()
        try:
            yield
        finally:
            spent_ms = (time.perf_counter() - start) * 1000
            self.laps_ms[name] = round(self.laps_ms.get(name, 0.0) + spent_ms, 1)
