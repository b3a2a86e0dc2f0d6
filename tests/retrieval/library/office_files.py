"""Small files of office programs, as those programs write them."""

import datetime as dt
import zipfile
from pathlib import Path

import docx
import openpyxl
import pptx
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_NAMESPACES = " ".join(
    f'xmlns:{short}="{_ODF}:{name}:1.0"'
    for short, name in {"office": "office", "text": "text", "table": "table", "draw": "drawing"}.items()
)


def word_file(path: Path) -> Path:
    """Headings of three levels, a table, a list, and a running header."""
    document = docx.Document()
    document.add_heading("Locker handbook", 0)
    document.add_heading("Deposits", 1)
    document.add_paragraph("The locker deposit is 300 euros.")
    document.add_heading("押金", 2)
    document.add_paragraph("押金在归还钥匙后七天内退还。")
    table = document.add_table(2, 2)
    cells = (cell for row in table.rows for cell in row.cells)
    for cell, text in zip(cells, ("Size", "Fee", "Large", "12 EUR"), strict=True):
        cell.text = text
    document.sections[0].header.paragraphs[0].text = "Confidential running header"
    document.save(str(path))
    return path


def slides_file(path: Path) -> Path:
    """A title slide, a slide with speaker notes, one with a chart, and one without a title."""
    deck = pptx.Presentation()
    title, body, only_title, blank = (deck.slide_layouts[n] for n in (0, 1, 5, 6))
    deck.slides.add_slide(title).shapes.title.text = "Quarterly review"
    slide = deck.slides.add_slide(body)
    slide.shapes.title.text = "Revenue"
    slide.placeholders[1].text = "Up 12% against Q1"
    slide.notes_slide.notes_text_frame.text = "Mention the churn of 3.1%."
    slide = deck.slides.add_slide(only_title)
    slide.shapes.title.text = "Chart"
    data = CategoryChartData()  # type: ignore[no-untyped-call]  # it is typed in part
    data.categories = ["Q1", "Q2"]
    data.add_series("Sales", (10, 12))  # type: ignore[no-untyped-call]
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(4), Inches(3), data)
    box = deck.slides.add_slide(blank).shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(1))
    box.text_frame.text = "Nobody gave this slide a title."
    deck.save(str(path))
    return path


def workbook(path: Path, people: int = 60) -> Path:
    """A small sheet, a hidden one, and one with that many people under two lines of text."""
    book = openpyxl.Workbook()
    prices = book.active
    assert prices is not None
    prices.title = "Prices"
    for row in (("Plan", "Price"), ("Free", 0), ("企业版", 199)):
        prices.append(row)
    hidden = book.create_sheet("Secrets")
    hidden.append(("Password", "swordfish"))
    hidden.sheet_state = "hidden"
    staff = book.create_sheet("员工")
    staff.append(("Staff of the well house",))
    staff.append(())
    staff.append(("Name", "Since"))
    for n in range(people):
        staff.append((f"Person {n}", dt.datetime(2024, 1, 1) + dt.timedelta(days=n)))
    book.save(path)
    return path


def book(path: Path) -> Path:
    """An EPUB of two chapters."""
    chapter = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head><body>{}</body></html>"
    opf = """<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata
      xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The well</dc:title><dc:identifier id="id">x</dc:identifier>
      <dc:language>en</dc:language></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>
      <item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/>
      <itemref idref="b"/></spine></package>"""
    container = """<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
      <rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", container)
        archive.writestr("book.opf", opf)
        archive.writestr("a.xhtml", chapter.format("<h1 id='one'>Chapter one</h1><p>The gauge hangs in the well.</p>"))
        archive.writestr("b.xhtml", chapter.format("<h1>第二章</h1><p>水位计挂在井里。</p>"))
    return path


def rich_text(path: Path) -> Path:
    """An RTF file whose title is bold."""
    path.write_text(r"{\rtf1\ansi{\b Memo on the well\par}The gauge hangs in the well.\par}", "ascii")
    return path


def open_document(path: Path) -> Path:
    """A text of OpenDocument with a heading and a table."""
    cells = "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in ("Large", "12 EUR"))
    body = (
        '<office:text><text:h text:outline-level="1">Deposits</text:h><text:p>The deposit is 300 euros.</text:p>'
        f"<table:table><table:table-row>{cells}</table:table-row></table:table></office:text>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr(
            "content.xml",
            f'<office:document-content {_NAMESPACES} office:version="1.2"><office:body>{body}</office:body>'
            "</office:document-content>",
        )
    return path
