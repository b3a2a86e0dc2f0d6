"""HTML tables to GitHub-flavoured Markdown tables."""

from html.parser import HTMLParser

_WIDEST = 200
_LONGEST = 20_000
_BETWEEN = {"br": " ", "p": " ", "li": " ", "div": " ", "eq": "$"}
"""What stands where a tag within a cell opens or closes; formulas have dollar signs around them."""


class _Grid(HTMLParser):
    """Collects a table's cells row by row, each spanned place filled with the cell's text."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[dict[int, str]] = []
        self._below: dict[int, tuple[int, str]] = {}
        self._span = (1, 1)
        self._text: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr" and len(self.rows) < _LONGEST:
            self._close_cell()
            self.rows.append({column: text for column, (_, text) in self._below.items()})
            self._below = {column: (left - 1, text) for column, (left, text) in self._below.items() if left > 1}
        elif tag in ("td", "th"):
            self._close_cell()
            given = dict(attrs)
            self._span = (_count(given.get("colspan")), _count(given.get("rowspan")))
            self._text = []
        elif self._text is not None:
            self._text.append(_BETWEEN.get(tag, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self._close_cell()
        elif self._text is not None:
            self._text.append(_BETWEEN.get(tag, ""))

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def _close_cell(self) -> None:
        if self._text is None:
            return
        text = " ".join("".join(self._text).split()).replace("|", "\\|")
        self._text = None
        if not self.rows:
            self.rows.append({})
        row = self.rows[-1]
        start = next(column for column in range(_WIDEST + len(row) + 1) if column not in row)
        for column in range(start, min(start + self._span[0], _WIDEST)):
            row[column] = text
            if self._span[1] > 1:
                self._below[column] = (self._span[1] - 1, text)


def _count(value: str | None) -> int:
    return min(int(value), _WIDEST) if value and value.isdigit() and int(value) > 0 else 1


def table_of(html: str) -> str:
    """The table as Markdown, its first row as the header; "" for one without text.

    A cell that spans several rows or columns stands in each of them, so that every row can be read alone.
    """
    grid = _Grid()
    grid.feed(html)
    grid.close()
    rows = [row for row in grid.rows if any(row.values())]
    width = max((max(row) + 1 for row in rows), default=0)
    lines = ["| " + " | ".join(row.get(column, "") for column in range(width)) + " |" for row in rows]
    return "\n".join([*lines[:1], "|" + " --- |" * width, *lines[1:]]) if lines else ""


def header_of(table: str) -> str:
    """The first row of a Markdown table."""
    return table.split("\n", 1)[0]
