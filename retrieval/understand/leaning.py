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
    continues = phrases.anywhere("continuations", lang).match(text)
    body = QUOTED.sub(" ", text[continues.end() :] if continues else text)
    fragment = content <= _FRAGMENT_WORDS and not phrases.anywhere("interrogatives", lang).search(body)
    return bool(continues and fragment) or _points_back(body, lang)


def content_words(text: str, lang: str) -> int:
    """How many different words carry a topic; a bigram of an unspaced script counts half."""
    words = {word for word in WORD.findall(text) if carries_topic(word, lang)}
    spaced = {word for word in words if not UNSPACED.search(word)}
    bigrams = {term for word in words - spaced for term in terms(word, lang)}
    return len(spaced) + (len(bigrams) + 1) // 2


def carries_topic(word: str, lang: str) -> bool:
    """Whether anything but stop words is in it."""
    return terms(f"{word} 0", lang) != ["0"]


def _points_back(text: str, lang: str) -> bool:
    """Whether a pronoun has nothing in the message to stand for: it seldom stands for a noun of its own clause, so
    that only what earlier clauses name counts."""
    pauses = [*_PAUSE.finditer(text), *phrases.anywhere("clauses", lang).finditer(text)]
    for reference in phrases.anywhere("references", lang).finditer(text):
        clause = max((pause.start() for pause in pauses if pause.start() < reference.start()), default=0)
        if content_words(text[:clause], lang) <= 1:
            return True
    return False


def _folded(text: str) -> str:
    """In lower case but for acronyms: "IT" is no pronoun."""
    if text.isupper():
        return text.casefold()
    return WORD.sub(lambda word: word[0] if len(word[0]) > 1 and word[0].isupper() else word[0].casefold(), text)
