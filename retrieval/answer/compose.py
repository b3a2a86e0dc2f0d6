"""Query and evidence to a draft by a language model that cites."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import regex

from prompts import fenced, render
from prompts.forms import Flag, Form, Text
from retrieval.answer.citations import read, without_marks
from retrieval.answer.wording import say
from retrieval.errors import ModelOutputInvalid, RequestRefused
from retrieval.ports import ChatModel
from retrieval.text import UNSPACED, encodable, terms
from retrieval.types import Draft, Evidence, ExtractedQuery, Passage, outside_code

_TEMPERATURE = 0.1
_MAX_TOKENS = 512
_CHARS_A_TOKEN = 3
_FRAME_TOKENS = 200
"""What a chat template and the schema of the form may take."""

_MARK_TOKENS = 24
"""What the code before a passage's header may take."""

_NAME_CHARS = 120
_MISSING_CHARS = 150
_OWN_NUMBERS = regex.compile(r"\[(\d+(?:\s*[,–-]\s*\d+)*)\]")
_MARKUP = regex.compile(r"[\[\](){}<>*_`|?!？！。]|\.(?=\s)")
"""What would be no plain text, or end the sentence."""
_SAYS_SOMETHING = regex.compile(r"[\p{L}\p{N}]")
_RANKINGS = {"newest": ["the newest"], "oldest": ["the oldest"], "relevance": []}
_TASK = "Answer the question from the passages above, as the JSON object."

_LANGUAGES = {
    "en": "English", "pt": "Portuguese", "fr": "French", "es": "Spanish", "de": "German", "it": "Italian",
    "nl": "Dutch", "pl": "Polish", "tr": "Turkish", "ru": "Russian", "ar": "Arabic", "ko": "Korean",
    "ja": "Japanese", "zh": "Chinese", "th": "Thai",
}  # fmt: skip


class AnswerForm(Form):
    """What the model is asked for."""

    answerable: Flag = True
    answer: Text = ""
    missing: Text = ""


@dataclass(frozen=True)
class ChatAnswerer:
    """Answerer by a language model. `window_tokens` is what the model can hold, its answer included."""

    chat: ChatModel
    window_tokens: int
    today: Callable[[], dt.date] = dt.date.today

    def compose(self, query: ExtractedQuery, evidence: Sequence[Evidence]) -> Draft:
        """The answer as the model cites it, and a line on the part that the passages do not answer, if there is one.

        Raises ServiceUnavailable, and ModelOutputInvalid also where the model says that it answers and does not.
        """
        rules = render(
            "answer", today=self.today().isoformat(), language=_LANGUAGES.get(query.language, _LANGUAGES["en"])
        )
        asked = _question(query)
        taken = sum(estimated_tokens(part) for part in (rules, asked, _TASK)) + _MAX_TOKENS + _FRAME_TOKENS
        passages = _fitting([item.passage for item in evidence], self.window_tokens - taken)
        message = encodable(fenced([*passages, ("question", asked)], then=_TASK))
        if not passages:
            raise RequestRefused("CHAT_WINDOW_TOKENS: the question leaves no room for passages; set it higher")
        form = self.chat.generate(rules, message, AnswerForm, temperature=_TEMPERATURE, max_tokens=_MAX_TOKENS)
        if not form.answerable:
            return Draft("", answerable=False)
        if not _SAYS_SOMETHING.search(without_marks(read(form.answer))):
            raise ModelOutputInvalid("an answer without a word in it")
        return Draft("\n\n".join([form.answer, *_unanswered(form.missing, query)]))


def estimated_tokens(text: str) -> int:
    """Rather too many than too few: one a character of scripts without spaces, one for three others."""
    unspaced = len(UNSPACED.findall(text))
    return unspaced + -(-(len(text) - unspaced) // _CHARS_A_TOKEN)


def _question(query: ExtractedQuery) -> str:
    lines = [query.main_query]
    lines += [f"- {part.main_query}" for part in query.parts]
    lines += [f"Wish: {wish}" for wish in (*query.criteria, *_RANKINGS[query.ranking])]
    return "\n".join(lines)


def _fitting(passages: Sequence[Passage], room_tokens: int) -> list[tuple[str, str]]:
    """Headers and texts of the first passages, in their order, up to that size; the last may lose its end."""
    sections = []
    for number, passage in enumerate(passages, start=1):
        header, text = _header(number, passage), outside_code(_own_numbers_told_apart, passage.text)
        room_tokens -= estimated_tokens(header) + _MARK_TOKENS
        if room_tokens <= 0:
            break
        needed = estimated_tokens(text)
        sections.append((header, text if needed <= room_tokens else text[: len(text) * room_tokens // needed]))
        room_tokens -= needed
    return sections


def _header(number: int, passage: Passage) -> str:
    facts = {
        "file": passage.document,
        "section": " > ".join(passage.section),
        "page": passage.page and str(passage.page),
        "date": passage.date and passage.date.isoformat(),
    }
    told = [f"{name}: {' '.join((value or 'N/A').split())[:_NAME_CHARS]}" for name, value in facts.items()]
    return "; ".join([f"[{number}] {told[0]}", *told[1:]])


def _own_numbers_told_apart(text: str) -> str:
    """A document's own reference numbers cannot pass for those of the passages."""
    return str(_OWN_NUMBERS.sub(r"(\1)", text))


def _unanswered(missing: str, query: ExtractedQuery) -> list[str]:
    """A line on what is missing, in words of the question: the model may not tell anything there. Where it uses others
    beside them, the line names the part of the question that it means, or none."""
    words = " ".join(_MARKUP.sub(" ", missing).split()).rstrip(".")
    named, asked = _meant(words, query), _meant(" ".join([query.main_query, *_parts(query)]), query)
    if not words or 2 * len(named & asked) < len(named):
        return []
    if named <= asked and len(words) <= _MISSING_CHARS:
        return [say("unanswered", query.language).format(question=words)]
    part = max(_parts(query), key=lambda part: len(named & _meant(part, query)), default="")
    return [say("unanswered", query.language).format(question=part) if part else say("incomplete", query.language)]


def _parts(query: ExtractedQuery) -> list[str]:
    return [_MARKUP.sub(" ", part.main_query).strip() for part in query.parts]


def _meant(text: str, query: ExtractedQuery) -> frozenset[str]:
    return frozenset([*terms(text, query.language), *regex.findall(r"\d+", text)]) if text else frozenset()
