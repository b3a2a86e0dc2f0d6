"""Rows of cells to tables that a passage can be cited from by its rows."""

from collections.abc import Iterable, Iterator, Sequence

import regex

from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.library.limits import MOST_CHARACTERS, too_long
from retrieval.types import Block

ROWS_TOGETHER = 40
MOST_COLUMNS = 16_384
"""As in Excel."""
_MOST_ROWS_ABOVE = 10
_NUMBER = regex.compile(r"[\p{Sc}\p{N}.,:/'%+\s-]*")

Row = tuple[int, list[str]]
"""Its number in the file, from 1, and its cells."""


def table_blocks(rows: Iterable[Sequence[str]], name: str, *, page: int | None = None, level: int = 1) -> list[Block]:
    """Tables of some rows each under their header, headed “Rows 2-41” where there are several.

    Lines of a single cell above the header are paragraphs. Where there is no header the columns are lettered, as
    spreadsheets do. Blank rows are left out, and what is blank at the end of others.
    """
    filled = list(_filled(rows, name))
    table_at = next(
        (n for n, (_, cells) in enumerate(filled[:_MOST_ROWS_ABOVE]) if len(list(filter(None, cells))) > 1), 0
    )
    above = [Block("paragraph", "".join(cells), page=page) for _, cells in filled[:table_at]]
    header, body = _with_header(filled[table_at:])
    if not body:
        return [*above, *([Block("table", _table(header, []), page=page)] if header else [])]
    groups = [body[start : start + ROWS_TOGETHER] for start in range(0, len(body), ROWS_TOGETHER)]
    if len(groups) == 1:
        return [*above, Block("table", _table(header, groups[0]), page=page)]
    headed = ((f"Rows {group[0][0]}-{group[-1][0]}", _table(header, group)) for group in groups)
    return above + [
        block
        for heading, table in headed
        for block in (Block("heading", heading, level=level, page=page), Block("table", table, page=page))
    ]


def _filled(rows: Iterable[Sequence[str]], name: str) -> Iterator[Row]:
    """Rows that hold something, in one line and without bars that would end a cell."""
    characters = 0
    for number, row in enumerate(rows, 1):
        cells = [" ".join(cell.split()).replace("|", "\\|") for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        if len(cells) > MOST_COLUMNS:
            message = f"“{name}” has a row of more than {MOST_COLUMNS:,} cells. Split it by columns."
            raise DocumentRefused(RefusalCause.TOO_LARGE, message)
        characters += sum(map(len, cells)) + 3 * len(cells)
        if characters > MOST_CHARACTERS:
            raise too_long(name)
        if cells:
            yield number, cells


def _with_header(rows: Sequence[Row]) -> tuple[list[str], Sequence[Row]]:
    """The names of the columns, and the rows under them."""
    if not rows:
        return [], []
    width = max(len(cells) for _, cells in rows)
    first = rows[0][1]
    if all(_NUMBER.fullmatch(cell) for cell in first):
        return [_letters(column) for column in range(width)], rows
    return first + [""] * (width - len(first)), rows[1:]


def _table(header: Sequence[str], rows: Sequence[Row]) -> str:
    width = len(header)
    lines = [header, ["---"] * width, *(cells + [""] * (width - len(cells)) for _, cells in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _letters(column: int) -> str:
    """A, B, … Z, AA, …"""
    return (_letters(column // 26 - 1) if column >= 26 else "") + chr(ord("A") + column % 26)
