"""How well a score tells questions that have an answer from those that have none, and where to draw the line.

A question is refused where its score is below the floor. Refusal recall is the share of unanswerable questions that
are refused, false refusals the share of answerable ones.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np


@dataclass(frozen=True, slots=True)
class ScoreSets:
    """The scores of questions with an answer and of those without. Both must be there, or the measures raise
    ValueError."""

    answerable: tuple[float, ...]
    unanswerable: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.answerable or not self.unanswerable:
            raise ValueError("both questions with and questions without an answer are needed")


@dataclass(frozen=True, slots=True)
class RefusalPoint:
    """What a floor does: shares of answerable questions and of unanswerable ones that it refuses."""

    floor: float
    false_refusals: float
    refused: float


def point(scores: ScoreSets, floor: float) -> RefusalPoint:
    return RefusalPoint(floor, _below(scores.answerable, floor), _below(scores.unanswerable, floor))


def curve(scores: ScoreSets, floors: Iterable[float]) -> list[RefusalPoint]:
    return [point(scores, floor) for floor in floors]


def whole_curve(scores: ScoreSets) -> list[RefusalPoint]:
    """At every floor that makes a difference, from none refused to all."""
    return curve(scores, _floors(scores))


def best_point(scores: ScoreSets, most_false: float) -> RefusalPoint:
    """Of all floors that refuse at most that share of the answerable questions, the one that refuses most of the
    unanswerable ones; among those, the one that refuses fewest answerable ones."""
    allowed = [found for found in whole_curve(scores) if found.false_refusals <= most_false]
    return max(allowed, key=lambda found: (found.refused, -found.false_refusals, -found.floor))


def auc(scores: ScoreSets) -> float:
    """How often an answerable question scores above an unanswerable one, ties as half: the area under the curve of
    refusals (Mann and Whitney, 1947)."""
    low = np.sort(np.asarray(scores.unanswerable))
    below = np.searchsorted(low, scores.answerable, "left")
    not_above = np.searchsorted(low, scores.answerable, "right")
    return float((below + not_above).mean() / 2 / len(low))


def _below(scores: Sequence[float], floor: float) -> float:
    return sum(score < floor for score in scores) / len(scores)


def _floors(scores: ScoreSets) -> list[float]:
    """Midway between neighbouring scores, 0 and 1: a new question's score falls beside those seen, not on them."""
    seen = sorted({*scores.answerable, *scores.unanswerable})
    return [0.0, *((low + high) / 2 for low, high in pairwise(seen)), 1.0]
