"""Blocks to sections: which text stands under which headings."""

from dataclasses import dataclass, field, replace

from retrieval.text import normalise
from retrieval.types import Block

LONGEST_HEADING = 300
"""Characters; what is longer stands as text, since a heading is told with every passage under it."""


@dataclass(slots=True)
class Section:
    """Text under one heading path. `loose_headings` stood before it and have no text of their own."""

    path: tuple[str, ...]
    blocks: list[Block] = field(default_factory=list)
    loose_headings: list[Block] = field(default_factory=list)


def sections(blocks: tuple[Block, ...]) -> list[Section]:
    """Runs of blocks under one heading path. Headings that lead to no text are kept with the next run."""
    found: list[Section] = []
    open_headings: list[tuple[int, Block]] = []
    with_text = 0
    loose: list[tuple[int, Block]] = []
    for n, block in enumerate(blocks):
        if not normalise(block.text).strip():
            continue
        if block.kind == "heading" and len(block.text) <= LONGEST_HEADING:
            kept = [above for above in open_headings if above[1].level < block.level]
            loose += open_headings[max(len(kept), with_text) :]
            open_headings = [*kept, (n, block)]
            with_text = min(with_text, len(kept))
            continue
        path = tuple(heading.text for _, heading in open_headings)
        if not found or found[-1].path != path or with_text < len(open_headings):
            found.append(Section(path, loose_headings=_in_order(loose)))
            loose = []
        with_text = len(open_headings)
        found[-1].blocks.append(replace(block, kind="paragraph") if block.kind == "heading" else block)
    return _with_last(found, _in_order([*loose, *open_headings[with_text:]]))


def _in_order(numbered: list[tuple[int, Block]]) -> list[Block]:
    return [heading for _, heading in sorted(numbered, key=lambda pair: pair[0])]


def _with_last(sections: list[Section], loose: list[Block]) -> list[Section]:
    """Headings at the end of a document, where no text follows, as text of the last section."""
    texts = [replace(heading, kind="paragraph", level=0) for heading in loose]
    if loose and not sections:
        return [Section((), texts)]
    if loose:
        sections[-1].blocks += texts
    return sections
