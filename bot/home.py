"""The App Home tab: what the bot is for and how to talk to it."""

from typing import Any

from bot.admin import HELP


def home_view() -> dict[str, Any]:
    """The view for `views.publish`."""
    return {
        "type": "home",
        "blocks": [
            {"type": "header", "text": {"type": "plain_text", "text": "Ask the documents"}},
            {"type": "section", "text": {"type": "mrkdwn", "text": HELP}},
            {"type": "divider"},
            {"type": "context", "elements": [{"type": "mrkdwn", "text": _PROMISE}]},
        ],
    }


_PROMISE = (
    "Every statement I make names its source, so that you can check it. What the documents do not answer, I say so."
)
