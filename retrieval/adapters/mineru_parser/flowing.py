"""Within the child process: a file of any kind but PDF to blocks."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from retrieval.adapters.mineru_parser.blocks import blocks_of
from retrieval.adapters.mineru_parser.bold_titles import with_bold_titles
from retrieval.adapters.mineru_parser.engine import Engine, Reading, ReadingFailed
from retrieval.adapters.mineru_parser.hidden_html import without_hidden as html
from retrieval.adapters.mineru_parser.hidden_word import without_hidden as word
from retrieval.adapters.mineru_parser.sheets import sheet_blocks, sheets_of
from retrieval.adapters.mineru_parser.slides import slide_blocks
from retrieval.confined import document_fields, refused_fields
from retrieval.errors import RefusalCause
from retrieval.types import HiddenText, PageUnit, ParsedDocument

_HIDDEN = {".docx": word, ".html": html}
_NOT_SEARCHED = "The file could not be searched for hidden text."
_UNITS: dict[str, PageUnit] = {"slide": "slide", "sheet": "sheet"}


def read_flowing(source: Path, engine: Engine) -> dict[str, Any]:
    """What is said of the document: title and blocks, or the reason why it is refused. Heading levels stay as
    the author set them."""
    seen, hidden, warnings = source, list[HiddenText](), list[str]()
    try:
        if without_hidden := _HIDDEN.get(source.suffix):
            seen, hidden = without_hidden(source)
    except Exception:
        warnings.append(_NOT_SEARCHED)
    try:
        reading = engine.read(seen)
    except ReadingFailed:
        return refused_fields(RefusalCause.CORRUPT)
    document = _document(reading, source, engine.name)
    if not any(letter.isalnum() for block in document.blocks for letter in block.text):
        return refused_fields(RefusalCause.NO_TEXT)
    return document_fields(replace(document, warnings=tuple(warnings), hidden=tuple(hidden)))


def _document(reading: Reading, source: Path, parser: str) -> ParsedDocument:
    """Slides and sheets are its pages; all else has sections alone."""
    unit = _UNITS.get(str(reading.properties.get("page_count_kind")))
    blocks, title = blocks_of(reading.pages if unit else with_bold_titles(reading.pages))
    match unit:
        case "slide":
            return ParsedDocument(title, tuple(slide_blocks(blocks)), parser, len(reading.pages), unit)
        case "sheet":
            rows = sheet_blocks(blocks, sheets_of(source))
            return ParsedDocument(title, tuple(rows), parser, len(reading.pages), unit)
    if source.suffix == ".epub":
        title = str(reading.properties.get("title") or title)
    return ParsedDocument(title, tuple(replace(block, page=None) for block in blocks), parser)
