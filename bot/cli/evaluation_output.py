"""Reports of evaluations to tables for people."""

from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from evals.own.calibration import Calibration
    from evals.report import Figure, Relevances, Report, Setting

_PIPED_WIDTH = 160


def print_report(report: "Report") -> None:
    """Its figures beside their bars, then what else it has to show."""
    console = _console()
    if report.figures:
        console.print(_figures(report.figures))
    for found in report.relevances:
        console.print(_curve(found))
    if report.settings:
        console.print(_settings(report.settings))
    if report.failures:
        console.print(_failures(report))
    for note in report.notes:
        console.print(Text(note, "yellow"))


def print_calibration(found: "Calibration") -> None:
    """The curve, and the floor that was kept."""
    print_report(found.report)
    chosen = found.chosen
    _console().print(
        f"The floor of {found.reranker} is {chosen.floor:.3f} now: it refuses {chosen.refused:.1%} of the questions "
        f"without an answer and {chosen.false_refusals:.1%} of those with one.",
        markup=False,
    )


def _console() -> Console:
    return Console(width=None if Console().is_terminal else _PIPED_WIDTH, highlight=False)


def _figures(figures: "list[Figure]") -> Table:
    table = _table("measure", "value", "bar")
    for figure in figures:
        sign = ">=" if figure.better == "higher" else "<="
        bar = "" if figure.bar is None else f"{sign} {figure.bar:g} {'holds' if figure.holds else 'MISSED'}"
        table.add_row(Text(figure.name), f"{figure.value:.4g}", Text(bar, "green" if figure.holds else "bold red"))
    return table


def _curve(found: "Relevances") -> Table:
    from evals.page import points_of  # loads what draws, which --help does not need

    table = _table("floor", "answerable refused", "unanswerable refused", title=f"Refusals: {found.questions}")
    for floor, false_refusals, refused in points_of(found):
        style = "bold" if floor == found.floor else None
        table.add_row(f"{floor:.2f}", f"{false_refusals:.1%}", f"{refused:.1%}", style=style)
    return table


def _settings(settings: "list[Setting]") -> Table:
    columns = list(dict.fromkeys(name for setting in settings for name in setting.values))
    table = _table("part", "setting", *columns, title="What each part is worth (bold: in force)")
    for setting in settings:
        values = [f"{setting.values[name]:.3g}" if name in setting.values else "" for name in columns]
        name = f"{setting.name}: {setting.needs}" if setting.needs else setting.name
        table.add_row(setting.part, name, *values, style="bold" if setting.in_force else None)
    return table


def _failures(report: "Report") -> Table:
    table = _table("went wrong at", "questions", "what to do", title="Where questions went wrong")
    for stage, count, advice in report.stages():
        table.add_row(stage, str(count), advice)
    return table


def _table(first: str, *columns: str, title: str | None = None) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold")
    table.add_column(first, overflow="fold")
    for column in columns:
        words = column in ("bar", "setting", "what to do")
        table.add_column(column, justify="left" if words else "right", overflow="fold")
    return table
