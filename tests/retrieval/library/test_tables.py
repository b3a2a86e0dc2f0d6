"""CSV files and large workbooks to tables that can be cited by their rows."""

import datetime as dt
from pathlib import Path

import openpyxl
import pytest

from retrieval.errors import DocumentRefused
from retrieval.library.chunk import chunk
from retrieval.library.readers.rows import delimiter_of, read_rows
from retrieval.library.readers.sheets import read_sheets
from retrieval.library.readers.tables import table_blocks
from retrieval.types import Block, ParsedDocument

PLANS = "Plan;Price;Seats\nFree;0,50;5\nTeam;49,00;25\n企业版;199,00;无限\n"
TABLE = """| Plan | Price | Seats |
| --- | --- | --- |
| Free | 0,50 | 5 |
| Team | 49,00 | 25 |
| 企业版 | 199,00 | 无限 |"""


def rows_of(tmp_path: Path, data: bytes, name: str = "plans.csv") -> ParsedDocument:
    (tmp_path / name).write_bytes(data)
    return read_rows(tmp_path / name, name)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16", "utf-16-le"])
def test_a_table_is_read_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    document = rows_of(tmp_path, PLANS.encode(encoding))
    assert document.blocks == (Block("table", TABLE),)
    assert document.title == "plans"


def test_windows_files_keep_their_accents(tmp_path: Path) -> None:
    document = rows_of(tmp_path, "Prénom;Congés\r\nZoé;20 journées\r\nRené;25 journées\r\n".encode("cp1252"))
    assert document.blocks[0].text.splitlines()[2:] == ["| Zoé | 20 journées |", "| René | 25 journées |"]


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n1,6;2,6\n", ";"),
        ("name\tnote\nx\ta, b; c\ny\td, e; f\n", "\t"),
        ("a|b|c\n1|2|3\n", "|"),
        ('name,note\nx,"a;b;c"\ny,"d;e"\nz,f\n', ","),
        ('"Meier, Ann";3\n"Ito, Ken";4\n', ";"),
    ],
)
def test_the_delimiter_is_the_one_that_cuts_rows_alike(text: str, delimiter: str) -> None:
    assert delimiter_of(text) == delimiter


def test_a_delimiter_that_the_file_names_is_taken(tmp_path: Path) -> None:
    document = rows_of(tmp_path, b"sep=|\r\na,b|c\r\n1,2|3\r\n")
    assert document.blocks[0].text.splitlines()[0] == "| a,b | c |"


def test_quoted_cells_keep_delimiters_and_bars_and_become_one_line(tmp_path: Path) -> None:
    document = rows_of(tmp_path, b'name,note\n"Meier, Ann","rings\ntwice | knocks"\n')
    assert document.blocks[0].text.splitlines()[2:] == ["| Meier, Ann | rings twice \\| knocks |"]


def test_a_quotation_mark_that_is_never_closed_does_not_swallow_the_rest(tmp_path: Path) -> None:
    document = rows_of(tmp_path, b'size,price\n"5 inch,10\n6 inch,12\n')
    assert document.blocks[0].text.splitlines()[2:] == ['| "5 inch | 10 |', "| 6 inch | 12 |"]


def test_many_rows_are_cited_by_their_numbers_and_each_passage_has_the_header(tmp_path: Path) -> None:
    rows = "".join(f"locker {n},{n * 10} euros,floor {n % 7}\n" for n in range(2, 102))
    document = rows_of(tmp_path, f"Locker,Deposit,Floor\n{rows}".encode(), "lockers.csv")
    headings = [block.text for block in document.blocks if block.kind == "heading"]
    assert headings == ["Rows 2-41", "Rows 42-81", "Rows 82-101"]
    chunks = chunk(document, key="lockers.csv", size=500, overlap=50)
    (found,) = [part for part in chunks if "| locker 77 | 770 euros | floor 0 |" in part.text]
    assert found.section == ("Rows 42-81",)
    assert "| Locker | Deposit | Floor |" in found.text


def test_rows_without_a_header_get_letters_and_lines_above_a_header_are_text() -> None:
    (table,) = table_blocks([["1", "2.5"], ["3", "", "€ 4"]], "a")
    assert table.text == "| A | B | C |\n| --- | --- | --- |\n| 1 | 2.5 |  |\n| 3 |  | € 4 |"
    title, table = table_blocks([["Lockers 2026"], [], ["Locker", "Deposit"], ["77", "770"]], "a")
    assert (title.kind, title.text) == ("paragraph", "Lockers 2026")
    assert table.text.splitlines()[0] == "| Locker | Deposit |"


def test_a_single_column_is_a_table_under_its_first_line() -> None:
    (table,) = table_blocks([["Name"], ["Ann"], ["Ken"]], "a")
    assert table.text == "| Name |\n| --- |\n| Ann |\n| Ken |"
    assert table_blocks([[""], []], "a") == []


@pytest.mark.parametrize("data", [b"x," * 20_000 + b"x\n1,2\n", b"a,b\n" + (b"x" * 10_000 + b",1\n") * 600])
def test_tables_beyond_reason_are_refused_with_what_to_do(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(DocumentRefused, match=r"plans\.csv.*(Split|split)") as refusal:
        rows_of(tmp_path, data)
    assert refusal.value.cause == "too_large"


def test_a_workbook_is_read_row_by_row_with_its_sheets_as_pages(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.active.title = "Lockers"
    for row in [["Locker", "Deposit", "Since"], [77, 770.0, dt.datetime(2026, 3, 1)], [None, 1.5, True]]:
        workbook.active.append(row)
    hidden = workbook.create_sheet("Salaries")
    hidden.append(["secret"])
    hidden.sheet_state = "hidden"
    workbook.create_sheet("Empty")
    workbook.create_sheet("员工").append(["姓名", "部门"])
    workbook.save(tmp_path / "a.xlsx")

    document = read_sheets(tmp_path / "a.xlsx", "a.xlsx")

    assert (document.pages, document.page_unit) == (3, "sheet")
    assert [(block.kind, block.page, block.text) for block in document.blocks] == [
        ("heading", 1, "Lockers"),
        (
            "table",
            1,
            "| Locker | Deposit | Since |\n| --- | --- | --- |\n| 77 | 770 | 2026-03-01 |\n|  | 1.5 | True |",
        ),
        ("heading", 3, "员工"),
        ("table", 3, "| 姓名 | 部门 |\n| --- | --- |"),
    ]


def test_rows_of_a_sheet_stand_below_its_name(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    for n in range(1, 100):
        workbook.active.append([f"locker {n}", n])
    workbook.save(tmp_path / "a.xlsx")
    chunks = chunk(read_sheets(tmp_path / "a.xlsx", "a.xlsx"), key="a", size=500, overlap=50)
    (found,) = [part for part in chunks if "| locker 77 | 77 |" in part.text]
    assert (found.section, found.page) == (("Sheet", "Rows 42-81"), 1)
