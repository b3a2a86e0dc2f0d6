"""Within the child process: pictures to a JSON file of paragraphs, or of the reason why not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import pypdfium2 as pdfium
from PIL import Image

from retrieval.adapters.rapid_ocr.layout import Line, paragraphs
from retrieval.adapters.rapid_ocr.pictures import MOST_FILE_PIXELS, TooManyPixels, frames_of, pages_of
from retrieval.confined import answer, confine, document_fields, refused_fields, tell_page
from retrieval.errors import RefusalCause
from retrieval.types import SURE_READING, Block, ParsedDocument, listed_pages

if TYPE_CHECKING:
    from rapidocr.utils.output import RapidOCROutput

PARSER = f"rapidocr-{version('rapidocr')}"
LEAST_SCORE = 0.6
"""Of a line: what is read with less is mostly not what is written."""


def run(source: Path, target: Path, pages: Sequence[int]) -> None:
    """Reads the pages of the one, or all of an image, and writes the other."""
    confine()
    answer(target, _read(source, pages))


def _read(source: Path, numbers: Sequence[int]) -> dict[str, Any]:
    pictures = pages_of(source, numbers) if numbers else frames_of(source)
    try:
        pages = list(_pages(pictures, max(len(numbers), 1)))
    except (TooManyPixels, Image.DecompressionBombError):
        most = MOST_FILE_PIXELS // 1_000_000
        return refused_fields(
            RefusalCause.TOO_LARGE, f"The picture has more than {most} million pixels. Make it smaller."
        )
    except (pdfium.PdfiumError, OSError, SyntaxError, ValueError):
        return refused_fields(RefusalCause.CORRUPT)
    blocks = tuple(
        Block("paragraph", paragraph.text, page=page.number, confidence=paragraph.confidence)
        for page in pages
        for paragraph in paragraphs(page.lines)
    )
    return document_fields(ParsedDocument("", blocks, PARSER, len(pages), warnings=tuple(_warnings(pages))))


@dataclass(frozen=True, slots=True)
class _Page:
    """Lines that could be read, and how many could not."""

    number: int
    lines: Sequence[Line]
    unread: int


def _pages(pictures: Iterator[tuple[int, Image.Image]], count: int) -> Iterator[_Page]:
    # RapidOCR takes two seconds to load.
    from rapidocr import RapidOCR
    from rapidocr.ch_ppocr_det.utils import TextDetOutput
    from rapidocr.utils.output import RapidOCROutput

    tell_page(0, count)
    # Of lines that were upright, the classifier for those upside down turns the long ones.
    engine = RapidOCR(params={"Global.use_cls": False, "Global.log_level": "critical"})
    for done, (number, picture) in enumerate(pictures, 1):
        places = engine(picture, use_rec=False)
        written = len(places) if isinstance(places, TextDetOutput) else 0
        found = engine(picture, use_rec=True) if written else None
        lines = _lines(found) if isinstance(found, RapidOCROutput) else []
        yield _Page(number, lines, written - len(lines))
        tell_page(done, max(count, done))


def _lines(found: "RapidOCROutput") -> list[Line]:
    """Those read surely enough, as they would stand on a page that was laid straight."""
    if found.boxes is None:
        return []
    # Corners stand clockwise from the upper left one.
    slopes = [(right[1] - left[1]) / (right[0] - left[0]) for left, right, *_ in found.boxes if right[0] - left[0] > 1]
    slope = float(median(slopes)) if slopes else 0.0
    lines = []
    for corners, text, score in zip(found.boxes, found.txts or (), found.scores or (), strict=True):
        x, y = corners[:, 0], corners[:, 1] - slope * corners[:, 0]
        if score >= LEAST_SCORE and any(map(str.isalnum, text)):
            edges = float(x.min()), float(y[:2].mean()), float(x.max()), float(y[2:].mean())
            lines.append(Line(text.strip(), float(score), *edges))
    return lines


def _warnings(pages: Sequence[_Page]) -> Iterator[str]:
    for page in pages:
        if page.unread:
            lines = f"{page.unread} of {page.unread + len(page.lines)} lines"
            yield (
                f"Page {page.number}: {lines} could not be read. Letters other than Latin, Chinese and Japanese ones "
                "need a MinerU server (MINERU_API_URL)."
            )
    doubtful = [page.number for page in pages if page.lines and _mean_score(page.lines) < SURE_READING]
    if doubtful:
        yield f"Hard to read, compare with the picture: {listed_pages(doubtful)}."


def _mean_score(lines: Sequence[Line]) -> float:
    return sum(line.score for line in lines) / len(lines)
