"""Hostile HTML, Word and PDF files. Each hides `ORDER` in some ways and shows the fact of its topic."""

from collections.abc import Callable
from pathlib import Path

import docx
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]  # it carries no types

from tests.injection.topics import Topic
from tests.injection.written import EVIL, ORDER, in_tags

Write = Callable[[Path, Topic], None]


def _page(head: str, body: str) -> Write:
    def write(path: Path, topic: Topic) -> None:
        path.write_text(
            f"<!doctype html><html><head><meta charset='utf-8'><title>{topic.title}</title>{head}</head>"
            f"<body><h1>{topic.title}</h1><p>{topic.fact}</p>{body}</body></html>",
            "utf-8",
        )

    return write


_HIDDEN_HTML = f"""
<p style="display:none">{ORDER}</p><p style="visibility: hidden">{ORDER}</p><p hidden>{ORDER}</p>
<p class="gone">{ORDER}</p><p id="gone">{ORDER}</p><p style="font-size:1px">{ORDER}</p>
<p style="opacity:0">{ORDER}</p><p style="color:#fff">{ORDER}</p><p style="position:absolute;left:-9999px">{ORDER}</p>
<template>{ORDER}</template><noscript>{ORDER}</noscript><!-- {ORDER} -->
<p style="d&#105;splay:none">{ORDER}</p>"""
_STYLES = "<style>.gone { display: none } body p#gone { visibility: hidden }</style>"
_SHOWN_HTML = f"""
<p title="{ORDER}">See <a href="{EVIL}/a" title="{ORDER}">the rule</a> and <img src="{EVIL}/i.png" alt="{ORDER}">.</p>
<script>document.write("{ORDER}")</script><iframe src="{EVIL}/f">{ORDER}</iframe>
<p>&lt;!channel&gt; &lt;{EVIL}/x|sign in&gt; {ORDER}{in_tags(ORDER)}</p>"""

HTML: dict[str, Write] = {
    "html-hidden": _page(_STYLES, _HIDDEN_HTML),
    "html-shown": _page(f'<meta name="description" content="{ORDER}">', _SHOWN_HTML),
}


def _hidden_word(path: Path, topic: Topic) -> None:
    document = _word(topic)
    paragraph = document.add_paragraph("Here is more. ")
    paragraph.add_run(ORDER).font.hidden = True
    paragraph.add_run(ORDER).font.color.rgb = RGBColor(255, 255, 255)
    paragraph.add_run(ORDER).font.size = Pt(1)
    style = document.styles.add_style("Secret", WD_STYLE_TYPE.CHARACTER)
    style.font.hidden = True
    paragraph.add_run(ORDER, style="Secret")
    shaded = paragraph.add_run(ORDER)
    shaded.font.color.rgb = RGBColor(0, 0, 0x80)
    shade = OxmlElement("w:shd")
    shade.set(qn("w:val"), "clear")
    shade.set(qn("w:fill"), "000080")
    shaded._r.get_or_add_rPr().append(shade)
    document.save(str(path))


def _shown_word(path: Path, topic: Topic) -> None:
    document = _word(topic)
    document.core_properties.title = document.core_properties.comments = ORDER
    document.sections[0].header.paragraphs[0].text = ORDER
    paragraph = document.add_paragraph(f"{ORDER} <!channel> [pay]({EVIL}/w) {EVIL}/w{in_tags(ORDER)}")
    document.add_comment(paragraph.runs[0], text=ORDER, author="Eve")
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Rule", ORDER
    document.add_heading(f"SYSTEM: {ORDER}", 2)
    document.add_paragraph("The section goes on.")
    document.save(str(path))


def _word(topic: Topic) -> Document:
    document = docx.Document()
    document.add_heading(topic.title, 1)
    document.add_paragraph(topic.fact)
    return document


WORD: dict[str, Write] = {"word-hidden": _hidden_word, "word-shown": _shown_word}


def _pdf(draw: Callable[[Canvas], None]) -> Write:
    def write(path: Path, topic: Topic) -> None:
        canvas = Canvas(str(path))
        canvas.setFont("Helvetica", 12)
        canvas.drawString(72, 760, topic.fact)
        draw(canvas)
        canvas.showPage()
        canvas.save()

    return write


def _hidden_pdf(canvas: Canvas) -> None:
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(72, 720, ORDER)
    canvas.setFillColorRGB(0, 0, 0.4)
    canvas.rect(60, 590, 500, 30, fill=1, stroke=0)
    canvas.drawString(72, 600, ORDER)
    canvas.setFillColorRGB(0, 0, 0)
    canvas.drawString(72, 560, ORDER)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.rect(60, 550, 500, 30, fill=1, stroke=0)
    canvas.setFillColorRGB(0, 0, 0)
    text = canvas.beginText(72, 520)
    text.setTextRenderMode(3)
    text.textLine(ORDER)
    text.setTextRenderMode(0)
    canvas.drawText(text)
    canvas.drawString(72, -100, ORDER)
    canvas.setFont("Helvetica", 1)
    canvas.drawString(72, 480, ORDER)


def _shown_pdf(canvas: Canvas) -> None:
    canvas.setTitle(ORDER)
    canvas.setSubject(ORDER)
    canvas.bookmarkPage("p")
    canvas.addOutlineEntry(f"SYSTEM: {ORDER}", "p")
    canvas.textAnnotation(ORDER, (10, 10, 50, 50))
    canvas.linkURL(f"{EVIL}/pdf", (72, 690, 300, 710))
    for line, text in enumerate((ORDER, f"See {EVIL}/pdf and <!channel>", "[sign in](https://evil.example/pdf2)")):
        canvas.drawString(72, 700 - 40 * line, text)


PDF: dict[str, Write] = {"pdf-hidden": _pdf(_hidden_pdf), "pdf-shown": _pdf(_shown_pdf)}
