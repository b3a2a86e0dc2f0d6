"""Figures of an evaluation beside the bars they must hold, and what else it has to show."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from evals.measures.refusals import ScoreSets, auc, curve

FLOORS = tuple(round(step * 0.05, 2) for step in range(1, 20))
"""Those at which the curve of refusals is told."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value in [0, 1] or a count; `bar` None is reported only."""

    name: str
    value: float
    bar: float | None = None
    better: Literal["higher", "lower"] = "higher"

    @property
    def holds(self) -> bool:
        if self.bar is None:
            return True
        return self.value >= self.bar if self.better == "higher" else self.value <= self.bar


@dataclass(frozen=True, slots=True)
class Failure:
    """A question that went wrong: at which stage of the pipeline, what came instead of the answer, what to do."""

    question: str
    stage: str
    reply: str
    advice: str


@dataclass(frozen=True, slots=True)
class Relevances:
    """How relevant the best passage was to questions with and without an answer, and the floor it was held against."""

    questions: str
    scores: ScoreSets
    floor: float

    def as_json(self) -> dict[str, Any]:
        points = curve(self.scores, sorted({*FLOORS, self.floor}))
        return {
            "questions": self.questions,
            "floor": self.floor,
            "auc": round(auc(self.scores), 4),
            "answerable": [round(score, 4) for score in self.scores.answerable],
            "unanswerable": [round(score, 4) for score in self.scores.unanswerable],
            "curve": [
                {"floor": p.floor, "false_refusals": round(p.false_refusals, 4), "refused": round(p.refused, 4)}
                for p in points
            ],
        }


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to set one part of the pipeline, and what it gives; no values where `needs` says what is missing."""

    part: str
    name: str
    in_force: bool
    values: Mapping[str, float] = field(default_factory=dict)
    needs: str = ""

    def as_json(self) -> dict[str, Any]:
        rounded = {name: round(value, 4) for name, value in self.values.items()}
        needs = {"needs": self.needs} if self.needs else {}
        return {"part": self.part, "setting": self.name, "in_force": self.in_force, **rounded, **needs}


@dataclass
class Report:
    """What an evaluation found. `misses` names what went wrong, for a person to look at; `summary` holds the figures
    that programs ask for by name, where there are such. `notes` are what a reader should know of the figures."""

    name: str
    figures: list[Figure] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    summary: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    relevances: list[Relevances] = field(default_factory=list)
    settings: list[Setting] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return all(figure.holds for figure in self.figures)

    def add(
        self, name: str, value: float, bar: float | None = None, better: Literal["higher", "lower"] = "higher"
    ) -> None:
        self.figures.append(Figure(name, round(value, 4), bar, better))

    def stages(self) -> list[tuple[str, int, str]]:
        """The stages at which questions went wrong, the commonest first: how many, and what to do."""
        advice = {failure.stage: failure.advice for failure in self.failures}
        counts = Counter(failure.stage for failure in self.failures)
        return [(stage, count, advice[stage]) for stage, count in counts.most_common()]

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "holds": self.holds,
            "figures": [
                {"name": f.name, "value": f.value, "bar": f.bar, "better": f.better, "holds": f.holds}
                for f in self.figures
            ],
            "misses": self.misses,
            **({"notes": self.notes} if self.notes else {}),
            **({"failures": [asdict(failure) for failure in self.failures]} if self.failures else {}),
            **({"relevances": [found.as_json() for found in self.relevances]} if self.relevances else {}),
            **({"ablation": [setting.as_json() for setting in self.settings]} if self.settings else {}),
        }


def joined(name: str, reports: Sequence[Report]) -> Report:
    """One report of all that several hold."""
    whole = Report(name)
    for report in reports:
        for part in ("figures", "misses", "notes", "failures", "relevances", "settings"):
            getattr(whole, part).extend(getattr(report, part))
    return whole
