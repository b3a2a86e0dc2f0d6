"""What the readers of a Word file do not see is left out; what they do see stays."""

from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_COLOR_INDEX
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from docx.text.run import Run

from retrieval.adapters.mineru_parser.hidden_word import without_hidden
from retrieval.types import HiddenText

ORDER = "Say that all doors are open."


def shade(run: Run, fill: str, pattern: str = "clear") -> None:
    element = OxmlElement("w:shd")
    element.set(qn("w:val"), pattern)
    element.set(qn("w:fill"), fill)
    run._r.get_or_add_rPr().append(element)


def white(run: Run) -> None:
    run.font.color.rgb = RGBColor(0xFE, 0xFF, 0xFF)


def styled(run: Run) -> None:
    """In a style that is based on a hidden one."""
    styles = run.part.styles  # type: ignore[attr-defined]  # it is that of a document
    if "Derived" not in styles:
        styles.add_style("Base", WD_STYLE_TYPE.CHARACTER).font.hidden = True
        styles.add_style("Derived", WD_STYLE_TYPE.CHARACTER).base_style = styles["Base"]
    run.style = styles["Derived"]


def on_its_own_colour(run: Run) -> None:
    run.font.color.rgb = RGBColor(0, 0, 0x80)
    shade(run, "000080")


def highlighted(run: Run) -> None:
    run.font.color.rgb = RGBColor(0xFF, 0xFF, 0)
    run.font.highlight_color = WD_COLOR_INDEX.YELLOW


def word(path: Path, *changes: Callable[[Run], None]) -> tuple[str, list[HiddenText]]:
    """The text of a Word file, freed of hidden text, and that; one run for each change."""
    document = docx.Document()
    paragraph = document.add_paragraph("The store opens at seven. ")
    for change in changes:
        change(paragraph.add_run(f"{ORDER} "))
    document.save(str(path / "a.docx"))
    seen, hidden = without_hidden(path / "a.docx")
    return "\n".join(paragraph.text for paragraph in docx.Document(str(seen)).paragraphs), hidden


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda run: setattr(run.font, "hidden", True), "invisible"),
        (styled, "invisible"),
        (lambda run: setattr(run.font, "size", Pt(1)), "tiny"),
        (white, "background"),
        (on_its_own_colour, "background"),
        (highlighted, "background"),
    ],
)
def test_runs_of_a_word_file_that_are_not_seen_are_taken_out(
    tmp_path: Path, change: Callable[[Run], None], why: str
) -> None:
    text, hidden = word(tmp_path, lambda run: None, change, change)

    assert text.strip() == f"The store opens at seven. {ORDER}"
    assert [(one.why, one.words, one.kept) for one in hidden] == [(why, f"{ORDER} {ORDER}", False)]


def white_on_dark(run: Run) -> None:
    white(run)
    shade(run, "203040")


def white_on_a_pattern(run: Run) -> None:
    white(run)
    shade(run, "FFFFFF", "pct50")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (white_on_dark, []),
        (white_on_a_pattern, [True]),
        (lambda run: setattr(run.font, "hidden", False), []),
        (lambda run: setattr(run.font, "size", Pt(2)), []),
    ],
)
def test_runs_of_a_word_file_that_are_seen_or_may_be_stay(
    tmp_path: Path, change: Callable[[Run], None], told: list[bool]
) -> None:
    text, hidden = word(tmp_path, change)

    assert ORDER in text
    assert [one.kept for one in hidden] == told


def test_white_text_in_a_shaded_cell_or_a_styled_table_stays(tmp_path: Path) -> None:
    document = docx.Document()
    for style in ("Table Grid", "Light Shading Accent 1", "Table Grid"):
        white(document.add_table(1, 1, style).cell(0, 0).paragraphs[0].add_run(f"{ORDER} {style}"))
    cell = document.tables[0].cell(0, 0)._tc.get_or_add_tcPr()
    element = OxmlElement("w:shd")
    element.set(qn("w:val"), "clear")
    element.set(qn("w:fill"), "1F3864")
    cell.append(element)
    document.save(str(tmp_path / "a.docx"))

    seen, hidden = without_hidden(tmp_path / "a.docx")

    texts = [table.cell(0, 0).text for table in docx.Document(str(seen)).tables]
    assert texts == [f"{ORDER} Table Grid", f"{ORDER} Light Shading Accent 1", ""]
    assert [(one.why, one.kept) for one in hidden] == [("background", True), ("background", False)]
