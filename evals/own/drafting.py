"""Questions drafted from passages by rules, for a person to edit: subjects that sentences speak of, sections, facts."""

import random
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import resources

import regex

from evals.own.questions_file import QuestionLine
from retrieval.text import is_stop_word, language, sentences
from retrieval.types import Passage

Draft = Callable[[Passage], QuestionLine | None]
"""A question on the passage, None where none comes to mind."""

_WITHOUT_ANSWER = 4

_NUMBER = r"(?<!\p{N})(?<![^\P{L}\p{Han}])\p{N}+(?:[.,:/–-]\p{N}+)*"
_FACT = regex.compile(
    rf"[€$£¥]\s?{_NUMBER}|{_NUMBER}(?:\s?[%€$£¥]|\s?\p{{Han}}|\s(?P<unit>[A-Z]{{2,4}}|\p{{Ll}}{{2,}})\b)"
)
_MOST_WORDS = 6
_LONGEST_SAID = 60
_SHORTEST_SENTENCE = 15


def drafted(
    passages: Sequence[Passage], count: int, seed: int, with_answer: Draft, without_answer: Draft
) -> list[QuestionLine]:
    """Up to that many, from passages chosen by the seed, in the order of the documents: every fourth is one for which
    the documents most likely hold no answer."""
    order = list(range(len(passages)))
    random.Random(seed).shuffle(order)  # noqa: S311 a choice, not a secret
    found: dict[int, QuestionLine] = {}
    questions: set[str] = set()
    for at in order:
        if len(found) == count:
            break
        is_fourth = len(found) % _WITHOUT_ANSWER == _WITHOUT_ANSWER - 1
        line = without_answer(passages[at]) if is_fourth else with_answer(passages[at])
        if line and line.question not in questions:
            found[at] = line
            questions.add(line.question)
    return [found[at] for at in sorted(found)]


def with_answer(passage: Passage) -> QuestionLine | None:
    """From a sentence that says what something is, else from the section and a fact in it, else the section."""
    lang, said = _language(passage), sentences(passage.text)
    return _of_subject(passage, lang, said) or _of_section(passage, lang, said)


def without_answer(passage: Passage) -> QuestionLine | None:
    """What texts on a section seldom tell."""
    lang = _language(passage)
    heading = _heading(passage)
    if not heading:
        return None
    return unanswered_line(passage, _wording(lang)["unanswered"].format(heading=heading), lang)


def line_of(passage: Passage, question: str, lang: str, words: str | None) -> QuestionLine:
    """A draft that the passage answers, in those words."""
    return QuestionLine(
        question=question,
        documents=[passage.document],
        passages=[passage.chunk_id],
        answer_contains=[words] if words else [],
        language=lang,
        draft=_origin(passage),
    )


def unanswered_line(passage: Passage, question: str, lang: str) -> QuestionLine:
    """A draft on the subject of the passage that no document answers."""
    return QuestionLine(question=question, answerable=False, language=lang, draft=_origin(passage))


def _origin(passage: Passage) -> str:
    return f"from {passage.document}, passage {passage.chunk_id}"


def _of_subject(passage: Passage, lang: str, said: Sequence[str]) -> QuestionLine | None:
    wording = _wording(lang)
    for sentence in said:
        found = regex.fullmatch(wording["states"], sentence.strip("-*#> "))
        if not found or _is_no_subject(found["subject"], wording["not_in_subject"]):
            continue
        question = wording["what"].format(subject=_lowered(found["subject"], lang))
        return line_of(passage, question, lang, _fact(found["said"], lang) or _short(found["said"]))
    return None


def _of_section(passage: Passage, lang: str, said: Sequence[str]) -> QuestionLine | None:
    heading = _heading(passage)
    facts = (_fact(sentence, lang) for sentence in said if len(sentence) >= _SHORTEST_SENTENCE)
    if not heading:
        return None
    question = _wording(lang)["about"].format(title=passage.title, heading=heading)
    return line_of(passage, question, lang, next((fact for fact in facts if fact), None))


def _is_no_subject(words: str, excluding: str) -> bool:
    return len(words.split()) > _MOST_WORDS or bool(regex.search(rf"\b(?:{excluding})\b", words, regex.I))


def _heading(passage: Passage) -> str | None:
    """The innermost one, if it is more than the document's title."""
    own = [part for part in passage.section if part != passage.title]
    return own[-1] if own else None


def _fact(text: str, lang: str) -> str | None:
    """The first number with its unit."""
    facts = (found for found in _FACT.finditer(text) if not is_stop_word(found["unit"] or "", lang))
    return next((found[0] for found in facts), None)


def _short(said: str) -> str | None:
    first = regex.split(r"[,;:.](?:\s|$)|[。，；]", said, maxsplit=1)[0].strip()
    return first if 0 < len(first) <= _LONGEST_SAID else None


def _lowered(subject: str, lang: str) -> str:
    """An article that opened the sentence, in lower case."""
    article, space, rest = subject.partition(" ")
    return f"{article.lower()}{space}{rest}" if space and len(article) <= len("Your") and lang != "de" else subject


def _language(passage: Passage) -> str:
    found = language(passage.text)
    return found if found in _wordings() else "en"


def _wording(lang: str) -> Mapping[str, str]:
    return _wordings()[lang]


@lru_cache(maxsize=1)
def _wordings() -> dict[str, dict[str, str]]:
    return tomllib.loads(resources.files("evals.own").joinpath("drafting.toml").read_text("utf-8"))
