"""Proper names, acronyms and codes of a text, and whether another text names the same."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import regex

from retrieval.text import UNSPACED, fold, is_stop_word, normalise

_LETTER = r"[\p{L}\p{N}--[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}ー]]"
_WORD = regex.compile(rf"{_LETTER}(?:{_LETTER}|\p{{M}})*(?:[-'’./&]?{_LETTER}+)*(?:(?<=\d)\([a-z]\))?", regex.V1)
"""A word of a script that puts spaces between them, "401(k)" too."""
_OPENS = regex.compile(r"(?:^|[.!?:;…•|。！？：；(\[\"“«„‘¿¡>*\n]|[-–—]\s)\s*[\"“«„‘'(\[]*$")
"""What stands before a word that is written with a capital wherever it stands."""
_CODE = regex.compile(r"(?=.*\p{Nd})(?=.*\p{Latin})[\p{Latin}\p{Nd}]+(?:[-./_]?[\p{Latin}\p{Nd}]+)*(?:\([a-z]\))?")
_CAPITALS = regex.compile(r"\p{Ll}\p{Lu}|\p{Lu}\p{Lu}")
"""A word with these inside is a name wherever it stands: "iPhone", "NASA-funded"."""
_COUNTED = regex.compile(
    r"v\d+(?:\.\d+)*|\d[\d.,]*(?:-?(?:\p{Ll}{2,})(?:-\p{Ll}+)*|st|nd|rd|th|s|[hkKmMgGtTB]|km|kg|[kKmMgGtT][bB]|bn|mn)"
)
_TITLE = regex.compile(r"(?:Herrn?|Frau|Dr\.|Prof\.)\s$")
_KATAKANA = regex.compile(r"[\p{Katakana}ー]{3,}")
_QUOTED_CJK = regex.compile(r"《([^》]+)》|「([^」]{2,20})」|『([^』]+)』")
_SUFFIXES = ("n", "an", "ian", "ean", "ese", "ish", "ic", "er", "i", "s", "es", "ns", "ans", "ians")
"""What makes of a name the word for what belongs to it, or its plural: India, Indian, Indians."""
_RUN = regex.compile(
    r"\p{Lu}[\p{L}.-]*(?:\s+(?:(?:of|the|and|for|de|da|do|des|du|del|der|und|et|y|e)\s+){0,2}\p{Lu}[\p{L}.-]*)+"
)
_AND = regex.compile(r"\s+(?:and|und|et|y|e)\s+")
_ARTICLES = frozenset({"the", "a", "an", "o", "os", "as", "le", "la", "les", "el", "los", "las", "der", "die", "das"})
_ADVERB = regex.compile(r"(?:ly|mente|ment|weise)$")
_JOINT = regex.compile(r"[-'’./&()]+")
_JOINTS = str.maketrans("", "", "-'’./&()")
_SPELT = regex.compile(r"\p{L}(?:[-'’./&]\p{L})+")
_INITIALS = regex.compile(r"\p{L}(?:\.\p{L}){1,3}")
"""Letters that make a word though points part them, "u.s.a"; other letters one by one only spell."""
_BEGINNING = 3
_SHORTEST_STEM = 4
_ALIASES = {"usa": "us", "us": "usa", "america": "us", "uk": "britain", "britain": "uk"}
_NOUNS_CAPITALISED = frozenset({"de"})


@lru_cache(maxsize=8_000)
def names(text: str, lang: str) -> tuple[str, ...]:
    """Each once: capitalised words that do not merely begin a sentence, acronyms, codes; in Japanese words in
    katakana, in Chinese and Japanese titles in their own brackets. Numbers with units are none."""
    clean = normalise(text)
    found = dict.fromkeys(_latin(clean, lang))
    if lang == "ja":
        found |= dict.fromkeys(_KATAKANA.findall(clean))
    if lang in ("zh", "ja"):
        found |= dict.fromkeys(next(filter(None, match)) for match in _QUOTED_CJK.findall(clean))
    return tuple(found)


def opening_words(text: str, lang: str) -> tuple[str, ...]:
    """Capitalised words that begin a sentence: they may be names or not. Adverbs and one before a comma are none."""
    found = (w for w in _WORD.finditer(text) if text[w.end() : w.end() + 1] != "," and not _ADVERB.search(w[0]))
    return tuple(word[0] for word in found if _capitalised(word[0], lang) and _opens(text, word.start()))


def _latin(text: str, lang: str) -> Iterator[str]:
    before = None
    for word in _WORD.finditer(text):
        name = _without_s(word[0])
        if (
            _is_code(name)
            or (len(name) > 1 and _CAPITALS.search(name))
            or (_capitalised(name, lang) and not _opens(text, word.start()) and _is_name_in(lang, text, word, before))
        ):
            yield name
        before = word


def _is_name_in(lang: str, text: str, word: "regex.Match[str]", before: "regex.Match[str] | None") -> bool:
    """Where all nouns are capitalised: only behind another such word or a form of address."""
    if lang not in _NOUNS_CAPITALISED:
        return True
    if _TITLE.search(text[: word.start()]):
        return True
    follows = before is not None and text[before.end() : word.start()] == " "
    return follows and before is not None and before[0][:1].isupper() and not is_stop_word(before[0], lang)


def _is_code(word: str) -> bool:
    return bool(_CODE.fullmatch(word)) and not _COUNTED.fullmatch(word)


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.isupper() and word.isalpha()


def _capitalised(word: str, lang: str) -> bool:
    return word[:1].isupper() and len(word) > 1 and not is_stop_word(word, lang)


def _opens(text: str, at: int) -> bool:
    return bool(_OPENS.search(text[max(0, at - 6) : at]) if at else True)


@dataclass(frozen=True)
class Wording:
    """A text as names are looked up in it, read as far as it is asked."""

    text: str

    @cached_property
    def words(self) -> frozenset[str]:
        """Folded, and the parts of joined ones."""
        words = {_without_s(word[0]) for word in _WORD.finditer(self.folded)}
        return frozenset(words | {part for word in words if not word.isalnum() for part in _JOINT.split(word)})

    @cached_property
    def squeezed(self) -> frozenset[str]:
        """Those without their joints: "e1042" of "E-1042"."""
        plain = (word for word in self.words if not _SPELT.fullmatch(word) or _INITIALS.fullmatch(word))
        return frozenset(word.translate(_JOINTS) for word in plain)

    @cached_property
    def by_beginning(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for word in self.words:
            found[word[:_BEGINNING]].append(word)
        return found

    @cached_property
    def initials_of(self) -> dict[str, set[str]]:
        """Of its runs of capitalised words, by each of the words."""
        return _initials(normalise(self.text))

    @cached_property
    def initials(self) -> frozenset[str]:
        return frozenset[str]().union(*self.initials_of.values())

    @cached_property
    def folded(self) -> str:
        return fold(normalise(self.text))

    def has(self, name: str, within: "Wording") -> bool:
        """Whether the name, of the text `within`, is named here: in another form, by or for its acronym too."""
        folded = _bare(name)
        if folded in self.words or folded.translate(_JOINTS) in self.squeezed:
            return True
        if UNSPACED.match(name):
            return folded in self.folded
        if _is_acronym(name) and folded in self.initials:
            return True
        if name[-1] == "s" and _is_acronym(name[:-1]):
            return self.has(name[:-1], within)
        if within.initials_of.get(folded, set()) & self.words or _ALIASES.get(folded, "-") in self.squeezed:
            return True
        if parts := _named_parts(name):
            return all(self.has(part, within) for part in parts)
        return any(akin(folded, word) for word in self.by_beginning.get(folded[:_BEGINNING], ()))


def _named_parts(name: str) -> list[str]:
    """Those of a joined word that name something: "NASA" of "NASA-funded", all of "First-In-First-Out"."""
    parts = [part for part in _JOINT.split(name) if part]
    if len(parts) == 1 or any(len(part) == 1 for part in parts):
        return []
    return [p for p in parts if _CAPITALS.search(p) or p[0].isdigit()] or [p for p in parts if p[0].isupper()]


def run_of(name: str, text: str) -> str:
    """The capitalised words among which the name stands in the text, "Ana Reis" for "Reis"."""
    return next((run[0] for run in _RUN.finditer(text) if name in run[0]), name)


@lru_cache(maxsize=8_000)
def wording(text: str) -> Wording:
    """Of a text in any language."""
    return Wording(text)


def _initials(text: str) -> dict[str, set[str]]:
    """Of runs of capitalised words, whole and between their "and", by each of the words."""
    found: dict[str, set[str]] = defaultdict(set)
    for run in _RUN.finditer(text):
        for part in (run[0], *_AND.split(run[0])):
            members = [_bare(word[0]) for word in _WORD.finditer(part) if word[0][:1].isupper()]
            members = members[1:] if members and members[0] in _ARTICLES else members
            short = "".join(member[0] for member in members)
            for member in members if len(members) > 1 else ():
                found[member].add(short)
    return dict(found)


@lru_cache(maxsize=20_000)
def _bare(word: str) -> str:
    return fold(_without_s(word))


def _without_s(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")


def akin(a: str, b: str) -> bool:
    """Whether two folded words are one name in two forms: India, Indians."""
    short, long = sorted((a, b), key=len)
    if len(short) < _SHORTEST_STEM:
        return False
    return any(long == stem + suffix for stem in (short, short[:-1]) if len(stem) >= 4 for suffix in _SUFFIXES)
