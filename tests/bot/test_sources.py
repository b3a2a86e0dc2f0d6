"""Source lines say what a page is, in the reader's language, and what was read off a picture."""

import pytest

from bot.sources import source_lines
from retrieval.types import Citation, PageUnit, Passage


def line(language: str = "en", unit: PageUnit = "page", page: int | None = 3, confidence: float | None = None) -> str:
    """The line of one citation."""
    passage = Passage(
        1, "c1", "26 days.", "leave", "Leave", 1, 1, ("Leave",), page, page_unit=unit, confidence=confidence
    )
    (only,) = source_lines([Citation(1, passage)], language)
    return only


@pytest.mark.parametrize(
    ("language", "unit", "words"),
    [
        ("en", "page", "page 3"),
        ("en", "slide", "slide 3"),
        ("en", "sheet", "sheet 3"),
        ("de", "slide", "Folie 3"),
        ("zh", "page", "第 3 页"),
        ("fi", "sheet", "sheet 3"),
    ],
)
def test_a_page_is_called_what_it_is(language: str, unit: PageUnit, words: str) -> None:
    assert line(language, unit) == f"[1] leave (v1), Leave, {words}"


def test_where_there_are_no_pages_none_is_named() -> None:
    assert line(page=None) == "[1] leave (v1), Leave"


@pytest.mark.parametrize(("confidence", "doubted"), [(0.79, True), (0.8, False), (None, False)])
def test_a_passage_read_off_a_picture_with_doubts_says_so(confidence: float | None, doubted: bool) -> None:
    assert ("read from a scan, may have errors" in line(confidence=confidence)) is doubted
    assert ("kann Fehler enthalten" in line("de", confidence=confidence)) is doubted
