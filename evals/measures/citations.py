"""Citation recall and precision as ALCE defines them (Gao et al., 2023, section 4.3), by any judge.

A statement has citation recall 1 where it cites something and all that it cites, taken together, supports it. A
citation is precise where its statement has recall 1 and it is not idle: idle is one that does not support the statement
alone, while the others do without it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Judge = Callable[[str, Sequence[str]], bool]
"""Whether texts, taken together, support a statement. Not asked about no texts."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What is stated, and the texts cited for it; None for a number that is no passage's."""

    text: str
    cited: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationScores:
    """Of one answer: both in [0, 1], and the statements that what they cite does not support."""

    recall: float
    precision: float
    unsupported: tuple[str, ...]


def citation_scores(statements: Sequence[Statement], judge: Judge) -> CitationScores:
    """Recall over the statements, precision over all their citations, 0 where there are none. Raises ValueError
    without statements."""
    if not statements:
        raise ValueError("there are no statements")
    supported = [statement for statement in statements if _is_supported(statement, judge)]
    citations = sum(len(statement.cited) for statement in statements)
    precise = sum(_precise(statement.text, _texts(statement), judge) for statement in supported)
    return CitationScores(
        len(supported) / len(statements),
        precise / citations if citations else 0.0,
        tuple(statement.text for statement in statements if statement not in supported),
    )


def _is_supported(statement: Statement, judge: Judge) -> bool:
    return bool(statement.cited) and None not in statement.cited and judge(statement.text, _texts(statement))


def _texts(statement: Statement) -> list[str]:
    return [text for text in statement.cited if text is not None]


def _precise(statement: str, cited: Sequence[str], judge: Judge) -> int:
    if len(cited) == 1:
        return 1
    return sum(
        judge(statement, [text]) or not judge(statement, [*cited[:at], *cited[at + 1 :]])
        for at, text in enumerate(cited)
    )
