"""Scanned pages and images through the real RapidOCR in its child process."""

from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]  # it carries no types

from retrieval.adapters.rapid_ocr import RapidOcr
from retrieval.adapters.rapid_ocr.layout import Line, paragraphs
from retrieval.errors import DocumentRefused
from retrieval.library.scans import with_scans_read
from retrieval.types import Block, ParsedDocument, SourceFile

_HEIGHT = 40


def _line(text: str, left: float, top: float, *, width: float | None = None, score: float = 0.95) -> Line:
    return Line(text, score, left, top, left + (width or 20 * len(text)), top + _HEIGHT)


def _picture(*lines: str) -> Image.Image:
    picture = Image.new("RGB", (1200, 100 + 130 * len(lines)), "white")
    pen = ImageDraw.Draw(picture)
    for n, line in enumerate(lines):
        pen.text((60, 50 + 130 * n), line, fill="black", font=ImageFont.load_default(44))
    return picture


def _scanned_pdf(path: Path, *pages: Image.Image) -> SourceFile:
    canvas = Canvas(str(path))
    for n, picture in enumerate(pages):
        picture.save(path.with_suffix(f".{n}.png"))
        canvas.drawImage(str(path.with_suffix(f".{n}.png")), 40, 400, 500, 500 * picture.height / picture.width)
        canvas.showPage()
    canvas.save()
    return SourceFile(path.name, path)


def _quiet(_: str) -> None: ...


def _texts(document: ParsedDocument) -> list[str]:
    return [block.text for block in document.blocks]


def test_an_image_becomes_paragraphs_with_the_confidence_they_were_read_with(tmp_path: Path) -> None:
    _picture("Gate code 4471", "Ring twice after 18:00").save(tmp_path / "sign.png")

    document = RapidOcr().recognise(SourceFile("sign.png", tmp_path / "sign.png"), [], progress=_quiet)

    assert _texts(document) == ["Gate code 4471", "Ring twice after 18:00"]
    assert [block.page for block in document.blocks] == [1, 1]
    assert all(block.confidence and 0.8 < block.confidence <= 1 for block in document.blocks)
    assert (document.title, document.pages, document.warnings) == ("sign", 1, ())


def test_the_scanned_page_of_a_document_is_read_in_its_place(tmp_path: Path) -> None:
    file = _scanned_pdf(tmp_path / "mixed.pdf", _picture("Cover"), _picture("Valve pressure 3.5 bar"))
    around = ParsedDocument(
        "Mixed", (Block("paragraph", "First.", page=1), Block("paragraph", "Last.", page=3)), "other", 3, unread=(2,)
    )
    told: list[str] = []

    document = with_scans_read(around, file, RapidOcr(), told.append)

    assert _texts(document) == ["First.", "Valve pressure 3.5 bar", "Last."]
    assert [(block.page, block.confidence is None) for block in document.blocks] == [(1, True), (2, False), (3, True)]
    assert document.unread == ()
    assert document.parser.startswith("other, rapidocr-")
    assert told == ["mixed.pdf: page 0 of 1", "mixed.pdf: page 1 of 1"]


def test_an_empty_picture_stays_unread_and_what_is_no_picture_is_damaged(tmp_path: Path) -> None:
    blank = _scanned_pdf(tmp_path / "blank.pdf", Image.new("RGB", (600, 800), "white"))
    document = with_scans_read(ParsedDocument("", (), "other", 1, unread=(1,)), blank, RapidOcr(), _quiet)
    assert (document.blocks, document.unread) == ((), (1,))

    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing more")
    with pytest.raises(DocumentRefused, match="damaged"):
        RapidOcr().recognise(SourceFile("a.png", tmp_path / "a.png"), [], progress=_quiet)


def test_a_picture_of_more_pixels_than_memory_is_worth_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    Image.new("1", (20_000, 20_000)).save(tmp_path / "huge.png")
    with pytest.raises(DocumentRefused, match="million pixels"):
        RapidOcr().recognise(SourceFile("huge.png", tmp_path / "huge.png"), [], progress=_quiet)


def test_lines_of_a_paragraph_are_joined_and_parted_words_made_whole() -> None:
    lines = [_line("The valve is re-", 0, 0), _line("placed every year.", 0, 45), _line("Then test it.", 0, 140)]
    assert [paragraph.text for paragraph in paragraphs(lines)] == ["The valve is replaced every year.", "Then test it."]
    assert paragraphs([_line("出差结束后十个", 0, 0), _line("工作日内", 0, 45)])[0].text == "出差结束后十个工作日内"


def test_columns_of_running_text_are_read_one_after_the_other_under_their_title() -> None:
    left = [_line(f"left line {n}", 0, 100 + 45 * n, width=500) for n in range(3)]
    right = [_line(f"right line {n}", 620, 100 + 45 * n, width=500) for n in range(3)]
    mixed = [
        _line("Title over both", 0, 0, width=1100),
        *(line for pair in zip(left, right, strict=True) for line in pair),
    ]
    assert [paragraph.text for paragraph in paragraphs(mixed)] == [
        "Title over both",
        "left line 0 left line 1 left line 2",
        "right line 0 right line 1 right line 2",
    ]


def test_rows_of_a_table_stay_together() -> None:
    cells = [
        _line(text, 300 * column, 45 * row, width=120)
        for row, texts in enumerate([("Plan", "Price"), ("Team", "49")])
        for column, text in enumerate(texts)
    ]
    assert [paragraph.text for paragraph in paragraphs(cells)] == ["Plan   Price\nTeam   49"]


def test_confidence_is_weighed_by_the_length_of_the_lines() -> None:
    (paragraph,) = paragraphs([_line("a" * 30, 0, 0, score=1.0), _line("b" * 10, 0, 45, score=0.6)])
    assert paragraph.confidence == 0.9
    assert paragraphs([]) == []
