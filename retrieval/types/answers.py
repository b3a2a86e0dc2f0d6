"""Drafts and replies."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from retrieval.types.search import Passage


@dataclass(frozen=True, slots=True)
class Quote:
    """A statement of a draft answer and the place in the evidence (from 0) that it rests on."""

    text: str
    evidence: int


@dataclass(frozen=True, slots=True)
class Draft:
    """What an Answerer proposes: Markdown text with marks [1], [2] … counting the evidence from 1.

    `answerable` False means the evidence does not hold the answer.
    """

    text: str
    quotes: tuple[Quote, ...] = ()
    answerable: bool = True


@dataclass(frozen=True, slots=True)
class Citation:
    """The passage behind [n], with the words quoted from it."""

    n: int
    passage: Passage
    quotes: tuple[str, ...] = ()


MARK = re.compile(r"\[(\d+)\]")
"""A citation mark in an answer's text, where it stands outside code."""

CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
"""Code of a text whose code is in the two forms that answers have: closed fences, and spans on one line."""


def outside_code(change: Callable[[str], str], text: str) -> str:
    """The Markdown text with what stands outside code changed: `rows[1]` in code cites nothing."""
    return "".join(part if i % 2 else change(part) for i, part in enumerate(CODE.split(text)))


@dataclass(frozen=True, slots=True)
class Answer:
    """A cited answer. Each [n] of the text is one of the citations, and each citation stands in the text."""

    text: str
    citations: tuple[Citation, ...]

    def __post_init__(self) -> None:
        cited = {citation.n for citation in self.citations}
        marked = {int(n) for n in MARK.findall(CODE.sub(" ", self.text))}
        if not cited or cited != marked:
            raise ValueError(f"an answer cites {sorted(cited)} but its text marks {sorted(marked)}")


RefusalReason = Literal["below_floor", "model_declined", "unsupported", "knowledge_base_empty"]
NoticeReason = Literal["small_talk", "clarify", "help", "empty_question", "not_allowed", "service_unavailable"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The knowledge base does not hold an answer. Has no sources."""

    reason: RefusalReason
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A reply that claims nothing: small talk, help, a question back."""

    reason: NoticeReason
    text: str


Reply = Answer | Refusal | Notice


class Missing(StrEnum):
    """A part that a question was answered without."""

    EXTRACTOR = "extractor"
    EMBEDDING = "embedding"
    VECTORS = "vectors"
    RERANKER = "reranker"
    CHAT = "chat"
    VERIFIER = "verifier"
