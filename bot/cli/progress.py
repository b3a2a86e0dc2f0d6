"""The steps of taking in a file to a moving line on standard error."""

from rich.console import Console
from rich.markup import escape

from bot.ingest import Ingest
from retrieval.types import IngestReport, SourceFile


def ingest_shown(ingest: Ingest, file: SourceFile) -> IngestReport:
    """The report, after showing meanwhile what is being done. Shows nothing where nobody watches."""
    with Console(stderr=True).status(escape(f"{file.document}: reading")) as status:
        return ingest(file, progress=lambda text: status.update(escape(text)))
