"""What a served reranker is told: bare texts, and the rest of the query as its instruction. Pure."""

import re

from retrieval.text import encodable
from retrieval.types import ExtractedQuery

_LONGEST_INSTRUCTION_CHARS = 1_000

_CONTROL_TOKEN = re.compile(r"<\|\w{1,30}\|>")


def sendable(text: str, most_chars: int) -> str:
    """Cut to that many characters, without the tokens that end a turn in chat templates: a passage that holds them
    could put its own verdict where the model's should stand."""
    return _CONTROL_TOKEN.sub(" ", encodable(text)).strip()[:most_chars].rstrip()


def instruction(query: ExtractedQuery, *, expanded: bool) -> str:
    """One line in English, as the model cards advise for any language; empty where the query says it all.

    Criteria are always in it, since no filter can heed them; explanation and key phrases where it is `expanded`.
    """
    wishes = f"Prefer those that meet these wishes: {'; '.join(query.criteria)}." if query.criteria else ""
    meant = query.explanation if expanded else ""
    phrases = f"Key phrases: {'; '.join(query.key_phrases)}." if expanded and query.key_phrases else ""
    told = " ".join(" ".join(filter(None, (wishes, meant, phrases))).split())
    if not told:
        return ""
    return sendable(f"Given a question, retrieve passages that answer it. {told}", _LONGEST_INSTRUCTION_CHARS)
