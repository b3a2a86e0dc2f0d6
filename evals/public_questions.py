"""Public data sets in the form of one's own questions: documents by name, and questions on them."""

from pathlib import Path

from evals.data_sets import cast, clapnq
from evals.own.question import Question


def of_clapnq(data: Path) -> tuple[dict[str, str], list[Question]]:
    """300 questions, half of them answerable. ClapNQ says of those which sentences answer them."""
    documents, rows = clapnq.load(data)
    return documents, [
        Question(row.text, documents=row.documents, references=row.references, language="en")
        if row.answerable
        else Question(row.text, answerable=False, language="en")
        for row in rows
    ]


def of_cast(data: Path) -> tuple[dict[str, str], list[Question]]:
    """117 turns of conversations, each with the thread before it and the passage that answers it."""
    passages, turns = cast.load(data)
    return passages, [
        Question(turn.message, documents=tuple(turn.documents), language="en", earlier=turn.earlier) for turn in turns
    ]
