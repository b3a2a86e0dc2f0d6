"""Office files that would harm or hold up whoever reads them, told before anyone does."""

import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from retrieval.errors import DocumentRefused
from retrieval.library.admission import Admitted, admitted
from retrieval.types import SourceFile

PARAGRAPH = b"<w:p><w:r><w:t>Ring twice.</w:t></w:r></w:p>"


def packed(path: Path, parts: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def admit(path: Path) -> Admitted:
    return admitted(SourceFile(path.name, path), 50_000_000)


def refused(path: Path) -> str:
    with pytest.raises(DocumentRefused) as refusal:
        admit(path)
    assert path.name in str(refusal.value)
    return f"{refusal.value.cause}: {refusal.value}"


def word(path: Path, document: bytes, **others: bytes) -> Path:
    return packed(path, {"[Content_Types].xml": b"<Types/>", "word/document.xml": document, **others})


def sheet(path: Path, xml: bytes) -> Path:
    return packed(path, {"xl/workbook.xml": b"<workbook/>", "xl/worksheets/sheet1.xml": xml})


def png(width: int, height: int) -> bytes:
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))


def jpeg(width: int, height: int) -> bytes:
    preview = b"\xff\xe1" + struct.pack(">H", 60_000) + bytes(59_998)
    return b"\xff\xd8" + preview + b"\xff\xc0\x00\x11\x08" + struct.pack(">HH", height, width) + bytes(12)


def test_a_part_that_unpacks_to_hundreds_of_times_its_size_is_refused(tmp_path: Path) -> None:
    media = {"word/media/image1.png": bytes(30_000_000)}
    assert "archive_limits" in refused(word(tmp_path / "a.docx", PARAGRAPH, **media))


def test_markup_may_repeat_itself_unless_there_is_too_much_of_it(tmp_path: Path) -> None:
    assert admit(word(tmp_path / "a.docx", PARAGRAPH * 20_000)).kind == "Word"
    assert "archive_limits" in refused(word(tmp_path / "b.docx", b"<a/>" * 20_000_000))


def test_too_many_parts_are_refused(tmp_path: Path) -> None:
    parts = {f"word/{n}.xml": b"" for n in range(5_001)}
    assert "5,000 parts" in refused(packed(tmp_path / "many.docx", parts))


@pytest.mark.parametrize("prefix", [b"w:", b"x:", b""])
def test_too_many_paragraphs_are_refused_whatever_their_prefix(tmp_path: Path, prefix: bytes) -> None:
    assert "50,000 paragraphs" in refused(word(tmp_path / "a.docx", (b"<" + prefix + b"p>a") * 50_001))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("name", ["a.docx", "a.xlsx"])
def test_declarations_in_xml_are_refused_in_any_encoding(tmp_path: Path, name: str, encoding: str) -> None:
    text = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'.encode(encoding)
    make = word if name.endswith("docx") else sheet
    assert "corrupt" in refused(make(tmp_path / name, text))


def test_the_pages_of_a_book_have_a_declaration_but_no_entities(tmp_path: Path) -> None:
    parts = {"mimetype": b"application/epub+zip", "one.xhtml": b"<!DOCTYPE html><html><p>Ring twice.</p></html>"}
    assert admit(packed(tmp_path / "a.epub", parts)).kind == "EPUB"
    bad = parts | {"two.xhtml": b"<!DOCTYPE html [<!ENTITY a 'b'>]><p>&a;</p>"}
    assert "corrupt" in refused(packed(tmp_path / "b.epub", bad))


@pytest.mark.parametrize("ref", [b"A1:XFD1048576", b"B2:ZZ999"])
def test_merged_cells_that_cover_a_whole_sheet_are_refused(tmp_path: Path, ref: bytes) -> None:
    xml = b'<worksheet><c r="A1"/><mergeCells count="1"><mergeCell ref="' + ref + b'"/></mergeCells></worksheet>'
    assert "merges more than" in refused(sheet(tmp_path / "a.xlsx", xml))


def test_cells_are_counted_over_all_sheets(tmp_path: Path) -> None:
    xml = b'<worksheet><cols/><row><c r="A1"><v>1</v></c><x:c/></row></worksheet>'
    parts = {"xl/workbook.xml": b"<workbook/>", **{f"xl/worksheets/sheet{n}.xml": xml for n in range(3)}}
    assert admit(packed(tmp_path / "a.xlsx", parts)) == Admitted("Excel", 6)


def test_more_cells_than_a_document_may_hold_are_refused(tmp_path: Path) -> None:
    assert refused(sheet(tmp_path / "a.xlsx", b'<c r="A1"/>' * 500_001)).startswith("too_large")


@pytest.mark.parametrize("picture", [png(20_000, 20_000), jpeg(30_000, 10_000), b"GIF89a\xff\xff\xff\xff"])
def test_a_picture_of_too_many_pixels_is_refused_alone_and_within_a_document(tmp_path: Path, picture: bytes) -> None:
    (tmp_path / "a.png").write_bytes(picture)
    assert refused(tmp_path / "a.png").startswith("too_large")
    assert "million pixels" in refused(word(tmp_path / "a.docx", PARAGRAPH, **{"word/media/a": picture}))


@pytest.mark.parametrize("picture", [png(4_000, 3_000), jpeg(12_000, 9_000), b"\xff\xd8\xff", png(1, 1)[:20]])
def test_other_pictures_are_admitted(tmp_path: Path, picture: bytes) -> None:
    (tmp_path / "a.png").write_bytes(picture)
    assert admit(tmp_path / "a.png").kind == "image"


def test_a_binary_workbook_is_told_apart_from_those_that_can_be_read(tmp_path: Path) -> None:
    parts = {"[Content_Types].xml": b"<Types/>", "xl/workbook.bin": b"\x01"}
    assert refused(packed(tmp_path / "a.xlsb", parts)).startswith("unsupported")


def test_a_part_that_is_cut_off_is_told(tmp_path: Path) -> None:
    whole = word(tmp_path / "a.docx", bytes(range(256)) * 400).read_bytes()
    broken = whole.replace(whole[300:330], bytes(30))
    (tmp_path / "b.docx").write_bytes(broken)
    assert "damaged" in refused(tmp_path / "b.docx")


def test_open_documents_are_known_by_their_type_and_a_password_is_told(tmp_path: Path) -> None:
    parts = {"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": b"<p>Ring twice.</p>"}
    assert admit(packed(tmp_path / "a.odt", parts)).kind == "OpenDocument"
    locked = parts | {"META-INF/manifest.xml": b"<manifest:encryption-data/>"}
    assert refused(packed(tmp_path / "b.odt", locked)).startswith("encrypted")


@pytest.mark.parametrize(("stream", "suffix"), [("WordDocument", ".doc"), ("Workbook", ".xls"), ("Book", ".docx")])
def test_files_of_an_old_office_are_known_by_their_streams(tmp_path: Path, stream: str, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + stream.encode("utf-16-le"))
    assert admit(path).kind == "old Office"
