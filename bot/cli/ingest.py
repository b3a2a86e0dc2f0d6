"""`footnote ingest`: files to documents of the knowledge base."""

import dataclasses
import datetime as dt
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.output import print_json, report_json, report_line, to_stderr, version_json
from bot.cli.progress import IngestBars
from bot.cli.serve import stop_on_signals
from bot.cli.watch import FolderWatch
from bot.ingest import Ingest
from retrieval.errors import DocumentNotFound, DocumentRefused, ServiceUnavailable
from retrieval.settings import RetrievalSettings, load
from retrieval.types import ADMINS, EVERYONE, IngestReport, SourceFile

if TYPE_CHECKING:
    from retrieval.build import Library


class Visibility(StrEnum):
    """Who may see answers from a document."""

    EVERYONE = EVERYONE
    ADMINS = ADMINS


@dataclass(frozen=True)
class _Said:
    """What the command says of every file."""

    visibility: str | None
    tags: tuple[str, ...] | None
    date: dt.date | None
    owner: str | None
    replaces: str | None

    def of(self, file: SourceFile) -> SourceFile:
        return dataclasses.replace(file, **dataclasses.asdict(self))


def ingest(
    paths: Annotated[list[Path] | None, typer.Argument(help="Files, and folders to walk.")] = None,
    visibility: Annotated[
        Visibility | None,
        typer.Option(help="Who may see answers from them.", show_default="as it is; new documents: everyone"),
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option(help="A tag; may be repeated.", show_default="as they are; new documents: none")
    ] = None,
    date: Annotated[
        dt.datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Date of the documents.", show_default="as their text or name tells"),
    ] = None,
    owner: Annotated[str | None, typer.Option(help="Who answers for them.", show_default="as it is")] = None,
    replace: Annotated[
        str | None, typer.Option(metavar="NAME", help="The document whose next version the one file is.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would happen, and write nothing.")] = False,
    watch: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Take in a folder, then what is new or changed in it, until Ctrl-C."),
    ] = None,
    delete: Annotated[
        bool, typer.Option("--delete", help="With --watch: delete the documents of files that are deleted.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines on standard output.")] = False,
) -> None:
    """Take in documents, also beside a running bot. Exit code 1 when any file was refused."""
    from retrieval.build import build  # loads the models, which --help does not need

    _refuse_senseless(paths or [], watch, replace, dry_run=dry_run, delete=delete)
    tags, day = tuple(tag) if tag else None, date.date() if date else None
    said = _Said(visibility.value if visibility else None, tags, day, owner, replace)
    with closing(build(load(RetrievalSettings))) as footnote:
        library = footnote.library
        if watch is None:
            found = [one if isinstance(one, IngestReport) else said.of(one) for one in _found(paths or [])]
            failed = _all_taken_in(library.preview if dry_run else library.ingest, found, as_json)
            raise typer.Exit(int(failed))
        _watched(library, watch, said, delete=delete, as_json=as_json)


def _refuse_senseless(
    paths: Sequence[Path], watch: Path | None, replace: str | None, *, dry_run: bool, delete: bool
) -> None:
    wrong = {
        "name PATHs to take in, or a folder to --watch": not paths and watch is None,
        "--watch takes no PATHs, --replace or --dry-run beside it": watch and (paths or replace or dry_run),
        "--watch needs a folder": watch and not watch.is_dir(),
        "--replace needs exactly one file": replace and (len(paths) != 1 or paths[0].is_dir()),
        "--delete goes with --watch": delete and watch is None,
    }
    for message, is_so in wrong.items():
        if is_so:
            raise typer.BadParameter(message)


def _all_taken_in(ingest: Ingest, found: Sequence[SourceFile | IngestReport], as_json: bool) -> bool:
    """Tells what became of each file; whether any was refused."""
    failed, bars = False, IngestBars(len(found))
    for one in found:
        report = one if isinstance(one, IngestReport) else taken_in(ingest, one, bars)
        failed |= report.status == "failed"
        _tell(report, as_json)
    return failed


def taken_in(ingest: Ingest, file: SourceFile, bars: IngestBars) -> IngestReport:
    """What became of the file. That a service failed for one is no reason to leave out the next."""
    try:
        return bars.shown(ingest, file)
    except ServiceUnavailable as error:
        return _failed(file.path, file.document, f"{file.document} was not taken in: {error}")


def _watched(library: "Library", folder: Path, said: _Said, *, delete: bool, as_json: bool) -> None:
    from retrieval.build import documents_in

    def gone(document: str) -> bool:
        try:
            deleted = library.delete(document)
        except DocumentNotFound:  # refused when it was there, or deleted by someone else
            return True
        except ServiceUnavailable as error:
            to_stderr(str(error))
            return False
        print_json(version_json(deleted)) if as_json else typer.echo(f"Deleted {document}: its file is gone.")
        return True

    stop = stop_on_signals()
    watching = FolderWatch(
        list_files=lambda: [said.of(file) for file in documents_in(folder)],
        take_in=lambda file: taken_in(library.ingest, file, IngestBars(1)),
        tell=lambda report: _tell(report, as_json),
        delete=gone if delete else None,
    )
    watching.catch_up(stop)
    to_stderr(f"watching {folder}; Ctrl-C stops")
    watching.follow(folder, stop)


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


def _tell(report: IngestReport, as_json: bool) -> None:
    if as_json:
        print_json(report_json(report))
    elif report.status == "failed":
        to_stderr(report_line(report))
    else:
        typer.echo(report_line(report))
