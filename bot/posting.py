"""Messages to Slack, each posted exactly once even when an answer of Slack's gets lost or the process dies."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from slack_sdk.errors import SlackApiError

from bot import limits
from bot.clients import CONNECTION_ERRORS, Clients, error_code, is_passing, is_rate_limited
from bot.reply import Part, Payload

logger = logging.getLogger(__name__)

_PAUSES_S = (0.0, 1.0, 3.0, 6.0, 15.0, 30.0)
_MARK = "footnote_reply"
"""`event_type` of the metadata by which the bot knows its messages again: which reply, and which piece of it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reply belongs: below `after` in a thread. `known` are the bot's messages there so far."""

    channel: str
    thread: str
    after: str
    known: frozenset[str] = frozenset()


class Unreachable(Exception):
    """Slack did not answer for a long time, and it is not known whether the message stands."""


@dataclass(slots=True)
class _Posting:
    """One reply under way: timestamps by piece, and whether some may stand that are not among them.

    A piece is named by its part, `0`, and where blocks were refused also by its place in the part: `0.1`.
    """

    place: Place
    doubtful: bool
    standing: dict[str, str] = field(default_factory=dict)

    def went_as_text(self, number: int) -> bool:
        return any(piece.startswith(f"{number}.") for piece in self.standing)


class Poster:
    """Posts in threads. Each channel gets one message after the other, as Slack's rate limit wants."""

    def __init__(self, clients: Clients, bot_user_id: str, *, pause: Callable[[float], None] = time.sleep) -> None:
        self._clients = clients
        self._bot_user_id = bot_user_id
        self._pause = pause
        self._locks: dict[str, threading.Lock] = {}

    def post(self, place: Place, parts: Sequence[Part], *, begun: bool = False) -> list[str]:
        """Timestamps of the messages. Raises SlackApiError when Slack refuses them, Unreachable.

        `begun`: an earlier run may have posted some of them; they are looked for and not posted again.
        """
        posting = _Posting(place, doubtful=begun)
        with self._locks.setdefault(place.channel, threading.Lock()):
            for number, part in enumerate(parts):
                self._post_part(posting, number, part)
        return sorted(posting.standing.values())

    def _post_part(self, posting: _Posting, number: int, part: Part) -> None:
        try:
            if not posting.went_as_text(number):
                self._send(posting, str(number), part.as_blocks())
            if not posting.went_as_text(number):  # looking may have shown that it began as text
                return
        except SlackApiError as error:
            if error_code(error) not in limits.BLOCKS_REFUSED:
                raise
            logger.warning("Slack refused blocks (%s), posting them as text", error_code(error))
        for piece, text in enumerate(part.as_texts()):
            self._send(posting, f"{number}.{piece}", text)

    def _send(self, posting: _Posting, piece: str, payload: Payload) -> None:
        """Post a piece unless it stands; afterwards it does."""
        for pause_s in _PAUSES_S:
            if pause_s:
                self._pause(pause_s)
            try:
                if posting.doubtful:
                    self._look(posting)
                if piece in posting.standing or ("." not in piece and posting.went_as_text(int(piece))):
                    return
                posting.standing[piece] = self._call(posting.place, piece, payload)
                return
            except SlackApiError as error:
                if not is_passing(error) and not is_rate_limited(error):
                    raise
                posting.doubtful = posting.doubtful or not is_rate_limited(error)
                logger.warning("Slack failed in %s: %s", posting.place.channel, _short(error))
            except CONNECTION_ERRORS as error:
                posting.doubtful = True
                logger.warning("no answer of Slack's in %s: %s", posting.place.channel, _short(error))
        raise Unreachable(posting.place.channel)

    def _look(self, posting: _Posting) -> None:
        """Find what stands. A bot that may not read threads goes on with what it knows: better said twice than never.

        Raises as the client does for what passes.
        """
        try:
            posting.standing = self._found(posting.place)
        except SlackApiError as error:
            if is_passing(error) or is_rate_limited(error):
                raise
            logger.warning("cannot look into a thread of %s: %s", posting.place.channel, _short(error))
        posting.doubtful = False

    def _call(self, place: Place, piece: str, payload: Payload) -> str:
        mark = {"event_type": _MARK, "event_payload": {"to": place.after, "piece": piece}}
        answer = self._clients.writer.chat_postMessage(
            channel=place.channel, thread_ts=place.thread, metadata=mark, **payload
        )
        return str(answer["ts"])

    def _found(self, place: Place) -> dict[str, str]:
        """Timestamps of the reply's messages that stand in the thread. Raises as the client does."""
        own = [m for m in self._thread(place) if m.get("user") == self._bot_user_id and m["ts"] > place.after]
        marked = {piece: str(m["ts"]) for m in own if (piece := _piece(m, place))}
        unmarked = [str(m["ts"]) for m in own if not m.get("metadata") and m["ts"] not in place.known]
        return marked or {str(number): ts for number, ts in enumerate(unmarked)}

    def _thread(self, place: Place) -> Iterable[Mapping[str, Any]]:
        cursor: str | None = None
        for _ in range(limits.REPLIES_PAGES):
            page = self._clients.reader.conversations_replies(
                channel=place.channel,
                ts=place.thread,
                oldest=place.after,
                limit=limits.REPLIES_PAGE,
                cursor=cursor,
                include_all_metadata=True,
            )
            yield from page["messages"]
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return


def _piece(message: Mapping[str, Any], place: Place) -> str:
    """Which piece of the reply a message is; empty when it is of another one."""
    metadata = message.get("metadata") or {}
    payload = metadata.get("event_payload") or {}
    ours = metadata.get("event_type") == _MARK and payload.get("to") == place.after
    return str(payload.get("piece", "")) if ours else ""


def _short(error: Exception) -> str:
    return error_code(error) if isinstance(error, SlackApiError) else f"{type(error).__name__}: {error}"
