"""Conversation to reply: the flow, in order."""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from retrieval.answer.check import Checker
from retrieval.answer.refusing import helpful
from retrieval.answer.settle import settle
from retrieval.answer.wording import caveat, notice, refusal, unanswered, unavailable
from retrieval.budget import missing_parts, question_budget
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
    Trace,
    Viewer,
)
from retrieval.visible import visible

log = logging.getLogger(__name__)

_KEYWORDS_ALONE = "nothing found by keywords, which cannot tell that the documents hold no answer"


@dataclass(frozen=True)
class Pipeline:
    """Extraction, search, floor, answer, check. `models` and `prompts` say by part what it goes by, for its traces."""

    extractor: QueryExtractor
    passages: Passages
    finding: Search
    answerer: Answerer
    checker: Checker
    recall_candidates: int
    evidence_passages: int
    budget_s: float
    refusal_message: str | None = None
    models: Mapping[str, str] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)

    def ask(self, conversation: Conversation, viewer: Viewer) -> Outcome:
        """The reply, and how it came about. An outage is a Notice with an incident id, never a refusal."""
        clock = _Stopwatch()
        query = ExtractedQuery(conversation.question, "en")
        gathered: list[Gathered] = []
        trace = Trace()
        with question_budget(self.budget_s) as budget:
            try:
                query = self._understood(conversation, viewer, clock)
                if query.kind is Kind.QUESTION:
                    gathered = self.finding.gather(query, viewer, self.recall_candidates, clock.lap)
                    reply, trace = self._reply(query, gathered, viewer, clock)
                else:
                    reply = notice(query)
                if isinstance(reply, Refusal) and Missing.EMBEDDING in budget.missing:
                    raise ServiceUnavailable(_KEYWORDS_ALONE)
            except ServiceUnavailable as error:
                incident = new_incident()
                log.error("question not answered, incident %s: %s", incident, error)
                reply = unavailable(query.language, incident)
        missing = tuple(budget.missing)
        evidence = tuple(merged(gathered, self.evidence_passages))
        trace = replace(self._found(trace, gathered), calls=tuple(budget.calls))
        if isinstance(reply, Refusal):
            reply = helpful(self._in_own_words(reply), query, evidence, trace.floor or 0.0)
        return Outcome(reply, query, evidence, missing, caveat(missing, query.language), clock.laps_ms, trace)

    def search(self, question: str, viewer: Viewer, k: int) -> tuple[ExtractedQuery, list[Evidence]]:
        """The query made of the question, and up to k passages, best first, no floor applied.

        Raises ServiceUnavailable, also where nothing is found by keywords alone.
        """
        clock = _Stopwatch()
        with question_budget(self.budget_s) as budget:
            query = self._understood(Conversation(question), viewer, clock)
            if query.kind is Kind.EMPTY:
                return query, []
            gathered = self.finding.gather(query, viewer, max(k, self.recall_candidates), clock.lap)
            found = merged(gathered, k)[:k]
            if not found and Missing.EMBEDDING in budget.missing:
                raise ServiceUnavailable(_KEYWORDS_ALONE)
            return query, found

    def _understood(self, conversation: Conversation, viewer: Viewer, clock: "_Stopwatch") -> ExtractedQuery:
        """Of a conversation as its readers see it."""
        asked = Conversation(
            visible(encodable(conversation.question)),
            tuple(replace(message, text=visible(message.text)) for message in conversation.earlier),
        )
        with clock.lap("extract"):
            return self.extractor.extract(asked, self.passages.filterable(viewer))

    def _in_own_words(self, reply: Refusal) -> Refusal:
        return replace(reply, text=self.refusal_message) if self.refusal_message else reply

    def _found(self, trace: Trace, gathered: Sequence[Gathered]) -> Trace:
        return replace(
            trace,
            searched=tuple(found.query for found in gathered),
            candidates=tuple(merged(gathered, sum(len(found.ranked.evidence) for found in gathered))),
            floor=min((found.ranked.floor for found in gathered), default=None),
            models=self.models,
            prompts=self.prompts,
            generation=self.finding.generation if gathered else None,
        )

    def _reply(
        self, query: ExtractedQuery, gathered: Sequence[Gathered], viewer: Viewer, clock: "_Stopwatch"
    ) -> tuple[Reply, Trace]:
        nothing = Trace(unanswered=tuple(found.query.main_query for found in gathered))
        found_any = any(found.ranked.evidence for found in gathered)
        if not found_any and not self.passages.readable(viewer, Filters()):
            return refusal("knowledge_base_empty", query.language), nothing
        held = [found for found in gathered if found.ranked.holds_an_answer]
        if not held:
            return refusal("below_floor", query.language), nothing
        asked = replace(query, parts=tuple(found.query for found in held)) if query.parts else held[0].query
        best = merged(held, self.evidence_passages)
        with clock.lap("answer"):
            draft = self.answerer.compose(asked, best)
        with clock.lap("check"):
            checked = self.checker.check(draft, best, asked)
            reply = settle(draft, checked, best, asked)
        trace = replace(nothing, used=tuple(best), draft=draft.text, checked=checked)
        if not isinstance(reply, Answer):
            return reply, trace
        without = tuple(found.query.main_query for found in gathered if found not in held)
        searched = Missing.EMBEDDING not in missing_parts()
        return unanswered(reply, without, query.language, searched=searched), replace(trace, unanswered=without)


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
