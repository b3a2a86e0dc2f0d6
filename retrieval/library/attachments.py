"""The files within a file, read each by itself and put together."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from retrieval.errors import DocumentRefused
from retrieval.types import Block, ParsedDocument, SourceFile

PART_NAMES = "names.json"
"""In a folder of parts: the name of each part, whose file is named by its number; null for the body."""
_DEEPEST = 6


def with_parts(document: ParsedDocument, folder: Path, read: Callable[[SourceFile], ParsedDocument]) -> ParsedDocument:
    """The document followed by its parts, each under its name as heading. What of them cannot be read is told in a
    warning."""
    blocks, warnings, hidden = list(document.blocks), list(document.warnings), list(document.hidden)
    for name, path in _parts(folder):
        label = name or "message.html"
        try:
            part = read(SourceFile(label, path))
        except DocumentRefused as refusal:
            warnings.append(str(refusal))
            continue
        blocks += [Block("heading", name, level=2)] if name else []
        blocks += [_beneath(block, part, 2 if name else 1) for block in part.blocks]
        warnings += [f"{label}: {warning}" for warning in part.warnings]
        hidden += part.hidden
    return replace(document, blocks=tuple(blocks), warnings=tuple(warnings), hidden=tuple(hidden))


def _parts(folder: Path) -> Iterator[tuple[str | None, Path]]:
    if (folder / PART_NAMES).is_file():
        for number, name in enumerate(json.loads((folder / PART_NAMES).read_text("utf-8"))):
            yield name, folder / str(number)


def _beneath(block: Block, part: ParsedDocument, depth: int) -> Block:
    """A block of a part as one of the whole, whose pages are counted by the part where it has pages."""
    page = block.page if part.page_unit == "page" else None
    return replace(block, level=min(block.level + depth, _DEEPEST) if block.level else 0, page=page)
