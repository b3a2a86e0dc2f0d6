"""Outcomes, hits, reports and document versions to lines for people and to JSON for programs."""

import dataclasses
import json
import sys
from collections.abc import Mapping
from typing import Any

import typer

from bot.sources import page_words
from retrieval.types import (
    RESTORABLE,
    Answer,
    Citation,
    DocumentVersion,
    Evidence,
    ExtractedQuery,
    IngestReport,
    Outcome,
    Passage,
    Past,
    Refusal,
)

Json = dict[str, Any]

_SNIPPET_CHARS = 240


def to_stderr(line: str) -> None:
    """One line for the person, beside the output."""
    typer.echo(f"footnote: {' '.join(line.split())}", err=True)


def print_json(value: Mapping[str, Any]) -> None:
    """One object on one line of standard output, at once."""
    sys.stdout.write(json_line(value))
    sys.stdout.flush()


def json_line(value: Mapping[str, Any]) -> str:
    """One object on one line."""
    return json.dumps(value, ensure_ascii=False) + "\n"


def outcome_json(outcome: Outcome) -> Json:
    """An outcome by kind: answer, refusal or notice."""
    reply = outcome.reply
    query, timings = query_json(outcome.query), dict(outcome.timings_ms)
    if isinstance(reply, Answer):
        return {
            "kind": "answer",
            "text": reply.text,
            "citations": [_citation_json(citation) for citation in reply.citations],
            "query": query,
            "missing": list(outcome.missing),
            "timings_ms": timings,
        }
    missing = {"missing": list(outcome.missing)} if outcome.missing else {}
    if isinstance(reply, Refusal):
        said = {"kind": "refusal", "reason": reply.reason, "text": reply.text}
        return {**said, "query": query, **missing, "timings_ms": timings}
    return {"kind": "notice", "reason": reply.reason, "text": reply.text, **missing}


def query_json(query: ExtractedQuery) -> Json:
    """What was asked for, as it was understood."""
    filters = query.filters
    return {
        "main_query": query.main_query,
        "explanation": query.explanation,
        "expansions": list(query.expansions),
        "filters": {
            "documents": list(filters.documents),
            "tags": list(filters.tags),
            "since": filters.since.isoformat() if filters.since else None,
            "until": filters.until.isoformat() if filters.until else None,
            "past": _past_json(filters.past),
        },
    }


def _past_json(past: Past | None) -> Json | None:
    if past is None:
        return None
    return {"version": past.version, "as_of": past.as_of.isoformat() if past.as_of else None, "alone": past.alone}


def hit_json(evidence: Evidence) -> Json:
    """A passage found, with its scores."""
    passage, candidate = evidence.passage, evidence.candidate
    return {
        "chunk_id": passage.chunk_id,
        "document": passage.document,
        "version": passage.version,
        "section": _section(passage),
        "page": passage.page,
        "text": passage.text,
        "dense": candidate.dense,
        "lexical": candidate.lexical,
        "fused": candidate.fused,
        "relevance": evidence.relevance,
    }


def report_json(report: IngestReport) -> Json:
    """What became of a file."""
    return dataclasses.asdict(report)


def version_json(version: DocumentVersion) -> Json:
    """A document as the knowledge base lists it."""
    return {
        "document": version.document,
        "version": version.version,
        "title": version.title,
        "pages": version.pages,
        "chunks": version.chunks,
        "visibility": version.visibility,
        "tags": list(version.tags),
        "date": version.date.isoformat() if version.date else None,
        "ingested_at": version.ingested_at.isoformat(),
        "status": _status(version),
        "owner": version.owner,
        "page_unit": version.page_unit,
        **({"restorable_until": (version.removed_at + RESTORABLE).isoformat()} if version.removed_at else {}),
    }


def _status(version: DocumentVersion) -> str:
    if version.removed_at:
        return "deleted"
    return "ready" if version.current else "replaced"


def passage_json(n: int, passage: Passage) -> Json:
    """The nth passage of a document, whole."""
    return {
        "n": n,
        "chunk_id": passage.chunk_id,
        "section": _section(passage),
        "page": passage.page,
        "confidence": passage.confidence,
        "text": passage.text,
    }


def outcome_lines(outcome: Outcome) -> list[str]:
    """The reply, and under an answer its sources."""
    reply = outcome.reply
    caveat = [outcome.caveat] if outcome.caveat else []
    if not isinstance(reply, Answer):
        return [reply.text, *caveat]
    return [reply.text, "", *(f"  {_source(citation)}" for citation in reply.citations), *caveat]


def hit_lines(place: int, evidence: Evidence) -> list[str]:
    """A passage found: where it stands, and how it begins."""
    snippet = " ".join(evidence.passage.text.split())
    short = snippet if len(snippet) <= _SNIPPET_CHARS else f"{snippet[: _SNIPPET_CHARS - 1]}…"
    return [f"{place:>3}. {evidence.relevance:.2f}  {_where(evidence.passage)}", f"     {short}"]


def report_line(report: IngestReport) -> str:
    """What became of a file, in a sentence."""
    return " ".join([report.message or f"{report.document}: {report.status.replace('_', ' ')}", *report.warnings])


def _citation_json(citation: Citation) -> Json:
    passage = citation.passage
    return {
        "n": citation.n,
        "document": passage.document,
        "version": passage.version,
        "section": _section(passage),
        "page": passage.page,
        "date": passage.date.isoformat() if passage.date else None,
        "quotes": list(citation.quotes),
    }


def _source(citation: Citation) -> str:
    date = f", {citation.passage.date.isoformat()}" if citation.passage.date else ""
    return f"[{citation.n}] {_where(citation.passage)}{date}"


def _where(passage: Passage) -> str:
    parts = [f"{passage.document} (v{passage.version})", _section(passage), page_words(passage)]
    return ", ".join(filter(None, parts))


def _section(passage: Passage) -> str | None:
    return " > ".join(passage.section) or None
