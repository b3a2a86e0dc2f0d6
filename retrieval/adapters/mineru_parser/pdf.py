"""Within the child process: a PDF to blocks on its pages."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from retrieval.adapters.mineru_parser.blocks import bare_page, blocks_of, letters_in, without_repeated_lines
from retrieval.adapters.mineru_parser.engine import Engine, Page, ReadingFailed
from retrieval.adapters.mineru_parser.headings import OutlineEntry, repaired
from retrieval.adapters.mineru_parser.hidden_pdf import Seen, without_hidden
from retrieval.adapters.mineru_parser.pdf_pictures import box_of
from retrieval.confined import document_fields, refused_fields, tell_page
from retrieval.errors import RefusalCause
from retrieval.types import Block, ParsedDocument, listed_pages

PAGES_AT_ONCE = 20
MOST_PAGES = 2_000
LEAST_SHARE = 0.6
"""Of the letters of a page that MinerU must find; it loses some on pages that are turned sideways."""
MOST_FAILURES = 2
"""Then MinerU is not asked for more slices of the file: each may take all its time to fail."""
FEWEST_LETTERS = 20
"""On a page with a picture: one with fewer is a scan."""
SCAN_SHARE = 0.1
"""Of a page that a picture covers to count."""


def read_pdf(source: Path, engine: Engine) -> dict[str, Any]:
    """What is said of the document, or the reason why it is refused. Raises NotUsable."""
    try:
        pdf = pdfium.PdfDocument(source)
    except pdfium.PdfiumError as error:
        encrypted = "password" in str(error).lower()
        return refused_fields(RefusalCause.ENCRYPTED if encrypted else RefusalCause.CORRUPT)
    count = len(pdf)
    if not 0 < count <= MOST_PAGES:
        return refused_fields(RefusalCause.TOO_LARGE if count else RefusalCause.CORRUPT)
    outline = _outline(pdf)
    tell_page(0, count)
    seen = without_hidden(source, pdf)
    slices = _Slices(seen, engine)
    pages = slices.read()
    blocks, title = blocks_of(without_repeated_lines(pages))
    blocks = repaired(blocks, outline)
    unread = _unread(pdf, blocks)
    if not unread and not any(map(_letters, blocks)):
        return refused_fields(RefusalCause.NO_TEXT)
    title = title or next((block.text for block in blocks if block.kind == "heading" and block.page == 1), "")
    document = ParsedDocument(title, tuple(blocks), engine.name, count, unread=unread, hidden=tuple(seen.hidden))
    return document_fields(replace(document, warnings=tuple(slices.warnings())))


@dataclass
class _Slices:
    """All pages of a PDF, some at a time to keep memory low. Bare text for pages that MinerU cannot read, of which it
    misses much, or of which it would read what nobody sees."""

    seen: Seen
    engine: Engine
    bare: list[int] = field(default_factory=list)
    failures: int = 0

    def read(self) -> list[Page]:
        pdf = pdfium.PdfDocument(self.seen.path)
        count = len(pdf)
        found: list[Page] = []
        for start in range(0, count, PAGES_AT_ONCE):
            end = min(start + PAGES_AT_ONCE, count)
            pages = self._slice(start + 1, end)
            found += [self._page(pdf, number, pages.get(number)) for number in range(start, end)]
            tell_page(end, count)
        return found

    def warnings(self) -> list[str]:
        told = {
            "Only bare text, without its structure, could be read on": self.bare,
            "Not searched for hidden text:": [number + 1 for number in self.seen.unexamined],
        }
        return [f"{what} {listed_pages(numbers)}." for what, numbers in told.items() if numbers]

    def _slice(self, first: int, last: int) -> dict[int, Page]:
        """What MinerU finds on these pages, by their numbers from 0."""
        if self.failures >= MOST_FAILURES:
            return {}
        try:
            return {page["page_idx"]: page for page in self.engine.read(self.seen.path, first, last).pages}
        except ReadingFailed:
            self.failures += 1
            return {}

    def _page(self, pdf: pdfium.PdfDocument, number: int, page: Page | None) -> Page:
        text = self.seen.texts[number] if number in self.seen.texts else _bare_text(pdf, number)
        found = page or Page(page_idx=number)
        if number in self.seen.texts or letters_in(found) < LEAST_SHARE * _letters_of(text):
            self.bare.append(number + 1)
            return bare_page(number, text)
        return found


def _unread(pdf: pdfium.PdfDocument, blocks: list[Block]) -> tuple[int, ...]:
    """Pages that hold something but no text, or a picture and next to none."""
    letters = [0] * len(pdf)
    for block in blocks:
        letters[(block.page or 1) - 1] += _letters(block)
    scarce = [number for number, found in enumerate(letters) if found < FEWEST_LETTERS]
    return tuple(number + 1 for number in scarce if _holds_picture(pdf, number, any_object=not letters[number]))


def _holds_picture(pdf: pdfium.PdfDocument, number: int, *, any_object: bool) -> bool:
    """Whether a picture of some size is on the page, or anything at all."""
    try:
        page = pdf[number]
        if any_object:
            return bool(pdfium_c.FPDFPage_CountObjects(page))
        boxes = [box_of(picture) for picture in page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE])]
        least = SCAN_SHARE * page.get_width() * page.get_height()
    except pdfium.PdfiumError:
        return False
    return any((right - left) * (top - bottom) >= least for left, bottom, right, top in boxes)


def _letters(block: Block) -> int:
    return _letters_of(block.text)


def _letters_of(text: str) -> int:
    return sum(map(str.isalnum, text))


def _bare_text(pdf: pdfium.PdfDocument, number: int) -> str:
    try:
        return str(pdf[number].get_textpage().get_text_range())
    except pdfium.PdfiumError:
        return ""


def _outline(pdf: pdfium.PdfDocument) -> list[OutlineEntry]:
    """Bookmarks, as far as they can be read."""
    found = []
    try:
        for bookmark in pdf.get_toc(max_depth=6):
            target = bookmark.get_dest()
            page = target.get_index() if target else None
            found.append(OutlineEntry(bookmark.get_title(), bookmark.level + 1, None if page is None else page + 1))
    except (pdfium.PdfiumError, ValueError):
        return found
    return found
