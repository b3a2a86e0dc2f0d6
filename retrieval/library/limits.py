"""How much text a document may hold."""

from collections.abc import Iterable

from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.types import Block

MOST_CHARACTERS = 5_000_000
"""Of a document: two thousand pages. Cutting and embedding it takes minutes."""


def within_limits(blocks: Iterable[Block], name: str) -> tuple[Block, ...]:
    """All blocks. Raises DocumentRefused as soon as they are too many."""
    found: list[Block] = []
    characters = 0
    for block in blocks:
        found.append(block)
        characters += len(block.text)
        if characters > MOST_CHARACTERS:
            raise too_long(name)
    return tuple(found)


def too_long(name: str) -> DocumentRefused:
    most = MOST_CHARACTERS // 1_000_000
    return DocumentRefused(
        RefusalCause.TOO_LARGE,
        f"“{name}” holds more than {most} million characters of text. Leave out what nobody asks for, or split it.",
    )
