"""`footnote kb`: the documents of the knowledge base, listed, deleted, restored and handed out."""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.cli.ingest import ingest
from bot.cli.output import print_json, version_json
from bot.cli.reembed import reembed
from bot.cli.show import export, show
from bot.report_lines import counted
from retrieval.settings import RetrievalSettings, load
from retrieval.types import RESTORABLE, DocumentVersion

if TYPE_CHECKING:
    from retrieval.build import Library

_PIPED_WIDTH = 160

_Json = Annotated[bool, typer.Option("--json", help="JSON Lines on standard output.")]
_Name = Annotated[str, typer.Argument(help="The document, named as `kb list` names it.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(ingest)
    kb = typer.Typer(help="The documents of the knowledge base.", no_args_is_help=True)
    kb.command("list")(list_documents)
    kb.command("show")(show)
    kb.command("export")(export)
    kb.command("delete")(delete)
    kb.command("restore")(restore)
    kb.command("reembed")(reembed)
    app.add_typer(kb, name="kb")


@contextmanager
def _library() -> Iterator["Library"]:
    from retrieval.build import build  # loads the models, which --help does not need

    with closing(build(load(RetrievalSettings))) as footnote:
        yield footnote.library


def list_documents(
    deleted: Annotated[bool, typer.Option("--deleted", help="Those that can be restored instead.")] = False,
    as_json: _Json = False,
) -> None:
    """List the documents."""
    with _library() as library:
        versions = sorted(library.deleted() if deleted else library.list(), key=lambda v: v.document.casefold())
    if as_json:
        for version in versions:
            print_json(version_json(version))
    elif versions:
        _table(versions, deleted=deleted)
    elif deleted:
        typer.echo(f"Nothing was deleted within the last {RESTORABLE.days} days.")
    else:
        typer.echo("No documents yet. Add some with: footnote ingest PATH")


def delete(name: _Name, as_json: _Json = False) -> None:
    """Take a document out of the knowledge base. It can be restored for 30 days."""
    with _library() as library:
        gone = library.delete(name)
    if as_json:
        print_json(version_json(gone))
    else:
        typer.echo(
            f"Deleted {gone.document} (v{gone.version}, {counted(gone.chunks, 'passage')}). "
            f"For {RESTORABLE.days} days it can be taken back: footnote kb restore {shlex.quote(gone.document)}"
        )


def restore(name: _Name, as_json: _Json = False) -> None:
    """Take a deletion back: the document is there again, in all its versions."""
    with _library() as library:
        back = library.restore(name)
    if as_json:
        print_json(version_json(back))
    else:
        typer.echo(f"Restored {back.document} (v{back.version}, {counted(back.chunks, 'passage')}).")


def _table(versions: Sequence[DocumentVersion], *, deleted: bool) -> None:
    console = Console() if Console().is_terminal else Console(width=_PIPED_WIDTH)
    table = Table(box=box.SIMPLE_HEAD if console.is_terminal else None, pad_edge=False)
    last = "Until" if deleted else "Tags"
    for column in ("Document", "Version", "Passages", "Pages", "Date", "Visible to", last):
        table.add_column(column, overflow="fold", justify="right" if column in ("Passages", "Pages") else "left")
    for version in versions:
        restorable = version.removed_at and (version.removed_at + RESTORABLE).date().isoformat()
        table.add_row(
            Text(version.document),
            f"v{version.version}",
            str(version.chunks),
            str(version.pages or ""),
            version.date.isoformat() if version.date else "",
            version.visibility,
            Text(restorable or "" if deleted else ", ".join(version.tags)),
        )
    console.print(table)
