"""Conversation to query by rules: no model, no network, the fallback of every larger set-up.

Takes greetings and politeness off the message and keeps the rest as written. A message that leans on its thread
("And for interns?") gets the thread's content words, so that it can be searched for on its own.
"""

import regex

from retrieval.text import UNSPACED, language, terms
from retrieval.types import Conversation, ExtractedQuery, Filterable, Kind, Message
from retrieval.understand import phrases

LONGEST_QUESTION = 4_000
"""Characters. Longer messages are pasted documents, not questions: the reader is asked for the question."""

_TOPIC_WORDS = 12
_FRAGMENT_WORDS = 3

_QUOTED = regex.compile(r"\"[^\"]+\"|“[^”]+”|«[^»]+»|「[^」]+」|『[^』]+』")
_EMOJI_NAME = regex.compile(r"(?<![\w:]):[a-z][a-z0-9_+'-]*:(?![\w:])")
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}'’._/+-]*")


class RuleBasedExtractor:
    """QueryExtractor without a model."""

    def extract(self, conversation: Conversation, filterable: Filterable) -> ExtractedQuery:
        """Never fails: whatever the message, there is a query or a kind that needs none."""
        message = " ".join(_EMOJI_NAME.sub(" ", conversation.question).split())
        if not regex.search(r"[\p{L}\p{N}]", message):
            return ExtractedQuery("", _thread_language(conversation), kind=Kind.EMPTY)
        if small := _whole_message(message):
            kind, lang = small
            return ExtractedQuery(message, lang, kind=kind)
        lang = language(message, default=_thread_language(conversation))
        if len(message) > LONGEST_QUESTION:
            return ExtractedQuery(message[:LONGEST_QUESTION], lang, kind=Kind.UNCLEAR)
        question = without_courtesies(message, lang)
        if not conversation.earlier or not leans(question, lang):
            return ExtractedQuery(question, lang)
        topic = _topic(conversation.earlier, question, lang)
        return ExtractedQuery(f"{question} {topic}".strip(), lang, key_phrases=(question,), standalone=False)


def _whole_message(message: str) -> tuple[Kind, str] | None:
    text = message.casefold()
    for kind, table in ((Kind.SMALL_TALK, "small_talk"), (Kind.HELP, "help")):
        for lang, pattern in phrases.whole(table).items():
            if pattern.fullmatch(text):
                return kind, lang
    return None


def without_courtesies(message: str, lang: str) -> str:
    """The message without greetings and politeness at its edges; as it was, where nothing else would be left."""
    start, end = phrases.edges(lang)
    bare = end.sub("", start.sub("", message)).strip()
    if "?" in message and bare and bare[-1].isalnum():
        bare += "?"
    return bare if regex.search(r"[\p{L}\p{N}]", bare) else message


def leans(question: str, lang: str) -> bool:
    """Whether the question cannot be understood without what was said before it."""
    text = question.casefold().lstrip("¿¡ ")
    content = _content_words(text, lang)
    if content <= 1 and not _QUOTED.search(question) and not regex.search(r"\d", question):
        return True
    continues = phrases.anywhere("continuations", lang).match(text)
    body = text[continues.end() :] if continues else text
    if continues and content <= _FRAGMENT_WORDS and not phrases.anywhere("interrogatives", lang).search(body):
        return True
    body = _QUOTED.sub(" ", body)
    reference = phrases.anywhere("references", lang).search(body)
    return bool(reference and _content_words(body[: reference.start()], lang) <= 1)


def _content_words(text: str, lang: str) -> int:
    """How many different words carry a topic; a bigram of an unspaced script counts half."""
    words = {word for word in _WORD.findall(text) if not _is_stop_word(word, lang)}
    spaced = {word for word in words if not UNSPACED.search(word)}
    bigrams = {term for word in words - spaced for term in terms(word, lang)}
    return len(spaced) + (len(bigrams) + 1) // 2


def _topic(earlier: tuple[Message, ...], question: str, lang: str) -> str:
    """The content words, as written, of what people asked: first, and last once the bot has taken part."""
    asked = [message.text for message in earlier if message.author == "person" and not _whole_message(message.text)]
    answered = any(message.author == "bot" for message in earlier)
    known = set(terms(question, lang))
    words: list[str] = []
    for text in dict.fromkeys([*(asked[-1:] if answered else []), *asked[:1]]):
        for word in _WORD.findall(without_courtesies(text, lang)):
            found = set(terms(word, lang))
            if not found <= known and not _is_stop_word(word, lang):
                known |= found
                words.append(word.rstrip(".'’-"))
    return " ".join(words[:_TOPIC_WORDS])


def _is_stop_word(word: str, lang: str) -> bool:
    return terms(f"{word} 0", lang) == ["0"]


def _thread_language(conversation: Conversation) -> str:
    said = " ".join(message.text for message in conversation.earlier if message.author == "person")
    return language(said) if said else "en"
