"""Turns of recorded conversations: what was asked, in which thread, and which documents answer it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from retrieval.types import Message


@dataclass(frozen=True, slots=True)
class Turn:
    """`message` as the person typed it, after `earlier`, oldest first. `documents` are the names of those that answer
    it, any of which will do. `rewrites` are ways to ask the same without the thread, by who wrote them."""

    id: str
    message: str
    earlier: tuple[Message, ...]
    documents: frozenset[str]
    rewrites: Mapping[str, str]


def numbered(texts: Iterable[str]) -> dict[str, str]:
    """A document name for each different text: a number, since a name is searched too and these mean nothing."""
    return {text: f"{number:03}.md" for number, text in enumerate(dict.fromkeys(texts))}
