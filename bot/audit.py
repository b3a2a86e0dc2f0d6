"""Messages and what became of them to records of the audit, kept once the reply is out."""

import dataclasses
import datetime as dt
import logging
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from bot.incident import incident
from retrieval.build import AuditLog, audit_record, short_audit_record
from retrieval.types import COMMAND_LINE, Asked, AuditRecord, Outcome, RecordKind, ThreadMessage, Viewer

logger = logging.getLogger(__name__)

Json = Mapping[str, Any]


class AuditTrail:
    """Makes and keeps records. What fails here is logged and fails nothing else."""

    def __init__(self, log: AuditLog, days: int) -> None:
        """Of what was asked more than so many days ago nothing is left after `forget_old`."""
        self._log = log
        self._kept_for = dt.timedelta(days=days)

    def of_outcome(self, asked: Asked, outcome: Outcome) -> Json | None:
        """As JSON, to be kept along with the reply until that stands."""
        return _made(asked, lambda: audit_record(asked, outcome))

    def of_notice(self, asked: Asked, kind: RecordKind, reason: str, reply: str) -> Json | None:
        """As JSON, of a message for which nothing was looked up."""
        return _made(asked, lambda: short_audit_record(asked, kind, reason, reply))

    def keep(self, record: Json | None, reply: str | None = None) -> None:
        """`reply`: the timestamp of the reply's last message, None where Slack refused it. A second record of a
        message is dropped."""
        if record is None:
            return
        try:
            self._log.add(dataclasses.replace(AuditRecord.from_json(record), reply_message=reply))
        except Exception:
            incident(logger, f"keeping the record of {record.get('channel')} {record.get('message')}")

    def forget_old(self) -> None:
        """Drops the records that are old enough."""
        try:
            gone = self._log.forget(dt.datetime.now(dt.UTC) - self._kept_for)
            if gone:
                logger.info("the audit forgot %d questions of more than %d days ago", gone, self._kept_for.days)
        except Exception:
            incident(logger, "forgetting old records of the audit")


def asked_on_slack(message: ThreadMessage, viewer: Viewer) -> Asked:
    """A message of a chat, asked with the eyes of that viewer."""
    asked_at = dt.datetime.fromtimestamp(float(message.ts), dt.UTC)
    labels = tuple(sorted(viewer.labels))
    return Asked(message.channel, message.ts, message.thread, message.author, asked_at, message.text, labels)


def asked_here(question: str, viewer: Viewer) -> Asked:
    """A question on the command line, asked now."""
    now, labels = dt.datetime.now(dt.UTC), tuple(sorted(viewer.labels))
    return Asked(COMMAND_LINE, uuid.uuid4().hex, "", COMMAND_LINE, now, question, labels)


def _made(asked: Asked, make: Callable[[], AuditRecord]) -> Json | None:
    try:
        return make().as_json()
    except Exception:
        incident(logger, f"recording {asked.channel} {asked.message}")
        return None
