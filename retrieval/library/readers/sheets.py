"""Workbooks too large for the main parser, row by row."""

import datetime as dt
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any

from retrieval.library.limits import within_limits
from retrieval.library.readers.tables import table_blocks
from retrieval.types import Block, ParsedDocument


def read_sheets(source: Path, name: str) -> ParsedDocument:
    """Each sheet that is shown: its name as heading and its rows in tables. Its number is the page."""
    # Few workbooks are that large: the others should not wait for it to load.
    import openpyxl

    with source.open("rb") as file:
        workbook = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
        shown = [sheet for sheet in workbook.worksheets if sheet.sheet_state == "visible"]
        blocks = within_limits(chain.from_iterable(_sheet(sheet, n, name) for n, sheet in enumerate(shown, 1)), name)
    parser = f"openpyxl-{openpyxl.__version__}"
    return ParsedDocument(PurePosixPath(name).stem, blocks, parser, len(shown), page_unit="sheet")


def _sheet(sheet: Any, number: int, name: str) -> Iterator[Block]:
    sheet.reset_dimensions()  # what the file says of them may be wrong
    tables = table_blocks(map(_cells, sheet.iter_rows(values_only=True)), name, page=number, level=2)
    if tables:
        yield Block("heading", sheet.title, level=1, page=number)
        yield from tables


def _cells(row: Sequence[Any]) -> list[str]:
    return [_shown(value) for value in row]


def _shown(value: object) -> str:
    """A value as a sheet shows it, days without a time of day."""
    match value:
        case None:
            return ""
        case dt.datetime() if value.time() == dt.time.min:
            return value.date().isoformat()
        case float() if value.is_integer():
            return str(int(value))
        case _:
            return str(value)
