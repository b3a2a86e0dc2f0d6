"""Draft to answer: what of it holds, with its citations, or the refusal when nothing does."""

from collections.abc import Sequence

from retrieval.answer.wording import refusal, say
from retrieval.types import Answer, CheckedAnswer, Citation, Draft, Evidence, ExtractedQuery, Refusal


def settle(
    draft: Draft, checked: CheckedAnswer, evidence: Sequence[Evidence], query: ExtractedQuery
) -> Answer | Refusal:
    """What may be shown of a draft that was checked against the evidence. Its own quotes, where it has them, are those
    of the citations."""
    if not draft.answerable:
        return refusal("model_declined", query.language)
    if not checked.answers:
        return refusal("unsupported", query.language)
    quotes = draft.quotes or checked.quotes
    citations = tuple(
        Citation(n, evidence[place].passage, tuple(quote.text for quote in quotes if quote.evidence == place))
        for n, place in enumerate(checked.cited, 1)
    )
    warning = [say("doubtful", query.language)] if checked.doubtful else []
    return Answer("\n\n".join([checked.text, *warning]), citations)
