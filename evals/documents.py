"""Are files read as they should be? Text by page, headings with their levels, tables, order, and text in scans."""

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.report import Report
from retrieval.build import reader_of
from retrieval.errors import DocumentRefused
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Block, ParsedDocument, SourceFile

Truth = Mapping[str, Any]
"""What a file holds: `pages`, `unit`, `headings`, `contains`, `must_not_contain`, `tables`, `order`, `ocr`."""

MOST_CHARACTER_ERRORS = 0.02
"""Of the characters of a scan, spaces left out (Unicode normalisation form NFKC)."""


def evaluate(data: Path) -> Report:
    """Share of the files in DATA/documents/good that yield all that DATA/documents/truth.json says."""
    report = Report("documents")
    truths: dict[str, Truth] = json.loads((data / "documents" / "truth.json").read_text("utf-8"))["good"]
    reader = reader_of(load(RetrievalSettings, {"_env_file": None}))
    right = 0
    for name in truths:
        truth = truths[truths[name].get("same_as", name)]
        try:
            document = reader.parse(SourceFile(name, data / "documents" / "good" / name), progress=lambda _: None)
            wrong = list(_wrong(document, truth, report, name))
        except DocumentRefused as refused:
            wrong = [f"refused: {refused}"]
        right += not wrong
        report.misses += [f"{name}: {what}" for what in wrong]
    report.add(f"files read as they should be, of {len(truths)}", right / len(truths), 1.0)
    return report


def _wrong(document: ParsedDocument, truth: Truth, report: Report, name: str) -> Iterator[str]:
    """What differs from the truth."""
    if "pages" in truth and document.pages != truth["pages"]:
        yield f"{document.pages} pages, not {truth['pages']}"
    if "unit" in truth and document.page_unit != truth["unit"]:
        yield f"counts {document.page_unit}s, not {truth['unit']}s"
    yield from _wrong_text(document, truth)
    if "headings" in truth and (found := _headings(document, truth["headings"])) != truth["headings"]:
        yield f"headings {found}"
    tables = [_cells(block) for block in document.blocks if block.kind == "table"]
    yield from (f"no table {table}" for table in truth.get("tables", ()) if _plain_table(table) not in tables)
    if "ocr" in truth:
        errors = _character_errors(document, truth["ocr"])
        report.add(f"{name}: character errors", errors, MOST_CHARACTER_ERRORS, "lower")
        if errors > MOST_CHARACTER_ERRORS:
            yield f"character errors {errors:.3f}"


def _wrong_text(document: ParsedDocument, truth: Truth) -> Iterator[str]:
    for place, texts in truth.get("contains", {}).items():
        there = _squeezed(" ".join(block.text for block in _at(place, document)))
        yield from (f"{place} lacks {text!r}" for text in texts if _squeezed(text) not in there)
    whole = _squeezed(" ".join(block.text for block in document.blocks))
    yield from (f"holds {text!r}" for text in truth.get("must_not_contain", ()) if _squeezed(text) in whole)
    for texts in truth.get("order", ()):
        places = [whole.find(_squeezed(text)) for text in texts]
        if -1 in places or places != sorted(places):
            yield f"not in this order: {texts}"


def _at(place: str, document: ParsedDocument) -> Sequence[Block]:
    """The blocks of a page, of a sheet by its name, or `any`."""
    if place == "any":
        return document.blocks
    if place.isdigit():
        return [block for block in document.blocks if block.page == int(place)]
    sheets = {block.page for block in document.blocks if block.kind == "heading" and block.text == place}
    return [block for block in document.blocks if block.page in sheets]


def _headings(document: ParsedDocument, wanted: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Text, level from 1 for the highest, and page where that is wanted."""
    title = {document.title} - {heading[0] for heading in wanted}  # it heads the whole and no section
    headings = [block for block in document.blocks if block.kind == "heading" and block.text not in title]
    highest = min((block.level for block in headings), default=1) - 1
    return [[block.text, block.level - highest, block.page][: len(wanted[0])] for block in headings]


def _cells(block: Block) -> list[list[str]]:
    rows = [line.strip().strip("|").split("|") for line in block.text.splitlines()]
    return _plain_table(row for row in rows if set("".join(row)) - set(":- "))


def _plain_table(rows: Any) -> list[list[str]]:
    return [[_squeezed(cell) for cell in row] for row in rows]


def _character_errors(document: ParsedDocument, truth: Sequence[str] | Mapping[str, Sequence[str]]) -> float:
    """Of what was read off pictures; where the truth tells of single pages, of the lines it tells of."""
    read = [block for block in document.blocks if block.confidence is not None]
    if isinstance(truth, Mapping):
        pages = [(page, _squeezed("".join(block.text for block in read if block.page == int(page)))) for page in truth]
        lines = [(_squeezed(line), text) for page, text in pages for line in truth[page]]
        return sum(_edits(line, text, anywhere=True) for line, text in lines) / sum(len(line) for line, _ in lines)
    wanted = _squeezed("".join(truth))
    return _edits(wanted, _squeezed("".join(block.text for block in read)), anywhere=False) / len(wanted)


def _edits(wanted: str, text: str, *, anywhere: bool) -> int:
    """Edit distance to the text, or to the nearest part of it (Levenshtein, 1966; Sellers, 1980)."""
    above = [0] * (len(text) + 1) if anywhere else list(range(len(text) + 1))
    for n, letter in enumerate(wanted, 1):
        row = [n]
        for m, other in enumerate(text, 1):
            row.append(min(above[m] + 1, row[-1] + 1, above[m - 1] + (letter != other)))
        above = row
    return min(above) if anywhere else above[-1]


def _squeezed(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text.replace("\\", "")).split())
