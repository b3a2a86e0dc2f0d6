"""Within the child process: a Word or HTML file, which has no pages, to blocks with sections alone."""

from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from retrieval.adapters.mineru_parser.blocks import blocks_of
from retrieval.adapters.mineru_parser.hidden_html import without_hidden as html
from retrieval.adapters.mineru_parser.hidden_word import without_hidden as word
from retrieval.confined import document_fields, refused_fields
from retrieval.errors import RefusalCause
from retrieval.types import HiddenText, ParsedDocument

PARSER = f"mineru-flash-{version('mineru')}"
_NOT_SEARCHED = "The file could not be searched for hidden text."


def read_flowing(source: Path) -> dict[str, Any]:
    """What is said of the document: title and blocks, or the reason why it is refused. Heading levels stay as
    the author set them."""
    # MinerU takes a second to import, and the reader of PDFs does without it for files it refuses.
    from mineru.parser import parse

    warnings, hidden = [], list[HiddenText]()
    try:
        source, hidden = (word if source.suffix == ".docx" else html)(source)
    except Exception:
        warnings.append(_NOT_SEARCHED)
    try:
        pages = parse(source, tier="flash").middle_json.pages
        read = [page.to_dict(exclude_block_fields={"image_base64"}) for page in pages]
    except Exception:
        return refused_fields(RefusalCause.CORRUPT)
    blocks, title = blocks_of(read)
    if not any(letter.isalnum() for block in blocks for letter in block.text):
        return refused_fields(RefusalCause.NO_TEXT)
    unpaged = tuple(replace(block, page=None) for block in blocks)
    return document_fields(ParsedDocument(title, unpaged, PARSER, warnings=tuple(warnings), hidden=tuple(hidden)))
