"""`footnote kb show` and `kb export`: what the knowledge base holds of a document, and of all of them."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import typer

from bot.cli.output import Json, json_line, passage_json, print_json, to_stderr, version_json
from bot.cli.show_output import show_json, show_lines
from bot.report_lines import counted
from retrieval.errors import FootnoteError
from retrieval.settings import RetrievalSettings, load
from retrieval.types import DocumentVersion, Passage


def show(
    name: Annotated[str, typer.Argument(help="The document, named as `kb list` names it.")],
    version: Annotated[
        int | None, typer.Option(min=1, help="An earlier version.", show_default="the current one")
    ] = None,
    chunk: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the whole text of the nth passage.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Show a document: its versions, outline, passages, and what was noted when it was read."""
    from retrieval.build import build  # loads the models, which --help does not need

    with closing(build(load(RetrievalSettings))) as footnote:
        versions = footnote.library.versions(name)
        shown = _numbered(versions, version)
        passages = footnote.library.passages(shown)
    if chunk is not None:
        _show_passage(shown, passages, chunk, as_json)
    elif as_json:
        print_json(show_json(shown, versions, passages))
    else:
        typer.echo("\n".join(show_lines(shown, versions, passages)))


def _numbered(versions: Sequence[DocumentVersion], number: int | None) -> DocumentVersion:
    if number is None:
        return versions[-1]
    found = next((version for version in versions if version.version == number), None)
    if found is None:
        there = ", ".join(str(version.version) for version in versions)
        raise FootnoteError(f"{versions[-1].document} has no version {number}; there are: {there}.")
    return found


def _show_passage(version: DocumentVersion, passages: Sequence[Passage], n: int, as_json: bool) -> None:
    if n > len(passages):
        raise FootnoteError(
            f"{version.document} (v{version.version}) has {counted(len(passages), 'passage')}, and no passage {n}."
        )
    if as_json:
        print_json(passage_json(n, passages[n - 1]))
    else:
        typer.echo(passages[n - 1].text)


def export(
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write.", show_default="standard output")
    ] = None,
) -> None:
    """Write all passages of the current documents as JSON Lines, each with its place and who may see it."""
    from retrieval.build import build  # loads the models, which --help does not need

    with closing(build(load(RetrievalSettings))) as footnote, _written(out) as file:
        library, count = footnote.library, 0
        for version in library.list():
            about = _about(version)
            for n, passage in enumerate(library.passages(version), start=1):
                file.write(json_line({**about, **passage_json(n, passage)}))
                count += 1
    to_stderr(f"exported {counted(count, 'passage')}")


def _about(version: DocumentVersion) -> Json:
    """What of a version makes its passages readable elsewhere."""
    kept = ("document", "version", "title", "visibility", "tags", "date", "owner", "page_unit", "ingested_at")
    told = version_json(version)
    return {key: told[key] for key in kept}


@contextmanager
def _written(out: Path | None) -> Iterator[TextIO]:
    """Standard output, or a file that is there only once it is whole."""
    if out is None:
        yield sys.stdout
        sys.stdout.flush()
        return
    draft = out.with_name(f".{out.name}.new")
    try:
        with draft.open("w", encoding="utf-8") as file:
            yield file
        draft.replace(out)
    except OSError as error:
        raise FootnoteError(f"{out} cannot be written: {(error.strerror or 'unknown error').lower()}.") from error
    finally:
        draft.unlink(missing_ok=True)
