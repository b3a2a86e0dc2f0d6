"""A message to the separate questions that it asks. Pure."""

import regex

from retrieval.text import UNSPACED_LANGUAGES
from retrieval.understand import phrases
from retrieval.understand.leaning import WORD, content_words

_MOST = 8
_OPENING_WORDS = 3
_CLOSING = r"[\"'”’)\]」』]*"
_QUESTION_END = regex.compile(
    rf"(?<=[?？؟]{_CLOSING})(?:\s+|(?=[\p{{Han}}\p{{Hiragana}}\p{{Katakana}}]))|(?<=？{_CLOSING})(?=[\p{{L}}\p{{N}}])"
)
"""A "?" within an address ends nothing."""

_NUMBERING = regex.compile(r"^(?:\(?\d{1,2}[.):]|[-*•])\s+")
_SENTENCE_END = regex.compile(r"(?<=[.!…。！])\s*(?!$)")


def questions(message: str, lang: str) -> list[str]:
    """The questions of a message that asks several things, each with the statements before it; the last of eight
    takes what is left. A message that asks one thing is returned whole.

    Only what ends with a question mark, opens like a question and names something is a question of its own: "Why?"
    belongs to the one before it.
    """
    asked: list[list[str]] = [[]]
    complete = False
    for piece in filter(None, map(str.strip, _QUESTION_END.split(message))):
        is_question = _is_question(piece, lang)
        if is_question and complete and len(asked) < _MOST:
            asked.append([])
        asked[-1].append(_NUMBERING.sub("", piece))
        complete = complete or is_question
    return [" ".join(pieces) for pieces in asked] if len(asked) > 1 else [message]


def _is_question(piece: str, lang: str) -> bool:
    if piece[-1] not in "?？؟":
        return False
    sentence = _SENTENCE_END.split(piece)[-1].casefold()
    opening = sentence if lang in UNSPACED_LANGUAGES else " ".join(WORD.findall(sentence)[:_OPENING_WORDS])
    return bool(phrases.anywhere("interrogatives", lang).search(opening)) and content_words(sentence, lang) > 0
