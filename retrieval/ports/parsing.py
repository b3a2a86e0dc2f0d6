"""Files and pictures to text."""

from collections.abc import Callable, Sequence
from typing import Protocol

from retrieval.types import (
    ParsedDocument,
    SourceFile,
)


class DocumentParser(Protocol):
    """A file to blocks."""

    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        """Raises DocumentRefused with what is wrong and what to do."""


class TextRecognizer(Protocol):
    """Pictures to text."""

    def recognise(self, file: SourceFile, pages: Sequence[int], *, progress: Callable[[str], None]) -> ParsedDocument:
        """Paragraphs with their page and the confidence of the recogniser. `pages` of a PDF, from 1; none: an image
        file, whose frames are its pages. Raises DocumentRefused."""
