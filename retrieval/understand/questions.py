"""A message to the separate questions that it asks. Pure."""

import regex

from retrieval.text import UNSPACED_LANGUAGES
from retrieval.understand import phrases
from retrieval.understand.leaning import WORD, content_words

_MOST = 4
_OPENING_WORDS = 3
_QUESTION_END = regex.compile(r"(?<=[?？؟])[\s\"'”’)\]]*(?![?？؟!！])")
_SENTENCE_END = regex.compile(r"(?<=[.!…。！])\s*(?!$)")


def questions(message: str, lang: str) -> list[str]:
    """The questions of a message that asks several things, each with the statements before it; the last of four
    takes what is left. A message that asks one thing is returned whole.

    Only what ends with a question mark, opens like a question and names something is a question of its own: "Why?"
    belongs to the one before it.
    """
    asked: list[str] = []
    waiting = ""
    for piece in filter(str.strip, _QUESTION_END.split(message)):
        piece = f"{waiting} {piece.strip()}".strip()
        waiting = ""
        if _is_question(piece, lang):
            asked.append(piece)
        elif asked:
            asked[-1] += f" {piece}"
        else:
            waiting = piece
    if len(asked) < 2:
        return [message]
    return [*asked[: _MOST - 1], " ".join(asked[_MOST - 1 :])] if len(asked) > _MOST else asked


def _is_question(piece: str, lang: str) -> bool:
    if piece[-1] not in "?？؟":
        return False
    sentence = _SENTENCE_END.split(piece)[-1].casefold()
    opening = sentence if lang in UNSPACED_LANGUAGES else " ".join(WORD.findall(sentence)[:_OPENING_WORDS])
    return bool(phrases.anywhere("interrogatives", lang).search(opening)) and content_words(sentence, lang) > 0
