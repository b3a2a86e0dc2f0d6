"""An accepted message to its one reply in the thread, whatever fails."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from slack_sdk.errors import SlackApiError

from bot.access import Access
from bot.clients import CONNECTION_ERRORS, Clients, error_code
from bot.history import History
from bot.incident import incident
from bot.jobs import Job
from bot.posting import Place, Poster, Unreachable
from bot.reply import Part, parts
from bot.thread import conversation, without_sources
from retrieval.build import Deliveries
from retrieval.types import (
    Answer,
    Conversation,
    Notice,
    Outcome,
    Reply,
    ThreadMessage,
    Viewer,
)

logger = logging.getLogger(__name__)

STATUS = "is searching the documents…"
FILES_UNREAD = (
    "I cannot read files in messages. An admin can add documents to the knowledge base with `/kb upload`; "
    "questions about them can then be asked here."
)
BUSY = "I have more questions waiting than I can take on right now. Please ask again in a few minutes."
_LATE_AFTER_S = 300


@dataclass(frozen=True, slots=True)
class Response:
    """What to post, and how it is remembered: without words it is no part of the conversation."""

    parts: Sequence[Part]
    remembered: str = ""

    @classmethod
    def notice(cls, text: str) -> "Response":
        """A reply that later questions do not lean on."""
        return cls(parts(Notice("not_allowed", text)))

    @classmethod
    def apology(cls, number: str) -> "Response":
        """The one reply to a message whose answer failed; `number` leads to the cause in the log."""
        return cls.notice(
            f"Sorry, something went wrong on my side and I could not answer (incident {number}). "
            "Please try again; if it happens again, pass this number on to the people who run me."
        )


class Responder:
    """Answers one message at a time. Safe to call from several threads, for different threads of Slack."""

    def __init__(
        self,
        ask: Callable[[Conversation, Viewer], Outcome],
        deliveries: Deliveries,
        history: History,
        access: Access,
        poster: Poster,
        clients: Clients,
        bot_user_id: str,
    ) -> None:
        self._ask = ask
        self._deliveries = deliveries
        self._history = history
        self._access = access
        self._poster = poster
        self._clients = clients
        self._bot_user_id = bot_user_id

    def respond(self, job: Job) -> None:
        """Post the reply and mark the message done. Raises nothing."""
        try:
            if job.shared_channel is None and self._answered_before_restart(job):
                return
            self._deliver(job.message, self._response(job))
        except Exception:
            incident(logger, f"delivering to {job.message.channel} {job.message.ts}")

    def refuse_busy(self, job: Job) -> None:
        """Tell the person that the queue is full. Raises nothing."""
        try:
            self._deliver(job.message, Response.notice(BUSY))
        except Exception:
            incident(logger, f"telling {job.message.channel} {job.message.ts} that the queue is full")

    def apologise(self, job: Job, number: str) -> None:
        """Tell the person that the message could not even be kept. Raises nothing."""
        try:
            self._poster.post(self._place(job.message), Response.apology(number).parts)
        except Exception:
            incident(logger, f"apologising for {job.message.channel} {job.message.ts}")

    def _response(self, job: Job) -> Response | None:
        """None when nothing is to be said."""
        message = job.message
        try:
            declined = self._access.declined(message.author, shared_channel=self._is_shared(job))
            if declined:
                return Response.notice(declined) if job.addressed else None
            if job.has_files and not message.text:
                return Response.notice(FILES_UNREAD)
            self._show_status(message)
            return self._answered(message)
        except Exception:
            return Response.apology(incident(logger, f"answering {message.channel} {message.ts}"))

    def _answered(self, message: ThreadMessage) -> Response:
        direct = message.channel.startswith("D")
        viewer = self._access.viewer(message.author, direct_message=direct)
        asked = conversation(message, self._history.before(message))
        outcome = self._ask(asked, viewer)
        posted = parts(outcome.reply, note=late_note(message.ts, time.time()))
        return Response(posted, _remembered(outcome.reply))

    def _deliver(self, message: ThreadMessage, response: Response | None) -> None:
        reply: ThreadMessage | None = None
        try:
            if response:
                posted = self._poster.post(self._place(message), response.parts)
                reply = self._own(message, posted[-1], response.remembered)
        except Unreachable:
            logger.error("Slack is out of reach; %s %s is answered after a restart", message.channel, message.ts)
            return
        except SlackApiError as error:
            logger.error("Slack refuses a reply in %s: %s", message.channel, error_code(error))
        self._deliveries.finish(message, reply)

    def _answered_before_restart(self, job: Job) -> bool:
        """Whether the reply stands already because only the note of it was lost."""
        try:
            found = self._poster.find(self._place(job.message))
        except (SlackApiError, *CONNECTION_ERRORS):
            logger.warning("cannot look whether %s %s is answered", job.message.channel, job.message.ts)
            return False
        if found:
            self._deliveries.finish(job.message, self._own(job.message, found, ""))
        return found is not None

    def _place(self, message: ThreadMessage) -> Place:
        try:
            seen = self._deliveries.thread(message.channel, message.thread)
        except Exception:
            incident(logger, "reading what was said in a thread")
            seen = []
        known = frozenset(said.ts for said in seen if said.by_bot)
        return Place(message.channel, message.thread, message.ts, known)

    def _own(self, message: ThreadMessage, ts: str, text: str) -> ThreadMessage:
        return ThreadMessage(message.channel, ts, message.thread, self._bot_user_id, text, by_bot=True)

    def _is_shared(self, job: Job) -> bool:
        if job.shared_channel is not None:
            return job.shared_channel
        if job.message.channel.startswith("D"):
            return False
        channel = self._clients.reader.conversations_info(channel=job.message.channel)["channel"]
        return bool(channel.get("is_ext_shared"))

    def _show_status(self, message: ThreadMessage) -> None:
        try:
            self._clients.quick.assistant_threads_setStatus(
                channel_id=message.channel, thread_ts=message.thread, status=STATUS
            )
        except (SlackApiError, *CONNECTION_ERRORS) as error:
            logger.debug("no status line: %s", error)


def _remembered(reply: Reply) -> str:
    return without_sources(reply.text) if isinstance(reply, Answer) else reply.text


def late_note(ts: str, now: float) -> str:
    """What to say under a reply to a message from so long ago that the person may have stopped waiting."""
    late_s = now - float(ts)
    return f"This message reached me {late_s / 60:.0f} minutes late." if late_s >= _LATE_AFTER_S else ""
