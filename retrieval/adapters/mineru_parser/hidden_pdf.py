"""Within the child process: a PDF to one without the text that nobody sees."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from retrieval.adapters.mineru_parser.pdf_pictures import Pictures, box_of, switch, texts_on
from retrieval.adapters.mineru_parser.upright import turn_upright
from retrieval.types import Concealment, HiddenText

_FEWEST_LETTERS = 4
"""Stray characters on a page that nobody sees are no text."""
_SCAN_SHARE = 0.8
"""Of a page that pictures cover where it is a scan."""

_MOST_OBJECTS = 50_000
"""On a page; drawing more of them takes too long."""

_Texts = Sequence[pdfium.PdfTextObj]
_Found = dict[Concealment, tuple[list[pdfium.PdfTextObj], str]]


@dataclass
class Seen:
    """A PDF that holds what is seen of another one, and what was hidden in that.

    `texts` are the pages, from 0, that could not be freed of hidden text, by the text that is seen on them.
    """

    path: Path
    hidden: list[HiddenText] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    unexamined: list[int] = field(default_factory=list)


def without_hidden(source: Path, pdf: pdfium.PdfDocument) -> Seen:
    """The file itself where nothing is hidden in it and no page stands on its side or head, else a copy beside it.

    Invisible text over a scan is what a text recognition found in it: it stays, and is told.
    """
    seen = Seen(source)
    freed: dict[int, str] = {}
    turned = False
    for number in range(len(pdf)):
        try:
            page = pdf[number]  # once: it may take its time
            turned = turn_upright(page) or turned
            text = _freed(page, number, seen)
        except pdfium.PdfiumError:
            seen.unexamined.append(number)
            continue
        if text is not None:
            freed[number] = text
    if freed or turned:
        seen.path = source.with_stem("seen")
        pdf.save(seen.path, flags=pdfium_c.FPDF_REMOVE_SECURITY)
        seen.texts |= _still_hidden(seen.path, freed)
    return seen


def _freed(page: pdfium.PdfPage, number: int, seen: Seen) -> str | None:
    """Takes the hidden text off the page. What is seen on it, None where nothing was taken off."""
    if pdfium_c.FPDFPage_CountObjects(page) > _MOST_OBJECTS:
        seen.unexamined.append(number)
        return None
    texts = texts_on(page)
    removed: list[pdfium.PdfTextObj] = []
    for why, (members, words) in (_found(page, texts) if texts else {}).items():
        kept = why in ("invisible", "background") and _is_scan(page, words)
        seen.hidden.append(HiddenText.of(why, words, number + 1, kept=kept))
        removed += [] if kept else members
    if not removed:
        return None
    switch(removed, on=False)
    text = str(page.get_textpage().get_text_range())
    # PDFium writes the content of a page anew, but cannot do so with that of a form on it.
    if all(member.container is None for member in removed):
        page.gen_content()
    return text


def _found(page: pdfium.PdfPage, texts: _Texts) -> _Found:
    """Hidden texts by what hides them, and what those say together."""
    found: defaultdict[Concealment, list[pdfium.PdfTextObj]] = defaultdict(list)
    for text, why in Pictures(page, texts).hidden():
        found[why].append(text)
    told = {why: (members, _words(page, texts, members)) for why, members in found.items()}
    return {why: (members, words) for why, (members, words) in told.items() if _letters(words) >= _FEWEST_LETTERS}


def _words(page: pdfium.PdfPage, texts: _Texts, members: _Texts) -> str:
    """What some of the texts say, with spaces between words."""
    switch(texts, on=False)
    switch(members, on=True)
    words = str(page.get_textpage().get_text_range())
    switch(texts, on=True)
    return words


def _letters(words: str) -> int:
    return sum(map(str.isalnum, words))


def _is_scan(page: pdfium.PdfPage, unseen: str) -> bool:
    """Whether pictures cover the page, and most of its text is not seen."""
    left, bottom, right, top = page.get_bbox()
    covered = 0.0
    for picture in page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE]):
        box = box_of(picture)
        width, height = min(box[2], right) - max(box[0], left), min(box[3], top) - max(box[1], bottom)
        covered += max(width, 0.0) * max(height, 0.0)
    if covered < _SCAN_SHARE * (right - left) * (top - bottom):
        return False
    return 2 * _letters(unseen) > _letters(page.get_textpage().get_text_range())


def _still_hidden(path: Path, freed: dict[int, str]) -> dict[int, str]:
    """Those of the pages that say in the new file something else than they should."""
    with pdfium.PdfDocument(path) as pdf:
        return {number: text for number, text in freed.items() if pdf[number].get_textpage().get_text_range() != text}
