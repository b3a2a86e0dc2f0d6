"""Messages to Slack, each posted exactly once even when an answer of Slack's gets lost."""

import logging
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from slack_sdk.errors import SlackApiError

from bot import limits
from bot.clients import CONNECTION_ERRORS, Clients, error_code, is_passing
from bot.reply import Part, Payload

logger = logging.getLogger(__name__)

_PAUSES_S = (0.0, 1.0, 3.0, 6.0, 15.0, 30.0)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reply belongs: below `after` in a thread. `known` are the bot's messages there so far."""

    channel: str
    thread: str
    after: str
    known: frozenset[str] = frozenset()


class Unreachable(Exception):
    """Slack did not answer for a long time, and it is not known whether the message stands."""


class Poster:
    """Posts in threads. Each channel gets one message after the other, as Slack's rate limit wants."""

    def __init__(self, clients: Clients, bot_user_id: str, *, pause: Callable[[float], None] = time.sleep) -> None:
        self._clients = clients
        self._bot_user_id = bot_user_id
        self._pause = pause
        self._locks: dict[str, threading.Lock] = {}

    def post(self, place: Place, parts: Sequence[Part]) -> list[str]:
        """Timestamps of the messages. Raises SlackApiError when Slack refuses them, Unreachable."""
        posted: list[str] = []
        with self._locks.setdefault(place.channel, threading.Lock()):
            for part in parts:
                try:
                    posted.append(self._send(place, part.as_blocks(), posted))
                except SlackApiError as error:
                    if error_code(error) not in limits.BLOCKS_REFUSED:
                        raise
                    logger.warning("Slack refused blocks (%s), posting them as text", error_code(error))
                    for text in part.as_texts():
                        posted.append(self._send(place, text, posted))
        return posted

    def find(self, place: Place, besides: Collection[str] = ()) -> str | None:
        """Timestamp of a message of the bot's in this place that is not known yet. Raises as the client does."""
        cursor: str | None = None
        for _ in range(limits.REPLIES_PAGES):
            page = self._clients.once.conversations_replies(
                channel=place.channel,
                ts=place.thread,
                oldest=place.after,
                limit=limits.REPLIES_PAGE,
                cursor=cursor,
            )
            for message in page["messages"]:
                new = message["ts"] not in place.known and message["ts"] not in besides
                if message.get("user") == self._bot_user_id and message["ts"] > place.after and new:
                    return str(message["ts"])
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return None
        return None

    def _send(self, place: Place, payload: Payload, posted: Sequence[str]) -> str:
        doubtful = False
        for pause_s in _PAUSES_S:
            if pause_s:
                self._pause(pause_s)
            try:
                if doubtful and (ts := self.find(place, posted)):
                    return ts
            except (SlackApiError, *CONNECTION_ERRORS) as error:
                logger.warning("cannot look whether a reply stands in %s: %s", place.channel, _short(error))
                continue
            try:
                answer = self._clients.writer.chat_postMessage(channel=place.channel, thread_ts=place.thread, **payload)
                return str(answer["ts"])
            except SlackApiError as error:
                if not is_passing(error):
                    raise
                doubtful = True
                logger.warning("Slack failed to post in %s: %s", place.channel, _short(error))
            except CONNECTION_ERRORS as error:
                doubtful = True
                logger.warning("no answer to a post in %s: %s", place.channel, _short(error))
        raise Unreachable(place.channel)


def _short(error: Exception) -> str:
    return error_code(error) if isinstance(error, SlackApiError) else f"{type(error).__name__}: {error}"
