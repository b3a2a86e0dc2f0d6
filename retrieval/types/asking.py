"""Who asks, and what."""

import datetime as dt
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

EVERYONE = "everyone"
ADMINS = "admins"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whose eyes an answer is for: the visibility labels whose documents may be recalled."""

    labels: frozenset[str] = frozenset({EVERYONE})

    @classmethod
    def admin(cls) -> "Viewer":
        return cls(frozenset({EVERYONE, ADMINS}))


@dataclass(frozen=True, slots=True)
class Message:
    """One earlier message of a thread, as plain text."""

    author: Literal["person", "bot"]
    text: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """A thread: the message to answer, and what was said before it, oldest first."""

    question: str
    earlier: tuple[Message, ...] = ()


class Kind(StrEnum):
    """What a message is."""

    QUESTION = "question"
    GREETING = "greeting"
    SMALL_TALK = "small_talk"
    HELP = "help"
    EMPTY = "empty_question"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Past:
    """Which superseded versions are asked for: of each document the version of that number, negative ones counted back
    from the current one, or the one that was in force on a day.

    They are recalled beside the current versions, or where the question is about the past alone, instead of them.
    """

    version: int | None = None
    as_of: dt.date | None = None
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Filters:
    """Wishes that document metadata can decide. Empty means no restriction, and current versions only."""

    documents: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: dt.date | None = None
    until: dt.date | None = None
    past: Past | None = None

    @property
    def narrow(self) -> bool:
        """Whether they keep any current version out."""
        return bool(self.documents or self.tags or self.since or self.until or (self.past and self.past.alone))


@dataclass(frozen=True, slots=True)
class Filterable:
    """What there is to filter by, among the documents that a viewer may see: names, tags, first and last date."""

    documents: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: dt.date | None = None
    until: dt.date | None = None


@dataclass(frozen=True, slots=True)
class ExtractedQuery:
    """What a conversation asks for. `parts` are the questions of a message that asks several things at once;
    evidence is gathered for each of them. `criteria` are wishes about content that no metadata holds."""

    main_query: str
    language: str
    explanation: str = ""
    key_phrases: tuple[str, ...] = ()
    expansions: tuple[str, ...] = ()
    filters: Filters = field(default_factory=Filters)
    criteria: tuple[str, ...] = ()
    ranking: Literal["relevance", "newest", "oldest"] = "relevance"
    standalone: bool = True
    kind: Kind = Kind.QUESTION
    clarification: str = ""
    parts: tuple["ExtractedQuery", ...] = ()
