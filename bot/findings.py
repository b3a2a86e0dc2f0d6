"""A doubt about a statement to a line for people."""

from bot import limits
from bot.mrkdwn import one_line
from retrieval.types import Doubt, FindingReason

_STATEMENT_CHARS = 300

OUTCOMES = {"left_out": "Left out", "recited": "Cited anew", "marked": "Marked as doubtful"}

REASONS: dict[FindingReason, str] = {
    "no_such_passage": "it cited a passage that was not there",
    "not_cited": "it cited nothing",
    "number": "what it cited does not give that number",
    "date": "what it cited does not give that date",
    "name": "what it cited does not give that name",
    "negation": "what it cited says the opposite",
    "meaning": "what it cited does not say that",
    "better_elsewhere": "another passage says so more clearly",
}


def reason(doubt: Doubt) -> str:
    """Why the statement was doubted: `what it cited does not give that number (27; handbook.md)`."""
    about = "; ".join([*([", ".join(doubt.detail)] if doubt.detail else []), *filter(None, [doubt.document])])
    said = REASONS.get(doubt.reason, doubt.reason)
    return f"{said} ({about})" if about else said


def doubt_line(doubt: Doubt) -> str:
    """In mrkdwn: what became of the statement, and why."""
    why = one_line(reason(doubt), limits.SECTION_CHARS)
    return f"{OUTCOMES[doubt.outcome]}: “{one_line(doubt.statement, _STATEMENT_CHARS)}”: {why}."
