"""Figures of an evaluation beside the bars they must hold."""

from dataclasses import dataclass, field
from typing import Any, Literal


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


@dataclass
class Report:
    """What an evaluation found. `misses` names what went wrong, for a person to look at; `summary` holds the figures
    that programs ask for by name, where there are such."""

    name: str
    figures: list[Figure] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    summary: dict[str, Any] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        return all(figure.holds for figure in self.figures)

    def add(
        self, name: str, value: float, bar: float | None = None, better: Literal["higher", "lower"] = "higher"
    ) -> None:
        self.figures.append(Figure(name, round(value, 4), bar, better))

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "holds": self.holds,
            "figures": [
                {"name": f.name, "value": f.value, "bar": f.bar, "better": f.better, "holds": f.holds}
                for f in self.figures
            ],
            "misses": self.misses,
        }
