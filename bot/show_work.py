"""The button under a reply, "How I found this", and the window that pressing it opens."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from slack_sdk.errors import SlackApiError

from bot.access import Access
from bot.clients import CONNECTION_ERRORS, Clients
from bot.incident import incident
from bot.work_view import message_view, work_view
from retrieval.build import AuditLog

logger = logging.getLogger(__name__)

SHOW_WORK = "show_work"
LOOKING = "One moment…"
NOT_THERE = (
    "I do not have the record of this reply: records are deleted after a while, and when the person who asked wants "
    "it. Ask the question again, and I can show how I find the answer now."
)


def show_work_block(question: str) -> dict[str, Any]:
    """The block with the button. `question`: the timestamp of the message that was answered."""
    button = {
        "type": "button",
        "action_id": SHOW_WORK,
        "text": {"type": "plain_text", "text": "How I found this"},
        "value": question,
    }
    return {"type": "actions", "elements": [button]}


@dataclass(frozen=True, slots=True)
class ShowWork:
    """Shows people how a reply came about, as far as they may see what it was made from."""

    audit: AuditLog
    access: Access
    clients: Clients

    def on_pressed(self, body: Mapping[str, Any]) -> None:
        """Open the window and fill it. It opens before anything is looked up, for its trigger lives three seconds.
        `body`: a block_actions payload."""
        try:
            opened = self.clients.once.views_open(trigger_id=body["trigger_id"], view=message_view(LOOKING))
            self.clients.once.views_update(view_id=opened["view"]["id"], view=self._view(body))
        except (SlackApiError, *CONNECTION_ERRORS):
            incident(logger, "showing how a reply was found")

    def _view(self, body: Mapping[str, Any]) -> dict[str, Any]:
        channel, user = str(body["channel"]["id"]), str(body["user"]["id"])
        try:
            if declined := self.access.declined(user, shared_channel=False):
                return message_view(declined)
            record = self.audit.find(channel, str(body["actions"][0]["value"]))
            if record is None:
                return message_view(NOT_THERE)
            viewer = self.access.viewer(user, direct_message=channel.startswith("D"))
            passages = self.audit.passages([passage.number for passage in record.candidates], viewer)
            return work_view(record, passages, viewer)
        except Exception:
            number = incident(logger, "looking up how a reply was found")
            return message_view(f"Sorry, I could not look that up (incident {number}). Please try again in a minute.")
