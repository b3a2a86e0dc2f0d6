"""Whether a message of a thread can be understood without what was said before it. Pure; judged by its words alone."""

import regex

from retrieval.text import UNSPACED, terms
from retrieval.understand import phrases

QUOTED = regex.compile(r"\"[^\"]+\"|“[^”]+”|«[^»]+»|「[^」]+」|『[^』]+』")
"""A string that somebody put in quotation marks, with them."""

WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}'’._/+-]*")
"""A word as written; a run of letters in scripts without spaces."""

_FRAGMENT_WORDS = 3
_PAUSE = regex.compile(r"[.!?…;:,。！？；：，、]")


def leans(question: str, lang: str) -> bool:
    """Whether it corrects or continues what was said, points back at it, or names next to nothing itself."""
    text = _folded(question).lstrip("¿¡ ")
    if phrases.anywhere("corrections", lang).match(text):
        return True
    content = content_words(phrases.anywhere("aspects", lang).sub(" ", text), lang)
    if content <= 1 and not QUOTED.search(question) and not regex.search(r"\d", question):
        return True
    return is_fragment(question, lang) or points_back(question, lang)


def is_fragment(question: str, lang: str) -> bool:
    """Whether it puts something else into the question before it: "And for interns?"."""
    text = _folded(question).lstrip("¿¡ ")
    continues = phrases.anywhere("continuations", lang).match(text)
    if not continues or content_words(text, lang) > _FRAGMENT_WORDS:
        return False
    return not phrases.anywhere("interrogatives", lang).search(QUOTED.sub(" ", text[continues.end() :]))


def points_back(question: str, lang: str) -> bool:
    """Whether its first pronoun has nothing in it to stand for: a pronoun seldom stands for a noun of its own clause,
    so that only what earlier clauses name counts."""
    text = QUOTED.sub(" ", _folded(question))
    reference = phrases.anywhere("references", lang).search(text)
    if not reference:
        return False
    before = text[: reference.start()]
    pauses = [*_PAUSE.finditer(before), *phrases.anywhere("clauses", lang).finditer(before)]
    clause = max((pause.start() for pause in pauses), default=0)
    return content_words(text[:clause], lang) <= 1


def content_words(text: str, lang: str) -> int:
    """How many different words carry a topic; a bigram of an unspaced script counts half."""
    words = {word for word in WORD.findall(text) if carries_topic(word, lang)}
    spaced = {word for word in words if not UNSPACED.search(word)}
    bigrams = {term for word in words - spaced for term in terms(word, lang)}
    return len(spaced) + (len(bigrams) + 1) // 2


def carries_topic(word: str, lang: str) -> bool:
    """Whether anything but stop words is in it."""
    return terms(f"{word} 0", lang) != ["0"]


def _folded(text: str) -> str:
    """In lower case but for acronyms: "IT" is no pronoun."""
    if text.isupper():
        return text.casefold()
    return WORD.sub(lambda word: word[0] if len(word[0]) > 1 and word[0].isupper() else word[0].casefold(), text)
