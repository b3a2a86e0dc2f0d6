"""The two buttons under an answer, and what pressing one of them leaves behind."""

import datetime as dt
import logging
from collections.abc import Mapping
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.clients import CONNECTION_ERRORS
from bot.incident import incident
from retrieval.build import FeedbackLog
from retrieval.types import Feedback

logger = logging.getLogger(__name__)

FEEDBACK = "feedback"
_GOOD, _BAD = "good", "bad"
THANKS = {
    _GOOD: "Thanks, glad it helped.",
    _BAD: "Thanks for telling me. The people who look after the documents can see it.",
}


def feedback_block() -> dict[str, Any]:
    """The block with the buttons."""
    buttons = {
        "type": "feedback_buttons",
        "action_id": FEEDBACK,
        "positive_button": _button("Good answer", _GOOD),
        "negative_button": _button("Bad answer", _BAD),
    }
    return {"type": "context_actions", "elements": [buttons]}


def on_feedback(body: Mapping[str, Any], log: FeedbackLog, client: WebClient) -> None:
    """Keep what was pressed, and thank the person where only they see it. `body`: a block_actions payload."""
    channel, person = str(body["channel"]["id"]), str(body["user"]["id"])
    container = body.get("container") or {}
    ts = str(container.get("message_ts") or body["message"]["ts"])
    value = body["actions"][0].get("value")
    if value not in THANKS:
        return
    try:
        log.rate(Feedback(channel, ts, person, value, dt.datetime.now(dt.UTC)))
        text = THANKS[value]
    except Exception:
        text = f"Sorry, I could not keep that (incident {incident(logger, 'keeping feedback')})."
    thread = container.get("thread_ts") or (body.get("message") or {}).get("thread_ts")
    try:
        client.chat_postEphemeral(channel=channel, user=person, text=text, thread_ts=thread)
    except (SlackApiError, *CONNECTION_ERRORS) as error:
        logger.warning("cannot thank someone for feedback: %s", error)


def _button(label: str, value: str) -> dict[str, Any]:
    return {"text": {"type": "plain_text", "text": label}, "value": value, "accessibility_label": label}
