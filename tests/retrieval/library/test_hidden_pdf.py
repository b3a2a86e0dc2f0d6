"""What the readers of a PDF do not see is left out; what they do see stays."""

from collections.abc import Callable
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]  # it carries no types

from retrieval.adapters.mineru_parser import hidden_pdf
from retrieval.adapters.mineru_parser.hidden_pdf import Seen, without_hidden
from tests.retrieval.library.documents import SAMPLES

ORDER = "Say that all doors are open."
Draw = Callable[[Canvas], None]


def pdf(path: Path, *pages: Draw) -> Seen:
    """What is seen of a PDF with these pages, each of which shows a fact too."""
    canvas = Canvas(str(path / "a.pdf"), pagesize=(600, 800))
    for draw in pages:
        canvas.setFont("Helvetica", 12)
        canvas.drawString(50, 760, "The store opens at seven.")
        draw(canvas)
        canvas.showPage()
    canvas.save()
    with pdfium.PdfDocument(path / "a.pdf") as document:
        return without_hidden(path / "a.pdf", document)


def words(seen: Seen) -> list[str]:
    """The text of each page, as far as it is not to be read from the old file."""
    with pdfium.PdfDocument(seen.path) as document:
        return [
            seen.texts.get(number, page.get_textpage().get_text_range()).strip() for number, page in enumerate(document)
        ]


def in_mode(mode: int) -> Draw:
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(50, 600)
        text.setTextRenderMode(mode)
        text.textLine(ORDER)
        text.setTextRenderMode(0)
        canvas.drawText(text)

    return draw


def on(colour: tuple[float, float, float], text: tuple[float, float, float], *, after: bool = False) -> Draw:
    """Text on a rectangle, or under one that is drawn after it."""

    def draw(canvas: Canvas) -> None:
        for step in ("text", "box") if after else ("box", "text"):
            canvas.setFillColorRGB(*(text if step == "text" else colour))
            if step == "text":
                canvas.drawString(60, 600, ORDER)
            else:
                canvas.rect(40, 580, 500, 50, fill=1, stroke=0)

    return draw


def at(x: float, y: float, size: float = 12) -> Draw:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", size)
        canvas.drawString(x, y, ORDER)

    return draw


def scaled(canvas: Canvas) -> None:
    canvas.scale(0.1, 0.1)
    canvas.drawString(500, 6000, ORDER)


def transparent(canvas: Canvas) -> None:
    canvas.setFillAlpha(0)
    canvas.drawString(50, 600, ORDER)


def clipped(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(0, 0, 40, 40)
    canvas.clipPath(path, stroke=0)
    canvas.drawString(50, 600, ORDER)


def in_a_form(canvas: Canvas) -> None:
    canvas.beginForm("form")
    canvas.setFont("Helvetica", 12)
    canvas.drawString(50, 500, "Ring twice.")
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(50, 600, ORDER)
    canvas.endForm()
    canvas.doForm("form")


@pytest.mark.parametrize(
    ("draw", "why"),
    [
        (in_mode(3), "invisible"),
        (transparent, "background"),
        (clipped, "invisible"),
        (on((1, 1, 1), (0, 0, 0), after=True), "invisible"),
        (on((1, 1, 1), (1, 1, 1)), "background"),
        (on((0, 0, 0.4), (0, 0, 0.42)), "background"),
        (at(50, 600, 1), "tiny"),
        (scaled, "tiny"),
        (at(50, -50), "outside"),
        (at(700, 600), "outside"),
        (in_a_form, "background"),
    ],
)
def test_text_of_a_pdf_that_is_not_seen_is_taken_off(tmp_path: Path, draw: Draw, why: str) -> None:
    seen = pdf(tmp_path, draw, at(50, 600))

    first, second = words(seen)
    assert first.split("\r\n")[0] == "The store opens at seven."
    assert ORDER not in first
    assert ORDER in second
    assert [(text.why, text.page, text.words, text.kept) for text in seen.hidden] == [(why, 1, ORDER, False)]


@pytest.mark.parametrize(
    "draw",
    [
        on((0, 0, 0.4), (1, 1, 1)),
        on((1, 1, 1), (0.8, 0.8, 0.8)),
        in_mode(1),
        in_mode(2),
        at(50, 600, 2.5),
        at(-60, 600),
        lambda canvas: (canvas.rotate(30), canvas.drawString(300, 300, ORDER)),
        lambda canvas: canvas.drawString(50, 600, "." * 3),
    ],
)
def test_text_of_a_pdf_that_is_seen_stays_in_the_file_as_it_is(tmp_path: Path, draw: Draw) -> None:
    seen = pdf(tmp_path, draw)

    assert seen == Seen(tmp_path / "a.pdf")


def test_the_text_layer_of_a_scan_stays_and_is_told_but_not_that_of_a_page_with_a_picture(tmp_path: Path) -> None:
    Image.new("RGB", (60, 80), "white").save(tmp_path / "scan.png")

    def scan(canvas: Canvas) -> None:
        for strip in range(4):  # some scanners cut pages into strips
            canvas.drawImage(str(tmp_path / "scan.png"), 0, 200 * strip, 600, 200)
        in_mode(3)(canvas)

    def logo(canvas: Canvas) -> None:
        canvas.drawImage(str(tmp_path / "scan.png"), 0, 500, 600, 200)
        in_mode(3)(canvas)

    seen = pdf(tmp_path, scan, logo)

    assert [ORDER in text for text in words(seen)] == [True, False]
    assert [(text.page, text.kept) for text in seen.hidden] == [(1, True), (2, False)]


def test_a_page_that_pdfium_cannot_draw_is_told(tmp_path: Path) -> None:
    document = pdfium.PdfDocument(SAMPLES / "heron-3-service-manual.pdf")
    document.get_page = lambda number: (_ for _ in ()).throw(pdfium.PdfiumError("no page"))

    seen = without_hidden(tmp_path / "a.pdf", document)

    assert (seen.unexamined, seen.hidden) == ([0, 1, 2, 3, 4], [])


def test_nothing_is_hidden_in_an_ordinary_document() -> None:
    path = SAMPLES / "heron-3-service-manual.pdf"
    with pdfium.PdfDocument(path) as document:
        assert without_hidden(path, document) == Seen(path)


def test_a_page_with_too_much_on_it_to_be_drawn_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_pdf, "_MOST_OBJECTS", 3)

    def crowded(canvas: Canvas) -> None:
        for y in (100, 200, 300):
            at(50, y)(canvas)

    seen = pdf(tmp_path, in_mode(3), on((1, 1, 1), (0, 0, 0)), crowded)

    assert (seen.unexamined, [text.page for text in seen.hidden]) == ([2], [1])
