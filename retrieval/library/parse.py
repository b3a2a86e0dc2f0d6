"""A file to a parsed document, by what it holds and not by its name."""

import stat
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import regex

from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.library.cleaning import smuggled
from retrieval.library.encoding import decode
from retrieval.library.hidden import warnings_about
from retrieval.library.kind import OWN_KINDS, kind_of
from retrieval.library.markdown import read_markdown
from retrieval.library.plain import read_plain
from retrieval.ports import DocumentParser
from retrieval.types import HiddenText, ParsedDocument, SourceFile
from retrieval.visible import visible

_LETTER = regex.compile(r"[\p{L}\p{N}]")


class Reader:
    """Reads Markdown and text itself and hands the other kinds to a parser. A DocumentParser."""

    def __init__(self, other: DocumentParser, *, max_file_mb: int = 50) -> None:
        self._other = other
        self._max_bytes = max_file_mb * 1_000_000

    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        """The document, its text cleaned of what nobody sees. Raises DocumentRefused."""
        name = PurePosixPath(file.document).name
        data = self._read(file, name)
        kind = kind_of(data, name)
        if kind in OWN_KINDS:
            read = read_markdown if kind == "Markdown" else read_plain
            text = decode(data, name)
            document = _told(read(visible(text), PurePosixPath(name).stem), smuggled(text))
        else:
            document = self._other.parse(file, progress=progress)
            document = _told(document, smuggled("\n".join(block.text for block in document.blocks)))
        return _with_text(_cleaned(document), name)

    def _read(self, file: SourceFile, name: str) -> bytes:
        try:
            found = file.path.stat()
            if not stat.S_ISREG(found.st_mode):
                raise DocumentRefused(RefusalCause.UNREADABLE, f"“{name}” is not a file.")
            if found.st_size > self._max_bytes:
                limit = self._max_bytes // 1_000_000
                message = f"“{name}” has {found.st_size / 1e6:,.0f} MB; files up to {limit} MB are taken in."
                raise DocumentRefused(RefusalCause.TOO_LARGE, message)
            data = file.path.read_bytes()
        except OSError as error:
            reason = (error.strerror or "unknown error").lower()
            raise DocumentRefused(RefusalCause.UNREADABLE, f"“{name}” cannot be opened: {reason}.") from error
        if not data:
            raise DocumentRefused(RefusalCause.EMPTY, f"“{name}” is empty.")
        return data


def _told(document: ParsedDocument, smuggled: Sequence[HiddenText]) -> ParsedDocument:
    """The document with warnings of what is hidden in it, in invisible characters or otherwise."""
    hidden = (*document.hidden, *smuggled)
    return replace(document, hidden=hidden, warnings=(*warnings_about(hidden), *document.warnings))


def _cleaned(document: ParsedDocument) -> ParsedDocument:
    blocks = (replace(block, text=visible(block.text).strip("\n")) for block in document.blocks)
    title = " ".join(visible(document.title).split())[:300]
    return replace(document, title=title, blocks=tuple(block for block in blocks if block.text.strip()))


def _with_text(document: ParsedDocument, name: str) -> ParsedDocument:
    if not any(_LETTER.search(block.text) for block in document.blocks):
        raise DocumentRefused(RefusalCause.NO_TEXT, f"“{name}” holds no text.")
    return document
