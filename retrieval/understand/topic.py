"""What a thread is about, in the few words that a message which leans on it lacks. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.text import names, sentences, terms
from retrieval.understand.leaning import WORD, carries_topic, content_words, is_fragment, points_back

_ENOUGH = 4
_FEWEST = 3
_MOST = 12


@dataclass
class _Word:
    """A word as it was last written, its terms, and what speaks for it."""

    written: str
    terms: frozenset[str]
    is_name: bool
    message: int
    at_ends: int


def whole_topic(text: str, question: str, lang: str) -> str:
    """The content words of one message, in their order, without those of the question."""
    return " ".join(word.written for word in _lacking([text], question, lang)[:_MOST])


def shared_topic(asked: Sequence[str], said: Sequence[str], question: str, lang: str) -> str:
    """The few words of what people asked that most of the thread shares: what a thread is about is said again.

    The first message names the subject and the last one says what it has come to, so that these count twice; among
    equals names come first. A question that says nothing itself is given a word more. A fragment takes the place of
    those before it. `said` holds all messages, the bot's too.
    """
    if is_fragment(question, lang):
        asked = [text for text in asked if not is_fragment(text, lang)]
    held = [frozenset(terms(text, lang)) for text in said]

    def standing(word: _Word) -> tuple[int, bool, int]:
        return sum(not word.terms.isdisjoint(one) for one in held) + word.at_ends, word.is_name, word.message

    words = sorted(_lacking(asked, question, lang), key=standing, reverse=True)
    return " ".join(word.written for word in words[: max(_FEWEST, _ENOUGH - content_words(question, lang))])


def _lacking(texts: Sequence[str], question: str, lang: str) -> list[_Word]:
    """The words that the question may lack. A name in it that is no more than named ("And Porto?") takes the place of
    those before it."""
    words = _words(texts, question, lang)
    if names(question, lang) and not points_back(question, lang):
        return [word for word in words if not word.is_name]
    return words


def _words(texts: Sequence[str], question: str, lang: str) -> list[_Word]:
    """Each content word once, in the order of its first appearance."""
    known = set(terms(question, lang))
    found: dict[str, _Word] = {}
    for number, text in enumerate(texts):
        named = set(names(text, lang))
        for written in _written(text, named):
            its = terms(written, lang)
            if known.issuperset(its) or not carries_topic(written, lang):
                continue
            stem = its[-1]
            earlier_ends = found[stem].at_ends if stem in found else 0
            at_ends = earlier_ends + (number == 0) + (number == len(texts) - 1)
            found[stem] = _Word(written, frozenset(its), written in named, number, at_ends)
    return list(found.values())


def _written(text: str, named: set[str]) -> list[str]:
    """The words, without the capital letter of one that only opens its sentence."""
    words = []
    for sentence in sentences(text):
        first, *others = [word.rstrip(".'’-") for word in WORD.findall(sentence)] or [""]
        opens = first if first in named or first[1:] != first[1:].lower() else first.lower()
        words += [opens, *others] if first else []
    return words
