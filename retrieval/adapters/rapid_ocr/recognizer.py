"""Pictures to text."""

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from retrieval.confined import Program, Seconds
from retrieval.types import ParsedDocument, SourceFile

_SECONDS = Seconds(base=60, per_page=20, most=3600)
"""A page takes one to four seconds on two cores that do nothing else."""


class RapidOcr:
    """Reads Chinese, Japanese and languages in Latin letters. A TextRecognizer."""

    def recognise(self, file: SourceFile, pages: Sequence[int], *, progress: Callable[[str], None]) -> ParsedDocument:
        """Paragraphs with their page and the recogniser's confidence. `pages` of a PDF, from 1; none: an image, whose
        frames are its pages. Raises DocumentRefused."""
        program = Program("retrieval.adapters.rapid_ocr", _SECONDS, [str(page) for page in pages])
        suffix = ".pdf" if pages else PurePosixPath(file.document).suffix.lower()
        return program.read(file, suffix, progress)
