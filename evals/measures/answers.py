"""What of the right answer a reply holds. Words are compared: case, spaces, punctuation and citation marks are not."""

from collections.abc import Sequence

import regex

from retrieval.text import normalise
from retrieval.types import MARK, outside_code

_NO_WORD = regex.compile(r"[^\p{L}\p{M}\p{N}]+")


def holds(text: str, words: str) -> bool:
    """Whether the words stand in the text, one after the other."""
    return _words(words) in _words(text)


def completeness(text: str, parts: Sequence[str]) -> float:
    """Share of the parts of the right answer that the text holds. Raises ValueError when there are none."""
    if not parts:
        raise ValueError("completeness needs the parts of a right answer")
    return sum(holds(text, part) for part in parts) / len(parts)


def best_completeness(text: str, references: Sequence[Sequence[str]]) -> float:
    """Against the one of several right answers that the text comes nearest to."""
    return max(completeness(text, parts) for parts in references)


def share_from(statements: Sequence[str], sources: Sequence[str]) -> float:
    """Share of the statements that stand word for word in one of the sources. Raises ValueError without statements."""
    if not statements:
        raise ValueError("there are no statements")
    return sum(any(holds(source, statement) for source in sources) for statement in statements) / len(statements)


def _words(text: str) -> str:
    """Letters and digits alone: a quotation that was set in other spaces or quotation marks stays one."""
    bare = outside_code(lambda prose: MARK.sub(" ", prose), text)
    return str(_NO_WORD.sub("", normalise(bare).casefold()))
