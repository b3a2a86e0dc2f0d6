"""Within the child process: the slides of a presentation to blocks."""

import itertools
from collections.abc import Iterable
from dataclasses import replace

from retrieval.types import Block


def slide_blocks(blocks: Iterable[Block]) -> list[Block]:
    """Each slide under its title, or its number where it has none, with what the speaker is to say as a note."""
    found: list[Block] = []
    for page, members in itertools.groupby(blocks, key=lambda block: block.page):
        slide = [replace(block, kind="note") if block.kind == "footnote" else block for block in members]
        title = next((block for block in slide if block.kind == "heading"), None)
        found.append(title or Block("heading", f"Slide {page}", level=2, page=page))
        found += [block for block in slide if block is not title]
    return found
