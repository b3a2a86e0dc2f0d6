"""What did not hold in drafts to a list with buttons, for the admins who look at it."""

from collections.abc import Mapping
from typing import Any

from bot import limits
from bot.findings import doubt_line
from bot.mrkdwn import one_line
from bot.report_lines import counted
from retrieval.build import Audit
from retrieval.types import Passage, ReviewItem, Verdict, Viewer

Json = dict[str, Any]

VERDICTS: dict[str, Verdict] = {"review_right": "right", "review_wrong": "wrong"}
"""What pressing the button of that `action_id` says of the check."""

NOTHING = "Nothing to review: every statement of my drafts held, or somebody has looked at it."
_BUTTONS = {"review_right": "The check was right", "review_wrong": "The check was wrong"}
_ITEMS_MOST = 12
_LIST_CHARS = 10_000
_QUESTION_CHARS = 200
_SNIPPET_CHARS = 300


def review_list(audit: Audit) -> tuple[str, list[Json]]:
    """The oldest open items as the text and the blocks of a message."""
    items = audit.open_reviews(_ITEMS_MOST)
    if not items:
        return NOTHING, []
    passages = audit.passages([i.doubt.passage for i in items if i.doubt.passage is not None], Viewer.admin())
    head = f"*{counted(len(items), 'statement')} to look at, oldest first*"
    blocks: list[Json] = [_section(head)]
    room = _LIST_CHARS
    for item in items:
        text = _told(item, passages)
        room -= len(text)
        if room < 0:
            break
        blocks += [{"type": "divider"}, _section(text), _buttons(item)]
    return head, blocks


def _told(item: ReviewItem, passages: Mapping[int, Passage]) -> str:
    passage = passages.get(item.doubt.passage) if item.doubt.passage is not None else None
    lines = [
        f"*{item.id}.* {item.asked_at:%Y-%m-%d}: {one_line(item.question, _QUESTION_CHARS)}",
        doubt_line(item.doubt),
        *([f"Passage: {one_line(passage.text, _SNIPPET_CHARS)}"] if passage else []),
    ]
    return "\n".join(lines)[: limits.TEXT_OBJECT_CHARS]


def _buttons(item: ReviewItem) -> Json:
    buttons = [
        {
            "type": "button",
            "action_id": action,
            "text": {"type": "plain_text", "text": label},
            "value": str(item.id),
        }
        for action, label in _BUTTONS.items()
    ]
    return {"type": "actions", "block_id": f"review_{item.id}", "elements": buttons}


def _section(text: str) -> Json:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}
