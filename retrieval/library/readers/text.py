"""Text and Markdown files."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath

from retrieval.library.cleaning import smuggled
from retrieval.library.encoding import decode
from retrieval.library.limits import MOST_CHARACTERS, too_long
from retrieval.library.markdown import read_markdown
from retrieval.library.plain import read_plain
from retrieval.types import ParsedDocument
from retrieval.visible import visible


def read_text_file(source: Path, name: str) -> ParsedDocument:
    """Paragraphs and lists."""
    return read_text(decode(source.read_bytes(), name), name, read_plain)


def read_markdown_file(source: Path, name: str) -> ParsedDocument:
    """All that Markdown knows, without what its readers do not see."""
    return read_text(decode(source.read_bytes(), name), name, read_markdown)


def read_text(text: str, name: str, read: Callable[[str, str], ParsedDocument]) -> ParsedDocument:
    """The text as `read` has it, with what is hidden in characters that nobody sees."""
    if len(text) > MOST_CHARACTERS:
        raise too_long(name)
    document = read(visible(text), PurePosixPath(name).stem)
    return replace(document, hidden=(*document.hidden, *smuggled(text)))
