"""A record of the audit to the window that shows how a reply was found."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from bot import limits
from bot.findings import doubt_line
from bot.mrkdwn import one_line
from bot.report_lines import counted
from bot.sources import page_words
from bot.split import grouped
from retrieval.types import AuditRecord, Considered, ExtractedQuery, Passage, Past, Viewer

Json = dict[str, Any]

TITLE = "How I found this"
_PASSAGES_MOST = 10
_PHRASE_CHARS = 300
_SNIPPET_CHARS = 280
_UNSEEN = "Some of what I looked at is not shown, because you may not see it or because it is no longer there."

_NOT_FOR_YOU = (
    "This reply was made for somebody who may see more documents than you may see now, so I cannot show how I found it."
)

_REFUSED = {
    "below_floor": "Nothing that I found was close enough to the question, so I did not try to answer.",
    "model_declined": "The passages that I read do not hold the answer.",
    "unsupported": "What I would have answered is not borne out by the passages, so I did not say it.",
    "knowledge_base_empty": "There are no documents to look into yet.",
}
_WITHOUT = {
    "extractor": "the language model that understands questions",
    "embedding": "search by meaning",
    "vectors": "the meaning of documents that are not embedded anew yet",
    "reranker": "the served reranker",
    "chat": "the language model that writes answers",
    "verifier": "the served model that checks statements",
}


def message_view(text: str) -> Json:
    """The window with a sentence in it."""
    return _modal(_sections([text]))


def work_view(record: AuditRecord, passages: Mapping[int, Passage], viewer: Viewer) -> Json:
    """What was searched for, found, checked and dropped. `passages` are those of the record that the viewer may see;
    statements are shown only to who may see all that they could have been made from."""
    if not set(record.labels) <= viewer.labels:
        return message_view(_NOT_FOR_YOU)
    visible = [item for item in record.candidates if item.number in passages]
    read = {item.number for item in record.candidates if item.evidence is not None}
    return _modal(
        [
            *_sections(["*What I searched for*", *_searched(record, {item.document for item in visible})]),
            {"type": "divider"},
            *_sections(_found(record, visible)),
            *(block for item in visible[:_PASSAGES_MOST] for block in _passage(item, passages[item.number])),
            {"type": "divider"},
            *_sections(["*What I checked*", *_summary(record), *_doubts(record, whole=read <= passages.keys())]),
            {"type": "context", "elements": [_text(_footer(record))]},
        ]
    )


def _searched(record: AuditRecord, documents: set[str]) -> Iterator[str]:
    understood = [record.query] if record.query else []
    wished = (name for query in (*understood, *record.searched) for name in query.filters.documents)
    hidden = [name for name in wished if name not in documents]
    for query in record.searched or understood:
        yield f"• {one_line(query.main_query, _PHRASE_CHARS)}"
        for phrase in filter(None, (query.explanation, *query.expansions)):
            yield f"   ◦ also as: {one_line(phrase, _PHRASE_CHARS)}"
        yield from (f"   ◦ {line}" for line in _restrictions(query, hidden))


def _restrictions(query: ExtractedQuery, hidden: Sequence[str]) -> Iterator[str]:
    """Filters and wishes. Documents that are not shown are not named either."""
    filters = query.filters
    if filters.documents:
        names = [name for name in filters.documents if name not in hidden]
        yield f"only in: {_listed(names or ['documents that are not shown'])}"
    if filters.tags:
        yield f"only what is tagged: {_listed(filters.tags)}"
    if filters.since or filters.until:
        since, until = (date.isoformat() if date else "…" for date in (filters.since, filters.until))
        yield f"only what is dated {since} to {until}"
    if filters.past:
        yield _past(filters.past)
    if query.criteria and not hidden:
        yield f"preferably: {_listed(query.criteria)}"
    if query.ranking != "relevance":
        yield f"{query.ranking} first"


def _past(past: Past) -> str:
    if past.as_of:
        which = f"in force on {past.as_of.isoformat()}"
    else:
        which = f"v{past.version}" if past.version and past.version > 0 else "before the current one"
    return f"{'instead of' if past.alone else 'beside'} the current version of a document, the one {which}"


def _found(record: AuditRecord, visible: Sequence[Considered]) -> Iterator[str]:
    yield f"*What I looked at*: {counted(len(record.candidates), 'passage')}"
    if record.floor is not None:
        yield (
            f"Relevance to the question goes from 0 to 1. Where no passage reaches {record.floor:.2f}, I do not answer."
        )
    if len(visible) < len(record.candidates):
        yield _UNSEEN
    if len(visible) > _PASSAGES_MOST:
        yield f"The best {_PASSAGES_MOST} are shown."


def _passage(item: Considered, passage: Passage) -> list[Json]:
    where = [f"{one_line(passage.document, limits.NAME_CHARS)} (v{passage.version})"]
    where += [one_line(" > ".join(passage.section), limits.SECTION_CHARS)] if passage.section else []
    where += filter(None, [page_words(passage)])
    role = f"cited as [{item.cited}]" if item.cited else "read, not cited" if item.evidence else "set aside"
    scores = [f"relevance {item.relevance:.2f}"]
    scores += [f"meaning {item.dense:.2f}"] if item.dense is not None else []
    scores += [f"keywords {item.lexical:.1f}"] if item.lexical is not None else []
    return _sections([f"*{', '.join(where)}*", f"{role}; {', '.join(scores)}", one_line(passage.text, _SNIPPET_CHARS)])


def _summary(record: AuditRecord) -> Iterator[str]:
    if record.kind == "refusal":
        yield _REFUSED.get(record.reason, "The documents do not hold the answer.")
    elif record.kind == "answer":
        yield _held(record)


def _held(record: AuditRecord) -> str:
    doubted = {doubt.statement for doubt in record.doubts}
    held = {finding.statement for finding in record.findings if finding.valid} - doubted
    if not record.findings:
        return "No statement was checked on its own."
    if not doubted:
        return "Each statement of my draft held against what it cites."
    return f"{counted(len(held), 'statement')} of my draft held against what it cites, {len(doubted)} did not."


def _doubts(record: AuditRecord, *, whole: bool) -> Iterator[str]:
    if not record.doubts:
        return
    if not whole:
        yield f"{_UNSEEN} So I do not show what did not hold either."
        return
    yield from (f"• {doubt_line(doubt)}" for doubt in record.doubts)


def _footer(record: AuditRecord) -> str:
    facts = [f"Asked {record.asked_at:%Y-%m-%d %H:%M} UTC"]
    if record.timings_ms:
        facts.append(f"{sum(record.timings_ms.values()) / 1000:.1f} s")
    if record.knowledge_base is not None:
        facts.append(f"state {record.knowledge_base} of the documents")
    facts += [f"{part} by {one_line(name, limits.NAME_CHARS)}" for part, name in record.models.items()]
    facts += [f"without {_WITHOUT.get(part, one_line(part, limits.NAME_CHARS))}" for part in record.missing]
    return " · ".join(facts)


def _listed(names: Sequence[str]) -> str:
    return one_line(", ".join(names), _PHRASE_CHARS)


def _modal(blocks: list[Json]) -> Json:
    return {
        "type": "modal",
        "title": {"type": "plain_text", "text": TITLE},
        "close": {"type": "plain_text", "text": "Close"},
        "blocks": blocks,
    }


def _sections(lines: Iterable[str]) -> list[Json]:
    groups = grouped(lines, limits.TEXT_OBJECT_CHARS)
    return [{"type": "section", "text": _text("\n".join(group))} for group in groups]


def _text(text: str) -> Json:
    return {"type": "mrkdwn", "text": text[: limits.TEXT_OBJECT_CHARS], "verbatim": True}
