"""A file to a parsed document, by what it holds and not by its name."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

import regex

from retrieval.confined import Program
from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.library.admission import Admitted, admitted
from retrieval.library.attachments import with_parts
from retrieval.library.cleaning import smuggled
from retrieval.library.hidden import warnings_about
from retrieval.library.limits import within_limits
from retrieval.library.scans import with_scans_read
from retrieval.ports import DocumentParser, TextRecognizer
from retrieval.types import ParsedDocument, SourceFile
from retrieval.visible import visible

Progress = Callable[[str], None]

CELLS_AT_ONCE = 50_000
"""Of a workbook that the main parser reads in its time: a fifth of it. Larger ones are read row by row."""
MOST_DEPTH = 2
"""Of e-mails attached to e-mails."""
_OWN_KINDS = ("Markdown", "text", "CSV", "e-mail")
_LETTER = regex.compile(r"[\p{L}\p{N}]")


class Reader:
    """Hands each file to what can read it: our own readers, the main parser, the recogniser. A DocumentParser."""

    def __init__(
        self,
        other: DocumentParser,
        recogniser: TextRecognizer,
        *,
        max_file_mb: int = 50,
        other_reads_images: bool = False,
    ) -> None:
        """`other_reads_images`: whether the main parser has models for that; the recogniser then stands in for it."""
        self._other = other
        self._other_reads_images = other_reads_images
        self._recogniser = recogniser
        self._max_bytes = max_file_mb * 1_000_000

    def parse(self, file: SourceFile, *, progress: Progress) -> ParsedDocument:
        """The document, its text cleaned of what nobody sees, and of an e-mail the files that came with it.

        Raises DocumentRefused, also when there is no text in it.
        """
        return self._with_parts(file, progress, depth=0)

    def _with_parts(self, file: SourceFile, progress: Progress, depth: int) -> ParsedDocument:
        with TemporaryDirectory(prefix="footnote-") as folder:
            parts = Path(folder) / "parts"
            document = self._alone(file, progress, parts)
            if not parts.exists():
                return document
            if depth == MOST_DEPTH:
                told = "What is attached to it was not read: it is an e-mail within an e-mail within an e-mail."
                return replace(document, warnings=(*document.warnings, told))
            return with_parts(document, parts, lambda part: self._with_parts(part, progress, depth + 1))

    def _alone(self, file: SourceFile, progress: Progress, parts: Path) -> ParsedDocument:
        """Without the files within it, which go to the folder `parts`."""
        name = PurePosixPath(file.document).name
        found = admitted(file, self._max_bytes)
        if found.kind in _OWN_KINDS or found.cells > CELLS_AT_ONCE:
            own = Program("retrieval.library.readers", arguments=(found.kind, name), warm=True)
            document = own.read(file, "", progress, parts)
        else:
            document = self._by_others(file, found, progress)
            seen = smuggled("\n".join(block.text for block in document.blocks))
            blocks = within_limits(document.blocks, name)
            document = replace(document, blocks=blocks, hidden=(*document.hidden, *seen))
        return _with_text(_cleaned(document, found), name)

    def _by_others(self, file: SourceFile, found: Admitted, progress: Progress) -> ParsedDocument:
        if found.kind == "image":
            return self._of_image(file, progress)
        document = self._other.parse(file, progress=progress)
        return with_scans_read(document, file, self._recogniser, progress)

    def _of_image(self, file: SourceFile, progress: Progress) -> ParsedDocument:
        if self._other_reads_images:
            with suppress(DocumentRefused):
                return self._other.parse(file, progress=progress)
        return self._recogniser.recognise(file, (), progress=progress)


def _cleaned(document: ParsedDocument, found: Admitted) -> ParsedDocument:
    """With nothing that nobody sees, and warnings of what is hidden in it."""
    blocks = (replace(block, text=visible(block.text).strip("\n")) for block in document.blocks)
    return replace(
        document,
        title=" ".join(visible(document.title).split())[:300],
        blocks=tuple(block for block in blocks if block.text.strip()),
        warnings=(*found.warnings, *warnings_about(document.hidden), *document.warnings),
    )


def _with_text(document: ParsedDocument, name: str) -> ParsedDocument:
    if not any(_LETTER.search(block.text) for block in document.blocks):
        raise DocumentRefused(RefusalCause.NO_TEXT, f"“{name}” holds no text.")
    return document
