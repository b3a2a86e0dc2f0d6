"""A message to what was said before it in its thread."""

import logging

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot import limits
from bot.clients import CONNECTION_ERRORS, error_code
from bot.thread import SPOKEN, heard
from retrieval.build import Deliveries
from retrieval.types import ThreadMessage

logger = logging.getLogger(__name__)


class History:
    """What the bot has seen of a thread, completed from Slack where it came in later."""

    def __init__(self, deliveries: Deliveries, client: WebClient, bot_user_id: str) -> None:
        self._deliveries = deliveries
        self._client = client
        self._bot_user_id = bot_user_id

    def before(self, message: ThreadMessage) -> list[ThreadMessage]:
        """All known messages of the thread, oldest first. When Slack refuses, those the bot has seen itself."""
        known = self._deliveries.thread(message.channel, message.thread)
        if message.ts == message.thread or any(seen.ts == message.thread for seen in known):
            return known
        try:
            for said in self._fetched(message):
                self._deliveries.record(said)
        except SlackApiError as error:
            logger.warning("Slack refuses a thread in %s: %s", message.channel, error_code(error))
        except CONNECTION_ERRORS as error:
            logger.warning("cannot read a thread in %s: %s", message.channel, error)
        return self._deliveries.thread(message.channel, message.thread)

    def _fetched(self, message: ThreadMessage) -> list[ThreadMessage]:
        said: list[ThreadMessage] = []
        cursor: str | None = None
        for _ in range(limits.REPLIES_PAGES):
            page = self._client.conversations_replies(
                channel=message.channel,
                ts=message.thread,
                latest=message.ts,
                limit=limits.REPLIES_PAGE,
                cursor=cursor,
            )
            for reply in page["messages"]:
                own = reply.get("user") == self._bot_user_id
                person = reply.get("user") and not reply.get("bot_id") and reply.get("subtype") in SPOKEN
                if own or person:
                    said.append(heard(reply, message.channel, self._bot_user_id))
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                break
        return said
