"""What the bot keeps of messages and questions."""

import datetime as dt
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Protocol

from retrieval.types import (
    AuditRecord,
    Feedback,
    KnowledgeGap,
    Passage,
    ReviewItem,
    ThreadMessage,
    Verdict,
    Viewer,
)


class Deliveries(Protocol):
    """The bot's memory of messages: nothing handled twice, nothing accepted and forgotten."""

    def record(self, message: ThreadMessage) -> bool:
        """True when this channel and ts is new, or was only heard and is now accepted; False otherwise."""

    def finish(self, message: ThreadMessage, reply: ThreadMessage | None) -> None:
        """Marks an accepted message answered (or failed, when there is no reply) and keeps the reply."""

    def thread(self, channel: str, thread: str) -> list[ThreadMessage]:
        """All known messages of a thread, oldest first, the bot's own included."""

    def unfinished(self) -> list[ThreadMessage]:
        """Accepted but neither answered nor failed, oldest first."""

    def forget(self, before: dt.datetime) -> int:
        """Drops threads in which nothing happened since, and nothing is unfinished; how many messages went."""


class Outbox(Protocol):
    """Replies between being composed and being seen to stand, so that a crash repeats and loses nothing."""

    def begin(self, message: ThreadMessage) -> int:
        """Counts one more attempt at answering a message; how many there were with this one."""

    def keep(self, message: ThreadMessage, reply: Mapping[str, Any]) -> None:
        """Keeps the reply, as JSON, until the message is finished."""

    def kept(self, message: ThreadMessage) -> Mapping[str, Any] | None:
        """The reply kept for a message, some of which may have been posted already."""


class FeedbackLog(Protocol):
    """What people think of replies."""

    def rate(self, feedback: Feedback) -> None:
        """Keeps it; the same person's earlier word on the same reply gives way."""

    def ratings(self) -> list[Feedback]:
        """All of it, oldest first."""


class BotMemory(Deliveries, Outbox, FeedbackLog, Protocol):
    """All that the bot keeps."""


class AuditLog(Protocol):
    """What became of each question, as the bot keeps and shows it."""

    def add(self, record: AuditRecord) -> bool:
        """Keeps the first record of a message; False for any other."""

    def find(self, channel: str, message: str) -> AuditRecord | None: ...

    def passages(self, numbers: Collection[int], viewer: Viewer) -> dict[int, Passage]:
        """Those the viewer may see by now, of documents that are still there, by number."""

    def forget(self, before: dt.datetime) -> int:
        """Drops what was asked earlier; how many questions went."""


class AuditDesk(Protocol):
    """What admins read of the audit and do with it."""

    def newest(self, most: int, since: dt.datetime | None = None) -> list[AuditRecord]:
        """The last ones, oldest first."""

    def all(self, since: dt.datetime | None = None) -> Iterator[AuditRecord]:
        """Oldest first. Read as they are asked for, so that writers do not wait."""

    def get(self, number: int) -> AuditRecord | None:
        """By id."""

    def forget_person(self, asker: str) -> int:
        """Drops all that someone asked, and blanks their messages; how many questions went."""

    def gaps(self, most: int) -> list[KnowledgeGap]:
        """Questions that got no answer, those asked most often first."""

    def open_reviews(self, most: int) -> list[ReviewItem]:
        """Doubts nobody has decided yet, oldest first."""

    def decide(self, item: int, verdict: Verdict, by: str) -> bool:
        """Closes a review item; False when there is none of that id that is open."""


class Audit(AuditLog, AuditDesk, Protocol):
    """All of the audit."""
