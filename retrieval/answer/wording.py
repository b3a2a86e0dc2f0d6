"""What the bot says of itself, in the asker's language."""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import resources

from retrieval.types import (
    MARK,
    Answer,
    ExtractedQuery,
    Kind,
    Missing,
    Notice,
    NoticeReason,
    Refusal,
    RefusalReason,
)

_NOTICES: dict[Kind, tuple[NoticeReason, str]] = {
    Kind.GREETING: ("small_talk", "greeting"),
    Kind.SMALL_TALK: ("small_talk", "small_talk"),
    Kind.HELP: ("help", "help"),
    Kind.EMPTY: ("empty_question", "empty_question"),
    Kind.UNCLEAR: ("clarify", "too_long"),
}


def say(what: str, lang: str) -> str:
    """The sentence of that name, in English where the language has none."""
    table = _sentences()[what]
    return table.get(lang, table["en"])


def refusal(reason: RefusalReason, lang: str) -> Refusal:
    """The refusal message; an empty knowledge base is told apart from one without the answer."""
    text = say("refusal", lang)
    if reason == "knowledge_base_empty":
        text = f"{text} {say('empty', lang)}"
    return Refusal(reason, text)


def notice(query: ExtractedQuery) -> Notice:
    """The reply to a message that asks for nothing the documents could answer."""
    reason, sentence = _NOTICES[query.kind]
    return Notice(reason, query.clarification or say(sentence, query.language))


def unanswered(answer: Answer, questions: Sequence[str], lang: str, *, searched: bool) -> Answer:
    """The answer with a line for each question of the same message that the knowledge base does not answer, or that
    could not be searched for as it should."""
    sentence = say("unanswered" if searched else "not_searched", lang)
    lines = [sentence.format(question=MARK.sub("", asked).strip()) for asked in questions]
    return replace(answer, text="\n\n".join([answer.text, *lines]))


def caveat(missing: Sequence[Missing], lang: str) -> str:
    """What the reader should know of parts that were out while the question was answered; "" when none was."""
    return " ".join(say(f"without_{part.value}", lang) for part in missing)


def unavailable(lang: str, incident: str) -> Notice:
    """An outage, never told as a missing answer."""
    return Notice("service_unavailable", f"{say('service_unavailable', lang)} ({incident})")


@lru_cache(maxsize=1)
def _sentences() -> dict[str, dict[str, str]]:
    return tomllib.loads(resources.files("retrieval.answer").joinpath("wording.toml").read_text("utf-8"))
