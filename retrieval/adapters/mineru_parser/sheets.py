"""Within the child process: a workbook's pages, one for each sheet that is shown, to blocks that tell their rows."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from retrieval.types import Block

ROWS_TOGETHER = 40
_MOST_ROWS_ABOVE = 10
"""Of a single cell each: they are the table's title and what is said about it."""
_MIDNIGHT = re.compile(r"(?<=\b\d{4}-\d\d-\d\d) 00:00:00\b")
"""Days come with a time of day."""
_CELL_END = re.compile(r"(?<!\\) \| ")


Row = tuple[int, frozenset[str]]
"""Its number in the sheet, from 1, and what its cells say, as a table says it."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet's name, and those of its rows that hold something."""

    name: str
    rows: Sequence[Row]


def sheets_of(source: Path) -> list[Sheet]:
    """The sheets that are shown, none where the file is no workbook that can be looked into."""
    # Only workbooks should wait for it to load.
    import openpyxl

    if source.suffix != ".xlsx":
        return []
    try:
        workbook = openpyxl.load_workbook(source, read_only=True, data_only=True, keep_links=False)
        shown = [sheet for sheet in workbook.worksheets if sheet.sheet_state == "visible"]
        return [Sheet(sheet.title, _rows(sheet)) for sheet in shown]
    except Exception:  # MinerU repairs some that openpyxl alone does not read
        return []


def _rows(sheet: Any) -> list[Row]:
    sheet.reset_dimensions()  # what the file says of them may be wrong
    told = (frozenset(_told(cell) for cell in row if cell is not None) for row in sheet.iter_rows(values_only=True))
    return [(number, cells) for number, cells in enumerate(told, 1) if cells]


def _told(cell: object) -> str:
    return _MIDNIGHT.sub("", " ".join(str(cell).split()))


def sheet_blocks(blocks: Iterable[Block], sheets: Sequence[Sheet]) -> list[Block]:
    """Each sheet under its name; long tables in groups of rows, each under its header and a heading "Rows 2-41"."""
    found: list[Block] = []
    for page, members in itertools.groupby(blocks, key=lambda block: block.page or 0):
        first, *others = members
        sheet = sheets[page - 1] if page <= len(sheets) else Sheet("", ())
        if first.kind == "heading":
            found.append(replace(first, level=1))
        else:
            found += [Block("heading", sheet.name, level=1, page=page)] if sheet.name else []
            others.insert(0, first)
        end = 0
        for block in others:
            if block.kind == "table":
                parts, end = _grouped(replace(block, text=_MIDNIGHT.sub("", block.text)), sheet.rows, end)
                found += parts
            else:
                found.append(block)
    return found


def _grouped(table: Block, rows: Sequence[Row], start: int) -> tuple[list[Block], int]:
    """The parts of the table, its title apart, and where in `rows` it ends.

    It is looked for from `start`, then from the top: tables may stand side by side.
    """
    first, rule, *others = table.text.split("\n")
    lines = [first, *others]
    places = _places(lines, rows, start) or _places(lines, rows, 0)
    end = places[-1] + 1 if places else start
    above = next((n for n, line in enumerate(lines[:_MOST_ROWS_ABOVE]) if len(_cells(line)) > 1), 0)
    found = [Block("paragraph", " ".join(_cells(line)), page=table.page) for line in lines[:above]]
    header, *body = lines[above:]
    if not places or len(body) <= ROWS_TOGETHER:
        return [*found, replace(table, text="\n".join([header, rule, *body]))], end
    for at in range(0, len(body), ROWS_TOGETHER):
        group = body[at : at + ROWS_TOGETHER]
        numbers = [rows[place][0] for place in places[above + 1 + at :][: len(group)]]
        found.append(Block("heading", f"Rows {numbers[0]}-{numbers[-1]}", level=2, page=table.page))
        found.append(replace(table, text="\n".join([header, rule, *group])))
    return found, end


def _cells(line: str) -> set[str]:
    """What the cells of a row say that say something."""
    return {cell.replace("\\|", "|") for cell in _CELL_END.split(line[2:-2])} - {""}


def _places(lines: Sequence[str], rows: Sequence[Row], start: int) -> list[int]:
    """Where in `rows` each of the lines of a table is, [] unless all are there in their order."""
    found = []
    at = start
    for line in lines:
        cells = _cells(line)
        # A cell that spans rows stands in the first of them only.
        while at < len(rows) and 2 * len(cells & rows[at][1]) < len(cells):
            at += 1
        if at == len(rows):
            return []
        found.append(at)
        at += 1
    return found
