"""`footnote eval`: a named measurement, run on a folder of data."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.output import print_json
from retrieval.errors import ConfigurationError

if TYPE_CHECKING:
    from evals.report import Report


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("eval")(evaluate)


def evaluate(
    name: Annotated[
        str,
        typer.Argument(
            help="The measurement: retrieval, answers, refusal, claims, rewriting, fusion, reranker, throughput, soak, "
            "crash."
        ),
    ],
    data: Annotated[
        Path | None, typer.Option(help="Folder with the data sets. Not for throughput, soak and crash.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the detailed results.")] = None,
    minutes: Annotated[float, typer.Option(help="soak: how long people ask.", min=0.2)] = 2.0,
    points: Annotated[int, typer.Option(help="crash: how often the bot is killed.", min=1)] = 50,
    seed: Annotated[int, typer.Option(help="soak and crash: what goes wrong and when.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Measure search, answers, refusals or the understanding of follow-ups on public data, how fast served models are
    used, or the bot under stress on the local workspace.

    Exit code 1 when a bar is missed.
    """
    from evals import LIVE, NAMES, run_eval, run_live  # loads the models, which --help does not need

    if name not in NAMES:
        raise typer.BadParameter(f"there is no measurement {name!r}; there are {', '.join(NAMES)}", param_hint="NAME")
    if name in LIVE:
        report = run_live(name, out, minutes=minutes, points=points, seed=seed)
    elif data is None or not data.is_dir():
        raise ConfigurationError("--data: not given" if data is None else f"--data: {data} is not a folder")
    else:
        report = run_eval(name, data, out)
    _show(report, as_json)
    raise typer.Exit(0 if report.holds else 1)


def _show(report: "Report", as_json: bool) -> None:
    if as_json:
        print_json(report.summary or report.as_json())
        return
    for figure in report.figures:
        sign = ">=" if figure.better == "higher" else "<="
        bar = "" if figure.bar is None else f"  {sign} {figure.bar}  {'holds' if figure.holds else 'MISSED'}"
        typer.echo(f"{figure.name:<44} {figure.value:>8.4g}{bar}")
