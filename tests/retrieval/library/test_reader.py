"""Which reader a file goes to, and what the document holds in the end."""

from collections.abc import Callable, Sequence
from pathlib import Path

import openpyxl
import pytest

from retrieval.adapters.mineru_parser import MinerUParser
from retrieval.adapters.rapid_ocr import RapidOcr
from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.library.parse import Reader
from retrieval.ports import DocumentParser
from retrieval.types import Block, ParsedDocument, SourceFile
from tests.retrieval.library.documents import CASES


class Others:
    """Reads the first page of a file and recognises the rest."""

    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        return ParsedDocument("Rules", (Block("paragraph", "Ring twice.", page=1),), "first", 2, unread=(2,))

    def recognise(self, file: SourceFile, pages: Sequence[int], *, progress: Callable[[str], None]) -> ParsedDocument:
        blocks = tuple(Block("paragraph", f"page {page}", page=page, confidence=0.9) for page in pages or [1])
        return ParsedDocument("", blocks, "pictures")


def read(path: Path) -> ParsedDocument:
    return Reader(Others(), Others()).parse(SourceFile(path.name, path), progress=lambda _: None)


def test_pages_without_text_are_recognised_and_images_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7")
    document = read(tmp_path / "a.pdf")
    assert [(block.text, block.confidence) for block in document.blocks] == [("Ring twice.", None), ("page 2", 0.9)]
    assert document.unread == ()
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    assert [block.text for block in read(tmp_path / "a.jpg").blocks] == ["page 1"]


class Refusing:
    """A main parser whose models see nothing in a picture."""

    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        raise DocumentRefused(RefusalCause.NO_TEXT, "no text")


def test_a_main_parser_with_models_reads_images_and_the_recogniser_stands_in_for_it(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    file = SourceFile("a.jpg", tmp_path / "a.jpg")
    parsers: list[tuple[DocumentParser, str]] = [(Others(), "Ring twice."), (Refusing(), "page 1")]
    for parser, words in parsers:
        document = Reader(parser, Others(), other_reads_images=True).parse(file, progress=lambda _: None)
        assert [block.text for block in document.blocks] == [words]


def test_pages_that_stay_unread_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7")

    class Seeing(Others):
        def recognise(
            self, file: SourceFile, pages: Sequence[int], *, progress: Callable[[str], None]
        ) -> ParsedDocument:
            return ParsedDocument("", (), "pictures")

    document = Reader(Seeing(), Seeing()).parse(SourceFile("a.pdf", tmp_path / "a.pdf"), progress=lambda _: None)
    assert document.warnings == ("Nothing could be read on page 2: pictures without text.",)


def test_only_workbooks_too_large_for_the_parser_are_read_row_by_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retrieval.library.parse.CELLS_AT_ONCE", 10)
    for name, rows in [("small.xlsx", 5), ("large.xlsx", 6)]:
        workbook = openpyxl.Workbook()
        for n in range(rows):
            workbook.active.append([f"locker {n}", n])
        workbook.save(tmp_path / name)

    assert read(tmp_path / "small.xlsx").parser == "first, pictures"
    large = read(tmp_path / "large.xlsx")
    assert large.parser.startswith("openpyxl")
    assert (large.blocks[0].text, large.page_unit) == ("Sheet", "sheet")


def test_a_scan_is_read() -> None:
    reader = Reader(MinerUParser(), RapidOcr())
    file = SourceFile("H04_scanned.pdf", CASES / "H04_scanned.pdf")
    document = reader.parse(file, progress=lambda _: None)
    assert "4471" in " ".join(block.text for block in document.blocks)


def test_a_document_of_which_nothing_can_be_read_is_refused(tmp_path: Path) -> None:
    class Blind(Others):
        def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
            return ParsedDocument("Blank", (), "first", 1, unread=(1,))

        def recognise(
            self, file: SourceFile, pages: Sequence[int], *, progress: Callable[[str], None]
        ) -> ParsedDocument:
            return ParsedDocument("", (), "pictures", 1, warnings=("Page 1 is empty.",))

    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7")
    with pytest.raises(DocumentRefused, match=r"a\.pdf") as refusal:
        Reader(Blind(), Blind()).parse(SourceFile("a.pdf", tmp_path / "a.pdf"), progress=lambda _: None)
    assert refusal.value.cause == "no_text"


def test_more_text_than_a_document_may_hold_is_refused_whoever_read_it(tmp_path: Path) -> None:
    class Talkative(Others):
        def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
            return ParsedDocument("Long", (Block("paragraph", "Ring twice. " * 420_000),), "first")

    for name, data in [("a.pdf", b"%PDF-1.7"), ("a.md", b"Ring twice. " * 420_000)]:
        (tmp_path / name).write_bytes(data)
        with pytest.raises(DocumentRefused, match="5 million characters") as refusal:
            Reader(Talkative(), Others()).parse(SourceFile(name, tmp_path / name), progress=lambda _: None)
        assert refusal.value.cause == "too_large"
