"""Pages that are pictures to text, page by page where a document has no other."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from retrieval.errors import DocumentRefused
from retrieval.ports import TextRecognizer
from retrieval.types import Block, ParsedDocument, SourceFile, listed_pages


def with_scans_read(
    document: ParsedDocument, file: SourceFile, recogniser: TextRecognizer, progress: Callable[[str], None]
) -> ParsedDocument:
    """The document with the text of its unread pages, each in its place; `unread` are then those that stay so, of
    which a warning tells."""
    if not document.unread:
        return document
    try:
        found = recogniser.recognise(file, document.unread, progress=progress)
    except DocumentRefused as refused:
        return replace(document, warnings=(*document.warnings, f"Scanned pages could not be read: {refused}"))
    read = {block.page for block in found.blocks}
    unread = tuple(page for page in document.unread if page not in read)
    return replace(
        document,
        blocks=tuple(sorted((*document.blocks, *found.blocks), key=_page)),
        parser=f"{document.parser}, {found.parser}",
        unread=unread,
        warnings=(*document.warnings, *found.warnings, *_told(unread)),
    )


def _told(unread: Sequence[int]) -> list[str]:
    if not unread:
        return []
    return [f"Nothing could be read on {listed_pages(unread)}: pictures without text."]


def _page(block: Block) -> int:
    return block.page or 0
