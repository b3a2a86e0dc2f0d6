"""The steps of taking in files to moving bars on standard error."""

import re
from collections.abc import Callable

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from bot.ingest import Ingest
from retrieval.types import IngestReport, SourceFile

_STEP = re.compile(r"(\d+) of (\d+)")
"""How far a step is, in what the library tells of it: pages read, passages embedded."""


class IngestBars:
    """A bar for the files, and one for the pages or passages of the file at hand. Shows nothing where nobody watches.

    Both are gone whenever a file is done, so that results can be printed.
    """

    def __init__(self, files: int) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._files = self._progress.add_task("Files", total=files, visible=files > 1)

    def shown(self, ingest: Ingest, file: SourceFile) -> IngestReport:
        """The report, after showing meanwhile what is being done."""
        step = self._progress.add_task(escape(f"{file.document}: reading"), total=None)
        try:
            with self._progress:
                return ingest(file, progress=self._told(step))
        finally:
            self._progress.remove_task(step)
            self._progress.advance(self._files)

    def _told(self, step: TaskID) -> Callable[[str], None]:
        def tell(text: str) -> None:
            done, total = (int(n) for n in found.groups()) if (found := _STEP.search(text)) else (0, None)
            self._progress.update(step, description=escape(text), completed=done, total=total)

        return tell
