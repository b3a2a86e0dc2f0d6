"""What a message says must survive a model's rewriting, and what nobody said must not get in with it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import regex

from retrieval.text import UNSPACED, fold, is_stop_word, names, normalise, sentences, terms
from retrieval.understand.leaning import QUOTED

_CODE = regex.compile(r"\S*\d\S*")
_OUTER_PUNCTUATION = regex.compile(r"^[\p{P}--[#&@%]]+|[\p{P}--[#&@%]]+$", regex.V1)
_NUMBER = regex.compile(r"\d+(?:[.,'’]\d+)*")
_SPACED_LETTER = r"[[\p{L}\p{N}]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]"
_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]+")


def essentials(message: str, lang: str) -> list[str]:
    """Quoted strings, codes, numbers and proper names, each once, as written and in their order."""
    quoted = QUOTED.findall(message)
    rest = QUOTED.sub(" ", message)
    codes = [part for token in _CODE.findall(rest) for part in _spaced_parts(token) if regex.search(r"\d", part)]
    shouted = rest == rest.upper()
    proper = [] if shouted else [name for name in names(rest, lang) if not is_stop_word(name, lang)]
    named = [part for name in proper for part in _spaced_parts(name) if not any(part in code for code in codes)]
    return sorted(dict.fromkeys([*quoted, *codes, *named]), key=message.find)


def lost(wanted: Iterable[str], kept: str, lang: str) -> list[str]:
    """Those that the text does not hold, neither letter for letter nor as the same search terms."""
    plain, held = _plain(kept), set(terms(kept, lang))
    return [what for what in wanted if not _stands_in(_plain(what.strip('"“”«»「」『』 ')), plain, held, lang)]


@dataclass(frozen=True)
class Source:
    """The numbers and words that were said, or stand in what a query may name."""

    numbers: frozenset[str]
    words: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Source":
        whole = "\n".join(texts)
        said = [form for number in _numbers(whole) for form in number]
        return cls(frozenset(said), _folded_words(whole))

    def has_numbers_of(self, text: str) -> bool:
        """Whether each number of the text was said, however it is grouped."""
        return all(number[0] in self.numbers or self.numbers >= set(number[1:]) for number in _numbers(text))

    def has_names_of(self, text: str, lang: str) -> bool:
        """Whether each name of the text was said, in whatever case. Numbers and codes are `has_numbers_of`'s."""
        named = [name for name in names(text, lang) if not regex.search(r"\d", name) and not is_stop_word(name, lang)]
        return _folded_words(" ".join(named)) <= self.words

    def of_sentences(self, text: str, most: int) -> str:
        """The first sentences of the text, without those that state a number nobody said."""
        return " ".join([sentence for sentence in sentences(text) if self.has_numbers_of(sentence)][:most])


def _spaced_parts(token: str) -> list[str]:
    """A code that touches a script without spaces ("EX-4021是什么") stands alone."""
    return [part for run in UNSPACED.split(token) if (part := _OUTER_PUNCTUATION.sub("", run))]


def _plain(text: str) -> str:
    return " ".join(normalise(text).casefold().split())


def _stands_in(what: str, text: str, held: set[str], lang: str) -> bool:
    whole = rf"(?<!{_SPACED_LETTER}){regex.escape(what)}(?!{_SPACED_LETTER})"
    if regex.search(whole, text, regex.V1):
        return True
    return " " not in what and bool(held & set(terms(what, lang)[:1]))


def _numbers(text: str) -> list[list[str]]:
    """For each number its digits together and, in case they are several numbers, by group."""
    found: list[list[str]] = []
    for number in _NUMBER.findall(normalise(text)):
        groups: Sequence[str] = regex.findall(r"\d+", number)
        found.append([group.lstrip("0") or "0" for group in ("".join(groups), *groups)])
    return found


def _folded_words(text: str) -> frozenset[str]:
    return frozenset(map(fold, _WORD.findall(text)))
