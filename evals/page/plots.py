"""Plots of a report, as SVG elements whose text stays text."""

from collections.abc import Sequence
from io import StringIO
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from matplotlib.typing import RcKeyType

from evals.measures.refusals import point, whole_curve
from evals.report import Relevances, Setting

_INK, _MUTED, _LINE = "#23262c", "#656a72", "#e4dfd4"
_ANSWERABLE, _UNANSWERABLE, _FLOOR = "#1d6a5f", "#d08a2e", "#a8362a"
_STYLE: dict[RcKeyType, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": _LINE,
    "axes.labelcolor": _MUTED,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": _INK,
    "xtick.color": _MUTED,
    "ytick.color": _MUTED,
    "grid.color": _LINE,
    "legend.frameon": False,
}
_BINS = [step / 20 for step in range(21)]
_BARS = {"answered rightly": _ANSWERABLE, "unanswerable refused": _UNANSWERABLE, "Accuracy@5": "#8fb8b1"}
_BAR_WIDTH = 0.26


def score_distributions(found: Relevances) -> str:
    """How relevant the best passage was, to questions with and without an answer, and where the floor stands."""
    with rc_context(_STYLE):
        figure, axes = _drawing(5.4, 3.2)
        for scores, colour, name in (
            (found.scores.answerable, _ANSWERABLE, "with an answer"),
            (found.scores.unanswerable, _UNANSWERABLE, "without"),
        ):
            weights = np.full(len(scores), 1 / len(scores))
            label = f"{name} ({len(scores)})"
            axes.hist(scores, _BINS, weights=weights, color=colour, alpha=0.3)
            axes.hist(scores, _BINS, weights=weights, color=colour, histtype="step", linewidth=1.5, label=label)
        _mark_floor(axes, found.floor)
        axes.set_xlim(0, 1)
        axes.set_title("Best passage of each question", pad=26)
        axes.set_xlabel("relevance")
        axes.set_ylabel("share of questions")
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, borderaxespad=0.2, handlelength=1.4)
        return _svg(figure, f"scores {found.questions}")


def _mark_floor(axes: Axes, floor: float) -> None:
    axes.axvline(floor, color=_FLOOR, linewidth=1.5, linestyle="--")
    side, gap = ("right", -4) if floor > 0.5 else ("left", 4)
    axes.annotate(
        f"floor {floor:.2f}",
        (floor, 1),
        (gap, -2),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha=side,
        va="top",
        color=_FLOOR,
    )


def refusal_curve(found: Relevances) -> str:
    """What share of unanswerable questions can be refused at the price of how many false refusals."""
    with rc_context(_STYLE):
        figure, axes = _drawing(5.4, 3.2)
        points = whole_curve(found.scores)
        now = point(found.scores, found.floor)
        axes.plot([0, 1], [0, 1], color=_LINE, linewidth=1)
        axes.plot([p.false_refusals for p in points], [p.refused for p in points], color=_ANSWERABLE, linewidth=1.8)
        axes.plot([now.false_refusals], [now.refused], "o", color=_FLOOR, markersize=6)
        axes.annotate(
            f"floor {found.floor:.2f}: {now.refused:.0%} at {now.false_refusals:.0%}",
            (now.false_refusals, now.refused),
            (10, -12),
            textcoords="offset points",
            color=_FLOOR,
        )
        axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.02))
        axes.set_title("Refusals at every floor", pad=26)
        axes.set_xlabel("answerable questions refused")
        axes.set_ylabel("unanswerable ones refused")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.grid(alpha=0.6)
        return _svg(figure, f"curve {found.questions}")


def ablation_bars(settings: Sequence[Setting]) -> str:
    """A panel for each part of the pipeline, a group of bars for each of its settings; ● is the one in force."""
    parts = list(dict.fromkeys(setting.part for setting in settings))
    groups = [[setting for setting in settings if setting.part == part] for part in parts]
    measures = [name for name in _BARS if any(name in setting.values for setting in settings)]
    with rc_context(_STYLE):
        figure = Figure(figsize=(11.2, 1.3 + 0.42 * sum(map(len, groups))), layout="constrained")
        FigureCanvasSVG(figure)
        panels = figure.subplots(len(groups), 1, sharex=True, squeeze=False, height_ratios=[*map(len, groups)])
        for axes, part, group in zip(panels[:, 0], parts, groups, strict=True):
            _draw_part(axes, part, group, measures)
        panels[-1, 0].xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        handles, labels = panels[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=len(measures), handlelength=1.2)
        return _svg(figure, "ablation")


def _draw_part(axes: Axes, part: str, group: Sequence[Setting], measures: Sequence[str]) -> None:
    places = np.arange(len(group))
    for at, name in enumerate(measures):
        values = [setting.values.get(name, 0.0) for setting in group]
        offset = (at - (len(measures) - 1) / 2) * _BAR_WIDTH
        bars = axes.barh(places + offset, values, _BAR_WIDTH * 0.9, color=_BARS[name], label=name)
        labels = [
            f"{value:.0%}" if name in setting.values else "" for value, setting in zip(values, group, strict=True)
        ]
        axes.bar_label(bars, labels, padding=3, fontsize=8, color=_MUTED)
    for place, setting in enumerate(group):
        if setting.needs:
            axes.text(0.005, place, setting.needs, va="center", color=_MUTED, style="italic")
    axes.set_yticks(places, [f"{'● ' if setting.in_force else ''}{setting.name}" for setting in group])
    axes.set(xlim=(0, 1.06), ylim=(len(group) - 0.4, -0.6))
    axes.set_title(part)
    axes.tick_params(length=0)


def _drawing(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(figure)
    return figure, figure.subplots()


def _svg(figure: Figure, name: str) -> str:
    """The element alone. The same figure gives the same text; ids of one plot are not those of another."""
    text = StringIO()
    with rc_context({"svg.hashsalt": name}):
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]
