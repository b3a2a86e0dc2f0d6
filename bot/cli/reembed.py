"""`footnote kb reembed`: the documents to vectors of the embedding model that is configured now."""

from contextlib import closing
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from bot.cli.output import print_json, to_stderr
from bot.report_lines import counted
from bot.sources import page_words
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Passage, ReembedReport, RefusedPassage


def reembed(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Embed all documents by the embedding model that is configured now, also beside a running bot.

    What is done is kept: stopped halfway, the next run does the rest. Exit code 1 when any passage was refused.
    """
    from retrieval.build import build  # loads the models, which --help does not need

    with closing(build(load(RetrievalSettings))) as footnote, Console(stderr=True).status("Embedding") as status:
        report = footnote.reembedding.run(progress=lambda text: status.update(escape(f"Embedding: {text}")))
    if as_json:
        print_json(_report_json(report))
    else:
        typer.echo(_report_line(report))
    for refused in report.refused:
        to_stderr(f"{_place(refused.passage)}: {refused.why}")
    if report.refused:
        to_stderr(
            f"{counted(len(report.refused), 'passage')} without a vector, found by keywords alone: do as said above"
            " and run footnote kb reembed again, or delete what nobody needs with footnote kb delete"
        )
    raise typer.Exit(int(bool(report.refused)))


def _report_line(report: ReembedReport) -> str:
    if not report.passages and not report.refused:
        return f"Nothing to do: all passages have vectors of {report.model}."
    return (
        f"Embedded {counted(report.passages, 'passage')} of {counted(report.documents, 'document')}"
        f" with {report.model}."
    )


def _place(passage: Passage) -> str:
    return ", ".join(filter(None, [passage.document, page_words(passage)]))


def _report_json(report: ReembedReport) -> dict[str, Any]:
    return {
        "model": report.model,
        "passages": report.passages,
        "documents": report.documents,
        "refused": [_refused_json(refused) for refused in report.refused],
    }


def _refused_json(refused: RefusedPassage) -> dict[str, Any]:
    passage = refused.passage
    return {
        "document": passage.document,
        "chunk_id": passage.chunk_id,
        "section": " > ".join(passage.section) or None,
        "page": passage.page,
        "message": refused.why,
    }
