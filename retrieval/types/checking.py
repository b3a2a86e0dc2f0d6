"""What checking an answer against its evidence found."""

from dataclasses import dataclass
from typing import Literal

from retrieval.types.answers import Quote

FindingReason = Literal[
    "verbatim",  # holds: the words stand in the passage
    "supported",  # holds: the passage means what the statement says
    "recited",  # holds, put in place of citations that do not
    "no_such_passage",
    "not_cited",  # the statement cited nothing
    "number",  # the passage has another one, or none
    "date",
    "name",
    "negation",  # the passage says the opposite
    "meaning",  # the passage does not mean what the statement says
    "better_elsewhere",  # another passage bears the statement out clearly better
]

Unverified = Literal["partial", "warn"]
"""What becomes of a statement that nothing supports: it is left out, or shown with a mark."""

DOUBTFUL = "⚠️"
"""The mark behind the citations of a statement that nothing supports."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A citation of a statement and whether it holds. `n` counts the evidence from 1, as the draft does; None where
    the statement cited nothing. `detail` are the words of the statement that the passage does not bear out."""

    n: int | None
    valid: bool
    reason: FindingReason
    statement: str
    chunk_id: str | None = None
    document: str | None = None
    detail: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """What is left of a draft.

    `text` is Markdown whose marks [1], [2] … count `cited`, places in the evidence from 0 in order of first use.
    `quotes` are the sentences of those passages that its statements rest on. `answers` is False where nothing is left
    that answers; `doubtful` is True where a statement bears the mark DOUBTFUL; `removed` are the statements left out.
    """

    text: str
    cited: tuple[int, ...]
    quotes: tuple[Quote, ...]
    findings: tuple[Finding, ...]
    removed: tuple[str, ...]
    answers: bool
    doubtful: bool
