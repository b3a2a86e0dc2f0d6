"""What the commands of `footnote eval` have in common."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from bot.cli.evaluation_output import print_report
from bot.cli.output import print_json
from retrieval.errors import ConfigurationError

if TYPE_CHECKING:
    from evals.report import Report


def _folder(out: Path | None) -> Path | None:
    """Made now, so that nobody waits for minutes to learn that it cannot be."""
    try:
        if out:
            out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"--out: {out} cannot be used as a folder ({error.strerror})") from None
    return out


Out = Annotated[
    Path | None,
    typer.Option(help="Folder for NAME.json and report.html, a page with plots.", show_default=False, callback=_folder),
]
Folder = Annotated[Path, typer.Option("--data", help="Folder with the public data sets.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same run.")]


def waiting(what: str) -> AbstractContextManager[object]:
    """A moving line on standard error, where somebody watches."""
    return Console(stderr=True).status(what)


def end(report: "Report", as_json: bool) -> None:
    """Tell what was found, and end with 1 where a bar was missed."""
    if as_json:
        print_json(report.summary or report.as_json())
    else:
        print_report(report)
    raise typer.Exit(0 if report.holds else 1)
