"""Conversation to query by rules: no model, no network, the fallback of every larger set-up.

Takes greetings and politeness off the message and keeps the rest as written. A message that leans on its thread
("And for interns?") gets words of the thread, so that it can be searched for on its own; one that asks several things
is taken apart. The words of a follow-up are never searched for without those of its thread.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace

import regex

from retrieval.text import language, sentences
from retrieval.types import Conversation, ExtractedQuery, Filterable, Filters, Kind, Message
from retrieval.understand import phrases
from retrieval.understand.leaning import leans
from retrieval.understand.past import past_of
from retrieval.understand.questions import questions
from retrieval.understand.topic import shared_topic, whole_topic

LONGEST_QUESTION = 4_000
"""Characters. Longer messages are pasted documents, not questions: the reader is asked for the question."""

_WHOLE = {
    Kind.GREETING: ("greetings",),
    Kind.SMALL_TALK: ("small_talk", "greetings"),
    Kind.HELP: ("help", "greetings"),
}
"""What a message is that is nothing but phrases of these tables."""

_EMOJI_NAME = regex.compile(r"(?<![\w:]):[a-z][a-z0-9_+'-]*:(?![\w:])")


class RuleBasedExtractor:
    """QueryExtractor without a model."""

    def __init__(self, today: Callable[[], dt.date] = dt.date.today) -> None:
        self._today = today

    def extract(self, conversation: Conversation, filterable: Filterable) -> ExtractedQuery:
        """Never fails: whatever the message, there is a query or a kind that needs none."""
        message = " ".join(_EMOJI_NAME.sub(" ", conversation.question).split())
        if not regex.search(r"[\p{L}\p{N}]", message):
            return ExtractedQuery("", _thread_language(conversation), kind=Kind.EMPTY)
        if offer := _accepted_offer(message, conversation):
            message = offer
        elif small := _whole_message(message):
            kind, lang = small
            return ExtractedQuery(message, lang, kind=kind)
        lang = language(message, default=_thread_language(conversation))
        if len(message) > LONGEST_QUESTION:
            return ExtractedQuery(message[:LONGEST_QUESTION], lang, kind=Kind.UNCLEAR)
        query = replace(_query(message, conversation.earlier, lang), parts=_parts(message, conversation.earlier, lang))
        return self._looking_back(query, message, conversation.earlier, filterable)

    def _looking_back(
        self, query: ExtractedQuery, message: str, earlier: Sequence[Message], filterable: Filterable
    ) -> ExtractedQuery:
        """The query and its parts with the past that the message asks for. One that leans on its thread may mean the
        same past or, as "and now?" does, no longer."""
        today, names = self._today(), filterable.documents
        past = past_of(message, query.language, names, today)
        if past is None and not query.standalone:
            said = [one.text for one in reversed(earlier) if one.author == "person"]
            found = next(filter(None, (past_of(text, query.language, names, today) for text in said)), None)
            past = found and replace(found, alone=False)
        filters = Filters(past=past)
        return replace(query, filters=filters, parts=tuple(replace(part, filters=filters) for part in query.parts))


def _query(message: str, earlier: tuple[Message, ...], lang: str) -> ExtractedQuery:
    question = without_courtesies(message, lang)
    if not earlier or not leans(question, lang):
        return ExtractedQuery(question, lang)
    main_query = f"{question} {_topic(earlier, question, lang)}".strip()
    return ExtractedQuery(main_query, lang, key_phrases=(question,), standalone=False)


def _parts(message: str, earlier: tuple[Message, ...], lang: str) -> tuple[ExtractedQuery, ...]:
    """One a question, where there are several: the first may lean on the thread, the others on the first."""
    first, *others = questions(without_courtesies(message, lang), lang)
    if not others:
        return ()
    part = _query(first, earlier, lang)
    return part, *(_query(other, (Message("person", part.main_query),), lang) for other in others)


def _topic(earlier: tuple[Message, ...], question: str, lang: str) -> str:
    """Called into a thread in which it has not spoken, the bot takes up all that the first message asks."""
    said = [message for message in earlier if not _whole_message(message.text)]
    asked = [without_courtesies(message.text, lang) for message in said if message.author == "person"]
    if all(message.author == "person" for message in earlier):
        return whole_topic(asked[0], question, lang) if asked else ""
    return shared_topic(asked, [message.text for message in said], question, lang)


def _accepted_offer(message: str, conversation: Conversation) -> str:
    """What the bot had just offered to tell, where the message is a yes to it; else ""."""
    last = conversation.earlier[-1] if conversation.earlier else Message("person", "")
    offer = (sentences(last.text) or [""])[-1]
    if last.author != "bot" or not offer.endswith(("?", "？")):
        return ""
    accepted = any(pattern.fullmatch(message.casefold()) for pattern in phrases.whole("assents").values())
    return " ".join(offer.split()) if accepted else ""


def _whole_message(message: str) -> tuple[Kind, str] | None:
    text = message.casefold()
    for kind, tables in _WHOLE.items():
        for lang, pattern in phrases.whole(*tables).items():
            if pattern.fullmatch(text):
                return kind, lang
    return None


def without_courtesies(message: str, lang: str) -> str:
    """The message without greetings, politeness and reactions to what was said at its edges; as it was, where nothing
    else would be left."""
    start, end = phrases.edges(lang)
    bare = end.sub("", start.sub("", message)).strip()
    if "?" in message and bare and bare[-1].isalnum():
        bare += "?"
    return bare if regex.search(r"[\p{L}\p{N}]", bare) else message


def _thread_language(conversation: Conversation) -> str:
    said = " ".join(message.text for message in conversation.earlier if message.author == "person")
    return language(said) if said else "en"
