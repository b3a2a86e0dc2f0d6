"""Which files are taken in, and what is said of the others."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.library.parse import Reader
from retrieval.types import Block, ParsedDocument, SourceFile
from tests.retrieval.library.documents import CASES


class FirstBytes:
    """A parser and recogniser that shows that it was asked."""

    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        return ParsedDocument("t", (Block("paragraph", ascii(file.path.read_bytes()[:5])),), "first bytes")

    def recognise(self, file: SourceFile, pages: Sequence[int], *, progress: Callable[[str], None]) -> ParsedDocument:
        return replace(self.parse(file, progress=progress), parser="first pixels")


def read(path: Path, name: str | None = None) -> ParsedDocument:
    reader = Reader(FirstBytes(), FirstBytes())
    return reader.parse(SourceFile(name or path.name, path), progress=lambda _: None)


def refusal_of(path: Path, name: str | None = None) -> DocumentRefused:
    with pytest.raises(DocumentRefused) as refusal:
        read(path, name)
    assert "Traceback" not in str(refusal.value)
    assert (name or path.name) in str(refusal.value)
    return refusal.value


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("A20_empty.txt", "empty"),
        ("H20_empty.pdf", "empty"),
        ("H01_png_named.docx", "type_mismatch"),
        ("H06_macro.docm", "macro"),
        ("H06_macro_renamed.docx", "macro"),
        ("H07_inflates_60mb.docx", "archive_limits"),
        ("H07_inflates_60mb_renamed.doc", "archive_limits"),
        ("H07_lies_about_size.docx", "archive_limits"),
        ("H18_login_page.pdf", "html_login"),
    ],
)
def test_files_that_break_others_are_refused_for_their_reason(name: str, cause: str) -> None:
    assert refusal_of(CASES / name).cause == cause


@pytest.mark.parametrize(
    ("name", "start", "kind"),
    [("H01_docx_named.pdf", "b'PK\\x03\\x04\\x14'", "Word"), ("H01_pdf_named.txt", "b'%PDF-'", "PDF")],
)
def test_a_document_under_another_name_is_read_as_what_it_is_and_that_is_told(name: str, start: str, kind: str) -> None:
    document = read(CASES / name)
    assert document.blocks[0].text == start
    assert document.warnings == (f"It was read as what it is, in spite of its name: a {kind} file.",)


def test_a_sign_in_page_names_the_missing_scope() -> None:
    assert "files:read" in str(refusal_of(CASES / "H18_login_page.pdf"))


@pytest.mark.parametrize(
    ("name", "data", "cause"),
    [
        ("a.pdf", b"only text", "type_mismatch"),
        ("a.docx", b"only text", "type_mismatch"),
        ("a.md", b"\x89PNG\r\n\x1a\n....", "type_mismatch"),
        ("a.txt", b"MZ\x90\x00" + b"\x00" * 90, "type_mismatch"),
        ("a.exe", b"MZ\x90\x00" + b"\x00" * 90, "unsupported"),
        ("a.md", b"<!doctype html><p>x", "type_mismatch"),
        ("a.zip", b"PK\x05\x06" + bytes(18), "unsupported"),
        ("a.docx", b"\x1f\x8b\x08 packed", "type_mismatch"),
        ("a.msg", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "__nameid".encode("utf-16-le"), "unsupported"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "encrypted"),
        ("a.heic", b"\x00\x00\x00\x18ftypheic", "unsupported"),
        ("a.jpg", b"only text", "type_mismatch"),
        ("a.md", b"BM" + bytes(60), "type_mismatch"),
        ("a.docx", b"PK\x03\x04 and then nothing", "corrupt"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "_VBA_PROJECT".encode("utf-16-le"), "macro"),
        ("a.txt", bytes(range(256)) * 4, "binary"),
        ("a.md", b" \n\t\n\xe2\x80\x8b\n", "no_text"),
        ("a.md", b"---\n\n***\n", "no_text"),
    ],
)
def test_content_decides_and_the_message_names_the_file(tmp_path: Path, name: str, data: bytes, cause: str) -> None:
    (tmp_path / name).write_bytes(data)
    assert refusal_of(tmp_path / name).cause == cause


@pytest.mark.parametrize("data", [b"<html><p>Ring twice.</p></html>", b"\x89PNG\r\n\x1a\n", b"{\\rtf1 Ring}"])
def test_a_name_that_says_nothing_keeps_no_file_out(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.asp").write_bytes(data)
    assert read(tmp_path / "a.asp").parser.startswith("first")


@pytest.mark.parametrize("name", ["a.txt", "a.log", "README", "a.rst"])
def test_text_is_read_under_many_endings(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"MZ is two letters.\n")
    assert read(tmp_path / name).blocks[0].text == "MZ is two letters."


def test_a_text_about_pdfs_is_a_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"A PDF begins with %PDF-1.7 and a line end.")
    assert read(tmp_path / "a.md").parser == "markdown"


def test_a_file_above_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "big.pdf"
    with path.open("wb") as file:
        file.truncate(943_718_400)
    refusal = refusal_of(path)
    assert refusal.cause is RefusalCause.TOO_LARGE
    assert "50 MB" in str(refusal)


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    for path in (tmp_path, tmp_path / "pipe.txt", tmp_path / "gone.txt"):
        assert refusal_of(path).cause is RefusalCause.UNREADABLE


def test_titles_and_text_hold_nothing_hidden(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Ru\u200bles\n\nRing\u2060 twice.", "utf-8")
    document = read(tmp_path / "a.md")
    assert (document.title, document.blocks[1].text) == ("Rules", "Ring twice.")
