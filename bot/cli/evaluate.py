"""`footnote eval`: a named measurement, run on a folder of data."""

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.output import print_json
from retrieval.errors import ConfigurationError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("eval")(evaluate)


def evaluate(
    name: Annotated[str, typer.Argument(help="The measurement: retrieval, answers or refusal.")],
    data: Annotated[Path, typer.Option(help="Folder with the data sets.")],
    out: Annotated[Path | None, typer.Option(help="Folder for the detailed results.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Measure retrieval, answers or refusals on public data. Exit code 1 when a bar is missed."""
    from evals import NAMES, run_eval  # loads the models, which --help does not need

    if name not in NAMES:
        raise typer.BadParameter(f"there is no measurement {name!r}; there are {', '.join(NAMES)}", param_hint="NAME")
    if not data.is_dir():
        raise ConfigurationError(f"--data: {data} is not a folder")
    report = run_eval(name, data, out)
    if as_json:
        print_json(report.as_json())
    else:
        for figure in report.figures:
            sign = ">=" if figure.better == "higher" else "<="
            bar = "" if figure.bar is None else f"  {sign} {figure.bar}  {'holds' if figure.holds else 'MISSED'}"
            typer.echo(f"{figure.name:<44} {figure.value:>8.4g}{bar}")
    raise typer.Exit(0 if report.holds else 1)
