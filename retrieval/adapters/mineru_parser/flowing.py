"""Within the child process: a Word or HTML file, which has no pages, to blocks with sections alone."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from retrieval.adapters.mineru_parser.blocks import blocks_of
from retrieval.errors import RefusalCause


def read_flowing(source: Path) -> dict[str, Any]:
    """What is said of the document: title and blocks, or the reason why it is refused. Heading levels stay as
    the author set them."""
    # MinerU takes a second to import, and the reader of PDFs does without it for files it refuses.
    from mineru.parser import parse

    try:
        pages = parse(source, tier="flash").middle_json.pages
        read = [page.to_dict(exclude_block_fields={"image_base64"}) for page in pages]
    except Exception:
        return {"refused": RefusalCause.CORRUPT}
    blocks, title = blocks_of(read)
    if not any(letter.isalnum() for block in blocks for letter in block.text):
        return {"refused": RefusalCause.NO_TEXT}
    return {
        "title": title,
        "pages": None,
        "blocks": [asdict(replace(block, page=None)) for block in blocks],
        "warnings": [],
    }
