"""Slack events to accepted or heard messages."""

import re
from collections.abc import Mapping
from typing import Any

from bot.delivery import Delivery
from bot.jobs import Job
from bot.thread import heard, is_spoken, slack_text

_LEADING_MENTION = re.compile(r"\s*<@([A-Z0-9]+)")


class Listener:
    """Decides which messages concern the bot. Quick: it only writes to the store and to the queue."""

    def __init__(self, delivery: Delivery, bot_user_id: str) -> None:
        self._delivery = delivery
        self._bot_user_id = bot_user_id
        self._mention = re.compile(rf"<@{re.escape(bot_user_id)}(?:\|[^>]*)?>")

    def on_message(self, event: Mapping[str, Any], *, shared_channel: bool) -> None:
        """Take in an `app_mention` or `message` event; the two may tell of the same message.

        Answered are mentions, direct messages, and what follows in threads the bot takes part in, unless it is
        addressed to somebody else. Of other threads nothing is kept.
        """
        if not is_spoken(event) or event["user"] == self._bot_user_id:
            return
        channel = str(event["channel"])
        addressed = self._is_addressed(event, channel)
        message = heard(event, channel, self._bot_user_id, "accepted")
        if not addressed and not self._follows_up(event, channel):
            return
        if not addressed and self._is_for_another(event):
            self._delivery.hear(heard(event, channel, self._bot_user_id, "heard"))
            return
        self._delivery.accept(Job(message, addressed, shared_channel, event.get("files") or ()))

    def _is_addressed(self, event: Mapping[str, Any], channel: str) -> bool:
        return (
            event.get("type") == "app_mention"
            or channel.startswith("D")
            or self._mention.search(slack_text(event)) is not None
        )

    def _follows_up(self, event: Mapping[str, Any], channel: str) -> bool:
        thread = event.get("thread_ts")
        return bool(thread) and self._delivery.takes_part(channel, str(thread))

    def _is_for_another(self, event: Mapping[str, Any]) -> bool:
        leading = _LEADING_MENTION.match(slack_text(event))
        return leading is not None and leading[1] != self._bot_user_id
