"""A thread, and what there is to filter by, to the one user message in which a language model sees them."""

from collections.abc import Iterable, Sequence

import regex

from prompts import fenced
from retrieval.text import encodable, fold
from retrieval.types import Conversation, Filterable, Message

_NAMES = 60
_NAME_CHARS = 120
_EARLIER_CHARS = 6_000
_MESSAGE_CHARS = {"person": 1_000, "bot": 400}
_AUTHORS = {"person": "a person", "bot": "the bot"}
_TASK = "Fill in the JSON object for the message marked LAST. Do not answer it."

_WORD = regex.compile(r"\p{Han}|[\p{L}\p{N}--\p{Han}]+", regex.V1)


def quoted(conversation: Conversation, filterable: Filterable) -> str:
    """The last message whole; of the earlier ones the first and, within a budget, those nearest to the last, long
    ones without their middle; and of the names the few dozen nearest to what the thread says."""
    said = _words(" ".join([*(message.text for message in conversation.earlier), conversation.question]))
    facts = [
        ("names of the documents", "\n".join(_nearest(filterable.documents, said))),
        ("tags", "\n".join(_nearest(filterable.tags, said))),
        ("dates of the documents", _span(filterable)),
    ]
    sections = [*(fact for fact in facts if fact[1]), *_messages(conversation)]
    return encodable(fenced(sections, then=_TASK))


def _nearest(names: Sequence[str], said: frozenset[str]) -> list[str]:
    """In a line each, those that share most with the words of the thread first; among equals as they come."""
    shown = [" ".join(name.split())[:_NAME_CHARS] for name in names]
    if len(shown) > _NAMES:
        shown.sort(key=lambda name: -len(_words(name) & said))
    return shown[:_NAMES]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(text)))


def _span(filterable: Filterable) -> str:
    known = [day.isoformat() for day in (filterable.since, filterable.until) if day]
    return " to ".join(known)


def _messages(conversation: Conversation) -> Iterable[tuple[str, str]]:
    total = len(conversation.earlier) + 1
    before = 0
    for number, message in _kept(conversation.earlier):
        if number > before + 1:
            yield f"messages {before + 1} to {number - 1} are left out", "…"
        yield f"message {number} of {total}, by {_AUTHORS[message.author]}", _clipped(message)
        before = number
    yield f"message {total} of {total}, by a person: the LAST one", conversation.question


def _kept(earlier: Sequence[Message]) -> list[tuple[int, Message]]:
    """With their numbers, from 1."""
    numbered = list(enumerate(earlier, start=1))
    kept, room = numbered[:1], _EARLIER_CHARS
    for number, message in reversed(numbered[1:]):
        room -= len(_clipped(message))
        if room < 0:
            break
        kept.insert(1, (number, message))
    return kept


def _clipped(message: Message) -> str:
    """Beginning and end: a bot's offer ("Would you like to know …?") stands at the end of what it says."""
    most = _MESSAGE_CHARS[message.author]
    if len(message.text) <= most:
        return message.text
    half = most // 2
    return f"{message.text[:half]} … {message.text[-half:]}"
