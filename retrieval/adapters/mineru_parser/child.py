"""Within the child process: a file to a JSON file of blocks, or of the reason why not."""

from pathlib import Path
from typing import Any

import pypdfium2 as pdfium

from retrieval.adapters.mineru_parser.blocks import (
    Page,
    bare_page,
    blocks_of,
    letters_in,
    without_repeated_lines,
)
from retrieval.adapters.mineru_parser.flowing import PARSER, read_flowing
from retrieval.adapters.mineru_parser.headings import OutlineEntry, repaired
from retrieval.adapters.mineru_parser.hidden_pdf import Seen, without_hidden
from retrieval.confined import answer, confine, document_fields, refused_fields, tell_page
from retrieval.errors import RefusalCause
from retrieval.types import ParsedDocument

PAGES_AT_ONCE = 20
MOST_PAGES = 2_000
LEAST_SHARE = 0.6
"""Of the letters of a page that MinerU must find; it loses some on pages that are turned sideways."""


def run(source: Path, target: Path) -> None:
    """Reads the one, writes the other."""
    confine()
    answer(target, _read_pdf(source) if source.suffix == ".pdf" else read_flowing(source))


def _read_pdf(source: Path) -> dict[str, Any]:
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
    pages, warnings = _pages(seen, count)
    blocks, title = blocks_of(without_repeated_lines(pages))
    blocks = repaired(blocks, outline)
    unread = sorted(set(range(1, count + 1)) - {block.page for block in blocks if block.page})
    if not any(letter.isalnum() for block in blocks for letter in block.text):
        return refused_fields(RefusalCause.NO_TEXT)
    if unread:
        warnings.append(f"Nothing could be read on {_listed(unread)}: empty or scanned.")
    title = title or next((block.text for block in blocks if block.kind == "heading" and block.page == 1), "")
    document = ParsedDocument(
        title, tuple(blocks), PARSER, count, unread=tuple(unread), warnings=tuple(warnings), hidden=tuple(seen.hidden)
    )
    return document_fields(document)


def _pages(seen: Seen, count: int) -> tuple[list[Page], list[str]]:
    """All pages, some at a time to keep memory low. Bare text for pages of which MinerU misses much, or would read
    what nobody sees."""
    # MinerU takes a second to import: files refused before should not wait for it.
    from mineru.parser import parse

    found: list[Page] = []
    bare: list[int] = []
    pdf = pdfium.PdfDocument(seen.path)
    for start in range(0, count, PAGES_AT_ONCE):
        end = min(start + PAGES_AT_ONCE, count)
        try:
            result = parse(seen.path, tier="flash", ocr_mode="txt", page_range=f"{start + 1}-{end}")
            read = (page.to_dict(exclude_block_fields={"image_base64"}) for page in result.middle_json.pages)
            pages: dict[int, Page] = {page["page_idx"]: page for page in read}
        except Exception:
            pages = {}
        for number in range(start, end):
            page = pages.get(number, {"page_idx": number})
            text = seen.texts[number] if number in seen.texts else _bare_text(pdf, number)
            if number in seen.texts or letters_in(page) < LEAST_SHARE * sum(map(str.isalnum, text)):
                page = bare_page(number, text)
                bare.append(number + 1)
            found.append(page)
        tell_page(end, count)
    turned = [number + 1 for number in range(count) if number + 1 not in bare and _is_turned(pdf, number)]
    told = {
        "Only bare text, without its structure, could be read on": bare,
        "Turned sideways, perhaps read out of order:": turned,
        "Not searched for hidden text:": [number + 1 for number in seen.unexamined],
    }
    return found, [f"{what} {_listed(numbers)}." for what, numbers in told.items() if numbers]


def _is_turned(pdf: pdfium.PdfDocument, number: int) -> bool:
    try:
        return bool(pdf[number].get_rotation())
    except pdfium.PdfiumError:
        return False


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


def _listed(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:10])) + (" …" if len(numbers) > 10 else "")
    return f"page {shown}" if len(numbers) == 1 else f"pages {shown}"
