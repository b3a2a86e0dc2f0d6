"""Quoted statements to Markdown with their marks."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from retrieval.answer.statements import Statement
from retrieval.text import UNSPACED


@dataclass(frozen=True, slots=True)
class Quoted:
    """A statement and the place in the evidence (from 0) it is quoted from."""

    statement: Statement
    evidence: int


def prose(quotes: Sequence[Quoted]) -> str:
    """Sentences of one passage run on, items are listed, steps numbered; another passage starts a paragraph."""
    parts = [_marked(quoted, number, listed=len(quotes) > 1) for number, quoted in enumerate(quotes, start=1)]
    gaps = [_between(before, here) for before, here in pairwise(quotes)]
    return parts[0] + "".join(gap + part for gap, part in zip(gaps, parts[1:], strict=True))


def _marked(quoted: Quoted, number: int, *, listed: bool) -> str:
    text, mark = quoted.statement.text, f"[{quoted.evidence + 1}]"
    match quoted.statement.shape:
        case "code":
            return f"{text}\n{mark}"
        case "item" if listed:
            return f"- {text} {mark}"
        case "step" if listed:
            return f"{number}. {text} {mark}"
        case _:
            return f"{text} {mark}"


def _between(before: Quoted, here: Quoted) -> str:
    shapes = {before.statement.shape, here.statement.shape}
    if shapes in ({"item"}, {"step"}):
        return "\n"
    if shapes == {"sentence"} and before.evidence == here.evidence:
        return "" if UNSPACED.match(here.statement.text) else " "
    return "\n\n"
