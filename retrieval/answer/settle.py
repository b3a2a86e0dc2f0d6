"""Draft to answer: marks renumbered by first use, each with its citation, or the refusal when none holds."""

from collections.abc import Sequence

from retrieval.answer.wording import refusal
from retrieval.types import MARK, Answer, Citation, Draft, Evidence, ExtractedQuery, Refusal, outside_code


def settle(draft: Draft, evidence: Sequence[Evidence], query: ExtractedQuery) -> Answer | Refusal:
    """Marks without evidence behind them go; a draft that cites nothing is not an answer."""
    if not draft.answerable:
        return refusal("model_declined", query.language)
    numbers: dict[int, int] = {}

    def renumber(text: str) -> str:
        return MARK.sub(lambda mark: _renumbered(int(mark[1]), numbers, len(evidence)), text)

    text = outside_code(renumber, draft.text).strip()
    if not numbers:
        return refusal("unsupported", query.language)
    citations = tuple(
        Citation(n, evidence[place - 1].passage, tuple(q.text for q in draft.quotes if q.evidence == place - 1))
        for place, n in numbers.items()
    )
    return Answer(text, citations)


def _renumbered(place: int, numbers: dict[int, int], places: int) -> str:
    if not 1 <= place <= places:
        return ""
    return f"[{numbers.setdefault(place, len(numbers) + 1)}]"
