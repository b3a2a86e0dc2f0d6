"""An outcome to the record that is kept of it: bounded in size, by what stood where and scored how."""

import dataclasses
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from retrieval.text import encodable, fold, normalise, terms
from retrieval.types import (
    Answer,
    Asked,
    AuditRecord,
    CheckedAnswer,
    Considered,
    Doubt,
    Evidence,
    ExtractedQuery,
    Finding,
    Gap,
    Missing,
    Notice,
    Outcome,
    RecordKind,
    Refusal,
    Reply,
    Trace,
)

_QUESTION_CHARS = 4_000
_ANSWER_CHARS = 12_000
_STATEMENT_CHARS = 500
_NAME_CHARS = 200
_QUERY_CHARS = 1_000
_PHRASE_CHARS = 200
_DETAIL_CHARS = 100
_PASSAGES_MOST = 60
_ITEMS_MOST = 40
_PHRASES_MOST = 6
_KEY_DIGITS = 32
_PERSON = re.compile(r"(?<![\w.])@[\w.'-]+\s*")


def short_record(asked: Asked, kind: RecordKind, reason: str, reply: str) -> AuditRecord:
    """Of a message for which nothing was looked up."""
    given = {field.name: getattr(asked, field.name) for field in dataclasses.fields(Asked)}
    given |= {"question": _cut(asked.question, _QUESTION_CHARS)}
    return AuditRecord(**given, kind=kind, reason=reason, reply=_cut(reply, _ANSWER_CHARS))


def record(asked: Asked, outcome: Outcome) -> AuditRecord:
    """Of a message for which this came out."""
    reply, trace, checked = outcome.reply, outcome.trace, outcome.trace.checked
    return replace(
        short_record(asked, _kind(reply), "" if isinstance(reply, Answer) else reply.reason, reply.text),
        query=replace(_short(outcome.query), parts=()),
        searched=tuple(map(_short, trace.searched[:_PHRASES_MOST])),
        candidates=tuple(_considered(trace, reply)),
        floor=trace.floor,
        draft=_cut(trace.draft, _ANSWER_CHARS),
        findings=tuple(map(_shortened, checked.findings[:_ITEMS_MOST])) if checked else (),
        removed=_phrases(checked.removed, _STATEMENT_CHARS, _ITEMS_MOST) if checked else (),
        doubts=tuple(_doubts(checked, trace.used))[:_ITEMS_MOST] if checked else (),
        gaps=tuple(_gaps(outcome)),
        missing=tuple(outcome.missing),
        models=dict(trace.models),
        prompts=dict(trace.prompts),
        calls=trace.calls[:_ITEMS_MOST],
        timings_ms=dict(outcome.timings_ms),
        knowledge_base=trace.generation,
    )


def _kind(reply: Reply) -> RecordKind:
    match reply:
        case Answer():
            return "answer"
        case Refusal():
            return "refusal"
        case Notice():
            return "failure" if reply.reason == "service_unavailable" else "notice"


def _considered(trace: Trace, reply: Reply) -> Iterator[Considered]:
    """What the answerer was given, and the best of the rest, in the order of search."""
    given = {item.passage.number: n for n, item in enumerate(trace.used[:_PASSAGES_MOST], 1)}
    cited = {c.passage.number: c.n for c in reply.citations} if isinstance(reply, Answer) else {}
    known = {item.passage.number for item in trace.candidates}
    found = [*trace.candidates, *(item for item in trace.used if item.passage.number not in known)]
    room = max(0, _PASSAGES_MOST - len(given))
    for item in found:
        if item.passage.number not in given:
            if not room:
                continue
            room -= 1
        yield _scored(item, given.get(item.passage.number), cited.get(item.passage.number))


def _scored(item: Evidence, evidence: int | None, cited: int | None) -> Considered:
    passage, candidate = item.passage, item.candidate
    return Considered(
        passage.number,
        passage.chunk_id,
        _cut(passage.document, _NAME_CHARS),
        passage.version,
        _cut(" > ".join(passage.section), _NAME_CHARS),
        passage.page,
        candidate.dense,
        candidate.lexical,
        candidate.fused,
        item.relevance,
        evidence,
        cited,
    )


def _doubts(checked: CheckedAnswer, used: Sequence[Evidence]) -> Iterator[Doubt]:
    by_statement: dict[str, list[Finding]] = {}
    for finding in checked.findings:
        by_statement.setdefault(finding.statement, []).append(finding)
    for findings in by_statement.values():
        wrong = next((finding for finding in findings if not finding.valid), None)
        if wrong and (doubt := _doubt(wrong, findings, checked, used)):
            yield doubt


def _doubt(
    wrong: Finding, findings: Sequence[Finding], checked: CheckedAnswer, used: Sequence[Evidence]
) -> Doubt | None:
    """None for a remark that claims nothing, which stays though it cites nothing."""
    if wrong.statement in checked.removed:
        outcome: Any = "left_out"
    elif any(finding.valid for finding in findings):
        outcome = "recited"
    elif checked.doubtful:
        outcome = "marked"
    else:
        return None
    short = _shortened(wrong)
    there = used[wrong.n - 1].passage.number if wrong.n and 1 <= wrong.n <= len(used) else None
    return Doubt(short.statement, outcome, short.reason, short.n, there, short.chunk_id, short.document, short.detail)


def _gaps(outcome: Outcome) -> Iterator[Gap]:
    """None where search was not all there: it does not tell what the documents lack."""
    if isinstance(outcome.reply, Notice) or Missing.EMBEDDING in outcome.missing:
        return
    refused = (outcome.query.main_query,) if isinstance(outcome.reply, Refusal) else ()
    seen: set[str] = set()
    for question in (outcome.trace.unanswered or refused)[:_PHRASES_MOST]:
        nameless = _cut(" ".join(_PERSON.sub("", question).split()), _STATEMENT_CHARS)
        key = _gap_key(nameless, outcome.query.language)
        if nameless and key not in seen:
            seen.add(key)
            yield Gap(key, nameless)


def _gap_key(question: str, lang: str) -> str:
    """The same for questions that differ in case, accents, punctuation and small words alone."""
    words = terms(question, lang) or [fold(normalise(question))]
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:_KEY_DIGITS]


def _short(query: ExtractedQuery) -> ExtractedQuery:
    return replace(
        query,
        main_query=_cut(query.main_query, _QUERY_CHARS),
        explanation=_cut(query.explanation, _STATEMENT_CHARS),
        key_phrases=_phrases(query.key_phrases),
        expansions=_phrases(query.expansions),
        filters=replace(query.filters, documents=_phrases(query.filters.documents), tags=_phrases(query.filters.tags)),
        criteria=_phrases(query.criteria),
        clarification=_cut(query.clarification, _STATEMENT_CHARS),
    )


def _shortened(finding: Finding) -> Finding:
    return replace(
        finding,
        statement=_cut(finding.statement, _STATEMENT_CHARS),
        document=finding.document and _cut(finding.document, _NAME_CHARS),
        detail=_phrases(finding.detail, _DETAIL_CHARS),
    )


def _phrases(found: Sequence[str], limit: int = _PHRASE_CHARS, most: int = _PHRASES_MOST) -> tuple[str, ...]:
    return tuple(_cut(phrase, limit) for phrase in found[:most])


def _cut(text: str, limit: int) -> str:
    clean = encodable(text).replace("\0", "")
    return clean if len(clean) <= limit else f"{clean[: limit - 1]}…"
