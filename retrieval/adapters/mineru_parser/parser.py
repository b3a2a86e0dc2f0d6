"""A PDF, Word or HTML file to a parsed document, by MinerU in a child process."""

from collections.abc import Callable
from pathlib import Path

from retrieval.confined import USUAL, Program, Seconds
from retrieval.types import ParsedDocument, SourceFile


class MinerUParser:
    """Reads PDFs with a text layer, Word files and HTML, told apart by their first bytes. A DocumentParser."""

    def __init__(self, seconds: Seconds = USUAL) -> None:
        self._program = Program("retrieval.adapters.mineru_parser", seconds)

    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        """Blocks, with page numbers from 1 where the file has pages. Raises DocumentRefused."""
        return self._program.read(file, _suffix(file.path), progress)


def _suffix(path: Path) -> str:
    """Under which MinerU takes the file: it goes by the name too."""
    with path.open("rb") as file:
        start = file.read(1024)
    if b"%PDF-" in start:
        return ".pdf"
    return ".docx" if start.startswith(b"PK") else ".html"
