"""Outcomes and records of the audit made for tests."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from retrieval.audit import record
from retrieval.types import (
    Answer,
    Asked,
    AuditRecord,
    Candidate,
    CheckedAnswer,
    Citation,
    Evidence,
    ExtractedQuery,
    Finding,
    FindingReason,
    Outcome,
    Passage,
    Refusal,
    Trace,
)

DAY = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)


def asked(message: str = "100.0", question: str = "How many days?", **fields: Any) -> Asked:
    """By U1 in a channel on DAY, with the eyes of everyone."""
    return replace(Asked("C1", message, message, "U1", DAY, question, ("everyone",)), **fields)


def passage(number: int, text: str = "You have 26 days of leave.", document: str = "handbook.md") -> Passage:
    return Passage(number, f"c{number}", text, document, "Handbook", 1, 1, ("Leave",), 3)


def evidence(number: int, relevance: float = 0.8, **fields: Any) -> Evidence:
    return Evidence(Candidate(passage(number, **fields), 0.7, 12.5, 0.75), relevance)


def finding(statement: str, n: int | None, reason: FindingReason, *detail: str) -> Finding:
    """Of a passage as `passage` makes it; valid by its reason."""
    holds = reason in ("verbatim", "supported", "recited")
    chunk_id, document = (f"c{n}", "handbook.md") if n else (None, None)
    return Finding(n, holds, reason, statement, chunk_id, document, detail)


def checked(*findings: Finding, removed: Sequence[str] = (), doubtful: bool = False) -> CheckedAnswer:
    return CheckedAnswer("26 days [1].", (0,), (), findings, tuple(removed), True, doubtful)


def answered(*used: Evidence, text: str = "26 days [1].", **trace: Any) -> Outcome:
    """An answer that cites the first of these passages."""
    reply = Answer(text, (Citation(1, used[0].passage),))
    query = ExtractedQuery("days of leave", "en", expansions=("annual leave entitlement",))
    found = Trace(searched=(query,), candidates=used, floor=0.5, used=used, draft=text, generation=4)
    return Outcome(reply, query, used, timings_ms={"recall": 12.5, "answer": 30.0}, trace=replace(found, **trace))


def refused(question: str, lang: str = "en") -> Outcome:
    query = ExtractedQuery(question, lang)
    return Outcome(
        Refusal("below_floor", "I can't answer this."), query, trace=Trace(searched=(query,), unanswered=(question,))
    )


def refused_record(message: str, question: str, **fields: Any) -> AuditRecord:
    return record(asked(message, question, **fields), refused(question))
