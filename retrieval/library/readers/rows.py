"""CSV and TSV files."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from retrieval.library.cleaning import smuggled
from retrieval.library.encoding import decode
from retrieval.library.limits import MOST_CHARACTERS
from retrieval.library.readers.tables import table_blocks
from retrieval.types import ParsedDocument
from retrieval.visible import visible

_DELIMITERS = "\t;,|"
_SAMPLE_CHARACTERS = 100_000
_SAMPLE_ROWS = 100
_DECLARED = "sep="
"""Begins the first line of files that Excel wrote for itself."""


def read_rows(source: Path, name: str) -> ParsedDocument:
    """Tables, whatever the encoding and the delimiter."""
    text = decode(source.read_bytes(), name)
    blocks = table_blocks(_rows(visible(text)), name)
    return ParsedDocument(PurePosixPath(name).stem, tuple(blocks), "csv", hidden=tuple(smuggled(text)))


def _rows(text: str) -> Iterator[Sequence[str]]:
    first, _, following = text.partition("\n")
    delimiter = first.removeprefix(_DECLARED).strip("\r\n ") if first.startswith(_DECLARED) else ""
    if len(delimiter) == 1:
        return _read(following, delimiter)
    return _read(text, delimiter_of(text))


def delimiter_of(text: str) -> str:
    """The one that cuts most rows into equally many cells; the one that makes more cells where several do."""
    sample = text[:_SAMPLE_CHARACTERS]
    sample = sample[: sample.rfind("\n")] if len(sample) < len(text) and "\n" in sample else sample
    return max(_DELIMITERS, key=lambda delimiter: _regularity(sample, delimiter))


def _regularity(sample: str, delimiter: str) -> tuple[float, int]:
    widths = [len(row) for row, _ in zip(_read(sample, delimiter), range(_SAMPLE_ROWS), strict=False) if row]
    width, rows = Counter(widths).most_common(1)[0] if widths else (1, 0)
    return (rows / len(widths), width) if width > 1 else (0.0, 0)


def _read(text: str, delimiter: str) -> Iterator[Sequence[str]]:
    """Rows by the usual rules of quoting, or without any where a quotation mark is never closed."""
    csv.field_size_limit(MOST_CHARACTERS)
    closed = text.count('"') % 2 == 0
    return csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if closed else csv.QUOTE_NONE
    )
