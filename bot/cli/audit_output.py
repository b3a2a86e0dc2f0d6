"""Records, doubts and gaps of the audit to lines for people, JSON, and rows of a table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.cli.output import Json
from bot.findings import OUTCOMES, reason
from retrieval.types import AuditRecord, Considered, KnowledgeGap, Passage, ReviewItem

_LINE_CHARS = 100
_SNIPPET_CHARS = 200
_SHOWN_MOST = 10
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

COLUMNS = (
    "id", "asked_at", "asker", "channel", "thread", "message", "question", "main_query", "kind", "reason", "reply",
    "documents", "best_relevance", "removed", "missing", "prompt_tokens", "completion_tokens", "time_ms",
    "knowledge_base",
)  # fmt: skip


def summary_json(record: AuditRecord) -> Json:
    """What was asked and said."""
    return {
        "id": record.id,
        "asked_at": record.asked_at.isoformat(),
        "asker": record.asker,
        "channel": record.channel,
        "thread": record.thread,
        "message": record.message,
        "question": record.question,
        "kind": record.kind,
        "reason": record.reason,
        "reply": record.reply,
    }


def full_json(record: AuditRecord, passages: Mapping[int, Passage] | None = None) -> Json:
    """All of it, with the passages' texts where those are given: null for one that is no longer there."""
    tokens = {"prompt_tokens": record.prompt_tokens, "completion_tokens": record.completion_tokens}
    found: Json = {**record.as_json(), **tokens}
    if passages is not None:
        for item in found["candidates"]:
            passage = passages.get(item["number"])
            item["text"] = passage and passage.text
    return found


def csv_row(record: AuditRecord) -> list[str]:
    """The main things, in the order of COLUMNS."""
    values = {
        **summary_json(record),
        "main_query": record.query.main_query if record.query else "",
        "documents": "; ".join(dict.fromkeys(item.document for item in record.candidates if item.evidence)),
        "best_relevance": max((item.relevance for item in record.candidates), default=None),
        "removed": len(record.removed),
        "missing": "; ".join(record.missing),
        "prompt_tokens": record.prompt_tokens,
        "completion_tokens": record.completion_tokens,
        "time_ms": round(sum(record.timings_ms.values()), 1),
        "knowledge_base": record.knowledge_base,
    }
    return [_cell(values[column]) for column in COLUMNS]


def _cell(value: Any) -> str:
    """What a spreadsheet would take for a formula becomes plain text: questions come from anybody."""
    text = "" if value is None else str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text


def record_line(record: AuditRecord) -> str:
    """One line of a list."""
    what = f"{record.kind} ({record.reason})" if record.reason else record.kind
    where = record.channel if record.channel == record.asker else f"{record.asker} in {record.channel}"
    return f"{record.id:>5}  {record.asked_at:%Y-%m-%d %H:%M}  {where}  {what}: {_short(record.question, _LINE_CHARS)}"


def record_lines(record: AuditRecord, passages: Mapping[int, Passage]) -> Iterator[str]:
    """A record to be read from top to bottom."""
    yield record_line(record)
    yield from _section("Question", [record.question])
    yield from _section("Searched for", [f"{q.main_query} {' | '.join(q.expansions)}".strip() for q in record.searched])
    yield from _section("Passages", list(_passages(record, passages)))
    yield from _section("Draft", [record.draft])
    yield from _section("Did not hold", [f"{OUTCOMES[d.outcome]}: {d.statement} ({reason(d)})" for d in record.doubts])
    yield from _section("Reply", [record.reply])
    calls = [f"{call.service} {call.model}" for call in record.calls]
    yield from _section("Models", [f"{part}: {name}" for part, name in record.models.items()] + calls)
    yield from _section("Prompts", [f"{name} {version}" for name, version in record.prompts.items()])
    yield from _section("Went without", record.missing)
    times = ", ".join(f"{name} {spent:.0f} ms" for name, spent in record.timings_ms.items())
    tokens = f"tokens {record.prompt_tokens} + {record.completion_tokens}"
    yield from _section("Cost", [f"{times}; {tokens}; generation {record.knowledge_base}"])


def _passages(record: AuditRecord, passages: Mapping[int, Passage]) -> Iterator[str]:
    for item in record.candidates[:_SHOWN_MOST]:
        passage = passages.get(item.number)
        yield f"{item.relevance:.2f}  {_role(item)}  {item.document} (v{item.version}) {item.section}".rstrip()
        yield f"      {_short(passage.text, _SNIPPET_CHARS) if passage else '(no longer there)'}"
    if len(record.candidates) > _SHOWN_MOST:
        yield f"… and {len(record.candidates) - _SHOWN_MOST} more: --json shows all"


def _role(item: Considered) -> str:
    return f"cited [{item.cited}]" if item.cited else "read" if item.evidence else "set aside"


def review_json(item: ReviewItem, passage: Passage | None) -> Json:
    """A doubt with what it is about."""
    doubt = item.doubt
    return {
        "id": item.id,
        "record": item.record,
        "asked_at": item.asked_at.isoformat(),
        "question": item.question,
        "statement": doubt.statement,
        "outcome": doubt.outcome,
        "reason": doubt.reason,
        "detail": list(doubt.detail),
        "n": doubt.n,
        "chunk_id": doubt.chunk_id,
        "document": doubt.document,
        "passage": passage and passage.text,
    }


def review_lines(item: ReviewItem, passage: Passage | None) -> Iterator[str]:
    """The same for people."""
    yield f"{item.id:>5}  {item.asked_at:%Y-%m-%d}  {_short(item.question, _LINE_CHARS)}"
    yield f"       {OUTCOMES[item.doubt.outcome]}: {_printable(item.doubt.statement)}"
    yield f"       {_printable(reason(item.doubt))}"
    if passage:
        yield f"       Passage: {_short(passage.text, _SNIPPET_CHARS)}"


def gap_json(gap: KnowledgeGap) -> Json:
    """A question that got no answer."""
    return {"question": gap.question, "times": gap.times, "last_asked": gap.last_asked.isoformat()}


def gap_line(gap: KnowledgeGap) -> str:
    """The same for people."""
    return f"{gap.times:>4}×  last {gap.last_asked:%Y-%m-%d}  {_printable(gap.question)}"


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if any(lines):
        yield f"\n{title}"
        yield from (f"  {_printable(line)}" for text in lines for line in text.splitlines())


def _printable(line: str) -> str:
    """What people wrote must not move a terminal's cursor or change its colours."""
    return "".join(c if c.isprintable() else " " for c in line)


def _short(text: str, limit: int) -> str:
    line = " ".join(_printable(text).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
