"""`footnote ingest` and `footnote kb`: files to documents of the knowledge base."""

import dataclasses
import datetime as dt
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.cli.output import print_json, report_json, report_line, to_stderr, version_json
from bot.cli.progress import ingest_shown
from bot.cli.reembed import reembed
from retrieval.errors import DocumentRefused, ServiceUnavailable
from retrieval.settings import RetrievalSettings, load
from retrieval.types import ADMINS, EVERYONE, DocumentVersion, IngestReport, SourceFile

if TYPE_CHECKING:
    from retrieval.build import Library

_PIPED_WIDTH = 160

_Json = Annotated[bool, typer.Option("--json", help="JSON Lines on standard output.")]
_Name = Annotated[str, typer.Argument(help="The document, named as `kb list` names it.")]


class Visibility(StrEnum):
    """Who may see answers from a document."""

    EVERYONE = EVERYONE
    ADMINS = ADMINS


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(ingest)
    kb = typer.Typer(help="The documents of the knowledge base.", no_args_is_help=True)
    kb.command("list")(list_documents)
    kb.command("delete")(delete)
    kb.command("reembed")(reembed)
    app.add_typer(kb, name="kb")


def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files, and folders to walk.")],
    visibility: Annotated[
        Visibility | None,
        typer.Option(help="Who may see answers from them.", show_default="as it is; new documents: everyone"),
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option(help="A tag; may be repeated.", show_default="as they are; new documents: none")
    ] = None,
    date: Annotated[dt.datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Date of the documents.")] = None,
    as_json: _Json = False,
) -> None:
    """Take in documents, also beside a running bot. Exit code 1 when any file was refused."""
    from retrieval.build import build  # loads the models, which --help does not need

    said = (visibility.value if visibility else None, tuple(tag) if tag else None, date.date() if date else None)
    failed = False
    with closing(build(load(RetrievalSettings))) as footnote:
        for found in _found(paths):
            report = found if isinstance(found, IngestReport) else _taken_in(footnote.library, _with(found, *said))
            failed |= report.status == "failed"
            _tell(report, as_json)
    raise typer.Exit(int(failed))


def _with(file: SourceFile, visibility: str | None, tags: tuple[str, ...] | None, date: dt.date | None) -> SourceFile:
    return dataclasses.replace(file, visibility=visibility, tags=tags, date=date)


def _taken_in(library: "Library", file: SourceFile) -> IngestReport:
    """What became of the file. That a service failed for one is no reason to leave out the next."""
    try:
        return ingest_shown(library.ingest, file)
    except ServiceUnavailable as error:
        return _failed(file.path, file.document, f"{file.document} was not taken in: {error}")


def _found(paths: Sequence[Path]) -> Iterator[SourceFile | IngestReport]:
    """The files at the paths, and reports on what cannot be taken in: a path with nothing there, and a file that
    would become a new version of another one of the same run only because the paths hide what tells them apart."""
    from retrieval.build import documents_in

    first: dict[str, Path] = {}
    for path in paths:
        try:
            files = documents_in(path)
        except DocumentRefused as refused:
            yield _failed(path, str(path), str(refused), refused.cause)
            continue
        for file in files:
            other = first.setdefault(file.document, file.path)
            if other.resolve() == file.path.resolve():
                yield file
            else:
                yield _failed(file.path, file.document, _same_name(file, other))


def _same_name(file: SourceFile, other: Path) -> str:
    common = os.path.commonpath([file.path.resolve().parent, other.resolve().parent])
    return (
        f"{file.path} was not taken in: like {other} it would be the document {file.document}. "
        f"Take in their common folder instead: footnote ingest {common}"
    )


def _failed(path: Path, document: str, message: str, reason: str | None = None) -> IngestReport:
    return IngestReport(str(path), document, "failed", reason=reason, message=message)


def list_documents(as_json: _Json = False) -> None:
    """List the documents."""
    from retrieval.build import build  # loads the models, which --help does not need

    with closing(build(load(RetrievalSettings))) as footnote:
        versions = sorted(footnote.library.list(), key=lambda version: version.document.casefold())
    if as_json:
        for version in versions:
            print_json(version_json(version))
    elif versions:
        _table(versions)
    else:
        typer.echo("No documents yet. Add some with: footnote ingest PATH")


def delete(name: _Name, as_json: _Json = False) -> None:
    """Take a document out of the knowledge base."""
    from retrieval.build import build  # loads the models, which --help does not need

    with closing(build(load(RetrievalSettings))) as footnote:
        gone = footnote.library.delete(name)
    if as_json:
        print_json({**version_json(gone), "status": "deleted"})
    else:
        typer.echo(f"Deleted {gone.document} (v{gone.version}, {gone.chunks} passages).")


def _tell(report: IngestReport, as_json: bool) -> None:
    if as_json:
        print_json(report_json(report))
    elif report.status == "failed":
        to_stderr(report_line(report))
    else:
        typer.echo(report_line(report))


def _table(versions: Sequence[DocumentVersion]) -> None:
    console = Console() if Console().is_terminal else Console(width=_PIPED_WIDTH)
    table = Table(box=box.SIMPLE_HEAD if console.is_terminal else None, pad_edge=False)
    for column in ("Document", "Version", "Passages", "Pages", "Date", "Visible to", "Tags"):
        table.add_column(column, overflow="fold", justify="right" if column in ("Passages", "Pages") else "left")
    for version in versions:
        table.add_row(
            Text(version.document),
            f"v{version.version}",
            str(version.chunks),
            str(version.pages or ""),
            version.date.isoformat() if version.date else "",
            version.visibility,
            Text(", ".join(version.tags)),
        )
    console.print(table)
