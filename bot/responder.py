"""An accepted message to its one reply in the thread, whatever fails."""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from slack_sdk.errors import SlackApiError

from bot.access import Access
from bot.attachments import Attachments
from bot.audit import AuditTrail, asked_on_slack
from bot.clients import CONNECTION_ERRORS, Clients, error_code, is_token_error
from bot.history import History
from bot.incident import incident
from bot.jobs import Job
from bot.posting import Place, Poster, Unreachable
from bot.reply import parts
from bot.response import Response
from bot.thread import conversation, without_sources
from retrieval.build import BotMemory
from retrieval.errors import ServiceUnavailable, new_incident
from retrieval.types import (
    Answer,
    Conversation,
    Outcome,
    RecordKind,
    Reply,
    ThreadMessage,
    Viewer,
)

logger = logging.getLogger(__name__)

STATUS = "is searching the documents…"
READING = "is reading your files…"
BUSY = "I have more questions waiting than I can take on right now. Please ask again in a few minutes."
_LATE_AFTER_S = 300
_ATTEMPTS_MOST = 5


class Responder:
    """Answers one message at a time. Safe to call from several threads, for different threads of Slack."""

    def __init__(
        self,
        ask: Callable[[Conversation, Viewer], Outcome],
        memory: BotMemory,
        history: History,
        access: Access,
        attachments: Attachments,
        poster: Poster,
        trail: AuditTrail,
        clients: Clients,
        bot_user_id: str,
    ) -> None:
        self._ask = ask
        self._memory = memory
        self._history = history
        self._access = access
        self._attachments = attachments
        self._poster = poster
        self._trail = trail
        self._clients = clients
        self._bot_user_id = bot_user_id

    def respond(self, job: Job) -> bool:
        """Post the reply and mark the message done. False when it is to be tried again later. Raises nothing."""
        message = job.message
        try:
            attempts = self._memory.begin(message)
            if kept := self._memory.kept(message):
                return self._deliver(message, Response.from_json(kept), begun=True)
            if attempts > _ATTEMPTS_MOST:
                logger.error("giving up %s %s after %d attempts", message.channel, message.ts, attempts - 1)
                return self._reply(message, self._apology(message, new_incident()))
            return self._reply(message, self._response(job))
        except Exception:
            incident(logger, f"delivering to {message.channel} {message.ts}")
            return False

    def refuse_busy(self, job: Job) -> None:
        """Tell the person that the queue is full. Raises nothing."""
        try:
            self._reply(job.message, self._noted(job.message, Response.notice(BUSY), "busy"))
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
                return self._noted(message, Response.notice(declined), "not_allowed") if job.addressed else None
            handled = self._attachments.handle(job, partial(self._show_status, message, READING))
            if handled and not handled.asks:
                return self._noted(message, Response.notice(handled.note), "files")
            self._show_status(message, STATUS)
            return self._answered(message, handled.note if handled else "")
        except ServiceUnavailable:
            number = incident(logger, f"answering {message.channel} {message.ts}")
            return self._noted(message, Response.out_of_order(number), f"incident {number}", "failure")
        except Exception:
            return self._apology(message, incident(logger, f"answering {message.channel} {message.ts}"))

    def _apology(self, message: ThreadMessage, number: str) -> Response:
        return self._noted(message, Response.apology(number), f"incident {number}", "failure")

    def _noted(self, message: ThreadMessage, response: Response, reason: str, kind: RecordKind = "notice") -> Response:
        return replace(
            response, record=self._trail.of_notice(asked_on_slack(message, Viewer()), kind, reason, response.text)
        )

    def _answered(self, message: ThreadMessage, note: str) -> Response:
        direct = message.channel.startswith("D")
        viewer = self._access.viewer(message.author, direct_message=direct)
        asked = conversation(message, self._history.before(message))
        outcome = self._ask(asked, viewer)
        notes = (note, late_note(message.ts, time.time()), outcome.caveat)
        posted = parts(
            outcome.reply,
            note="\n".join(filter(None, notes)),
            question=message.ts,
            language=outcome.query.language,
        )
        return Response(
            posted, _remembered(outcome.reply), self._trail.of_outcome(asked_on_slack(message, viewer), outcome)
        )

    def _reply(self, message: ThreadMessage, response: Response | None) -> bool:
        if response is None:
            self._memory.finish(message, None)
            return True
        self._memory.keep(message, response.as_json())  # before the first post, so that a crash repeats nothing
        return self._deliver(message, response)

    def _deliver(self, message: ThreadMessage, response: Response, *, begun: bool = False) -> bool:
        reply: ThreadMessage | None = None
        try:
            posted = self._poster.post(self._place(message), response.parts, begun=begun)
            reply = self._own(message, posted[-1], response.remembered)
        except Unreachable:
            logger.error("Slack is out of reach; %s %s is answered later", message.channel, message.ts)
            return False
        except SlackApiError as error:
            logger.error("Slack refuses a reply in %s: %s", message.channel, error_code(error))
            if is_token_error(error):  # it is answered once the token is good again
                return False
        self._trail.keep(response.record, reply.ts if reply else None)
        self._memory.finish(message, reply)
        return True

    def _place(self, message: ThreadMessage) -> Place:
        try:
            seen = self._memory.thread(message.channel, message.thread)
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

    def _show_status(self, message: ThreadMessage, status: str) -> None:
        try:
            self._clients.quick.assistant_threads_setStatus(
                channel_id=message.channel, thread_ts=message.thread, status=status
            )
        except (SlackApiError, *CONNECTION_ERRORS) as error:
            logger.debug("no status line: %s", error)


def _remembered(reply: Reply) -> str:
    return without_sources(reply.text) if isinstance(reply, Answer) else reply.text


def late_note(ts: str, now: float) -> str:
    """What to say under a reply to a message from so long ago that the person may have stopped waiting."""
    late_s = now - float(ts)
    return f"This message reached me {late_s / 60:.0f} minutes late." if late_s >= _LATE_AFTER_S else ""
