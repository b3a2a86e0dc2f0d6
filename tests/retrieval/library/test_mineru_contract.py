"""What holds for MinerU on this machine and for MinerU on a server alike."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from retrieval.adapters.mineru_parser import MinerUParser
from retrieval.confined import Seconds
from retrieval.errors import DocumentRefused
from retrieval.library.chunk import chunk
from retrieval.settings import ModelAddress
from retrieval.types import ParsedDocument, SourceFile
from tests.retrieval.library.documents import SAMPLES
from tests.retrieval.library.mineru_server import asked, mineru_server
from tests.retrieval.library.office_files import slides_file, word_file, workbook

Read = Callable[[Path], ParsedDocument]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelAddress]:
    with mineru_server(tmp_path_factory.mktemp("mineru")) as address:
        yield address


@pytest.fixture(scope="module", params=["local", "served"])
def read(request: pytest.FixtureRequest) -> Read:
    server = request.getfixturevalue("server") if request.param == "served" else None
    parser = MinerUParser(server=server, seconds=Seconds(base=160))  # however busy the machine is
    return lambda path: parser.parse(SourceFile(path.name, path), progress=lambda _: None)


@pytest.fixture(scope="module")
def manual(read: Read) -> ParsedDocument:
    return read(SAMPLES / "heron-3-service-manual.pdf")


def test_pages_headings_and_levels_are_those_of_the_document(manual: ParsedDocument) -> None:
    assert (manual.title, manual.pages, manual.page_unit) == ("Heron 3 Service Manual", 5, "page")
    assert (manual.warnings, manual.unread, manual.parser) == ((), (), "mineru-flash-4.0.12")
    headings = [(block.page, block.level, block.text) for block in manual.blocks if block.kind == "heading"]
    assert (2, 1, "2 Installation") in headings
    assert (3, 2, "3.4 Recalibration") in headings
    assert (5, 2, "5.2 Spare parts") in headings


def test_a_passage_of_a_pdf_knows_its_section_and_page(manual: ParsedDocument) -> None:
    chunks = chunk(manual, key="manual.pdf", size=500, overlap=50)
    spare = next(part for part in chunks if "| Desiccant capsule | DC-2 | 14 EUR |" in part.text)
    assert (spare.section, spare.page) == (("5 Repair and return", "5.2 Spare parts"), 5)
    tools = next(part for part in chunks if "torque screwdriver" in part.text)
    assert tools.text.startswith("You need the following tools for all work described here:\n• a hexagonal key")


def test_page_furniture_is_left_out(manual: ParsedDocument) -> None:
    text = "\n".join(block.text for block in manual.blocks)
    assert "Edition 7" not in text
    assert "Page 2 of 5" not in text
    assert "base64" not in text


def test_a_word_file_gives_sections_tables_and_no_pages(read: Read, tmp_path: Path) -> None:
    document = read(word_file(tmp_path / "handbook.docx"))

    assert (document.title, document.pages) == ("Locker handbook", None)
    assert {block.page for block in document.blocks} == {None}
    chunks = chunk(document, key="handbook.docx", size=500, overlap=50)
    deposit = next(part for part in chunks if "300 euros" in part.text)
    assert deposit.section == ("Locker handbook", "Deposits")
    refund = next(part for part in chunks if "七天" in part.text)
    assert refund.section == ("Locker handbook", "Deposits", "押金")
    assert any("| Large | 12 EUR |" in part.text for part in chunks)
    assert not any("running header" in part.text for part in chunks)


def test_slides_are_pages_under_their_titles_with_notes_and_the_figures_of_charts(read: Read, tmp_path: Path) -> None:
    document = read(slides_file(tmp_path / "review.pptx"))

    assert (document.title, document.pages, document.page_unit) == ("Quarterly review", 4, "slide")
    assert [(block.page, block.kind, block.level, block.text) for block in document.blocks] == [
        (1, "heading", 1, "Quarterly review"),
        (2, "heading", 2, "Revenue"),
        (2, "list", 0, "- Up 12% against Q1"),
        (2, "note", 0, "Mention the churn of 3.1%."),
        (3, "heading", 2, "Chart"),
        (3, "table", 0, "|  | Sales |\n| --- | --- |\n| Q1 | 10 |\n| Q2 | 12 |"),
        (4, "heading", 2, "Slide 4"),
        (4, "paragraph", 0, "Nobody gave this slide a title."),
    ]


def test_sheets_are_pages_under_their_names_and_long_tables_tell_their_rows(read: Read, tmp_path: Path) -> None:
    document = read(workbook(tmp_path / "prices.xlsx"))

    assert (document.pages, document.page_unit) == (2, "sheet")
    headings = [(block.page, block.level, block.text) for block in document.blocks if block.kind == "heading"]
    assert headings == [(1, 1, "Prices"), (2, 1, "员工"), (2, 2, "Rows 4-43"), (2, 2, "Rows 44-63")]
    chunks = chunk(document, key="prices.xlsx", size=500, overlap=50)
    last = next(part for part in chunks if "Person 59" in part.text)
    assert (last.section, last.page) == (("员工", "Rows 44-63"), 2)
    assert last.text.startswith("| Name | Since |")
    assert last.text.endswith("| Person 59 | 2024-02-29 |")
    assert not any("swordfish" in part.text for part in chunks)


def test_a_damaged_file_is_refused(read: Read, tmp_path: Path) -> None:
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(DocumentRefused, match=r"broken\.docx.*damaged") as refusal:
        read(tmp_path / "broken.docx")
    assert refusal.value.cause == "corrupt"


def test_a_server_learns_no_names_and_keeps_no_copy(server: ModelAddress, tmp_path: Path) -> None:
    path = word_file(tmp_path / "Redundancies in spring.docx")
    MinerUParser(server=server).parse(SourceFile(path.name, path), progress=lambda _: None)

    assert asked(server, "/v1/files")["data"] == []
    jobs = asked(server, "/v1/parse/jobs")
    assert jobs["data"]
    assert isinstance(jobs["last_id"], str)
    assert "input.docx" in str(asked(server, f"/v1/parse/jobs/{jobs['first_id']}"))
    assert "Redundancies" not in str(asked(server, f"/v1/parse/jobs/{jobs['first_id']}"))
