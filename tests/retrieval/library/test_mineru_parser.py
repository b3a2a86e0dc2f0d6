"""PDF, Word and HTML files through the real MinerU in its child process."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]  # it carries no types

from retrieval.adapters.mineru_parser import MinerUParser
from retrieval.confined import Seconds
from retrieval.errors import DocumentRefused
from retrieval.library.chunk import chunk
from retrieval.types import ParsedDocument, SourceFile
from tests.retrieval.library.documents import CASES, SAMPLES


def read(path: Path, progress: Callable[[str], None] = lambda _: None) -> ParsedDocument:
    return MinerUParser().parse(SourceFile(path.name, path), progress=progress)


@pytest.fixture(scope="module")
def manual() -> ParsedDocument:
    return read(SAMPLES / "heron-3-service-manual.pdf")


def test_pages_headings_and_levels_are_those_of_the_document(manual: ParsedDocument) -> None:
    assert (manual.title, manual.pages, manual.warnings) == ("Heron 3 Service Manual", 5, ())
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


@pytest.mark.parametrize(
    ("name", "cause", "words"),
    [
        ("H02_user_password.pdf", "encrypted", "password"),
        ("H04_scanned.pdf", "no_text", "if it is scanned"),
        ("H04_scanned_blank.pdf", "no_text", "if it is scanned"),
        ("H05_truncated.pdf", "corrupt", "damaged"),
    ],
)
def test_a_pdf_that_cannot_be_read_is_refused_with_what_is_wrong(name: str, cause: str, words: str) -> None:
    with pytest.raises(DocumentRefused, match=words) as refusal:
        read(CASES / name)
    assert refusal.value.cause == cause
    assert name in str(refusal.value)
    assert "Traceback" not in str(refusal.value)


def test_more_pages_than_are_read_at_once_keep_their_numbers_and_unread_ones_are_told(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "long.pdf"))
    for number in range(1, 24):
        if number != 22:
            canvas.drawString(72, 500, f"This is what page {number} says about the gauge.")  # within a turned page
            canvas.drawString(72, 20, f"Confidential, sheet {number}")
        if number == 23:
            canvas.setPageRotation(90)
        canvas.showPage()
    canvas.save()
    told: list[str] = []
    document = read(tmp_path / "long.pdf", told.append)
    assert document.pages == 23
    assert [block.page for block in document.blocks] == [number for number in range(1, 24) if number != 22]
    for block in document.blocks:
        assert f"This is what page {block.page} says about the gauge." in block.text
    assert not any("Confidential" in block.text for block in document.blocks[:-1])
    assert told == [f"long.pdf: page {done} of 23" for done in (0, 20, 23)]
    assert [warning.rpartition("page ")[2] for warning in document.warnings] == ["23.", "22: empty or scanned."]


def processes_in(folder: Path) -> list[Path]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink().is_relative_to(folder):
                found.append(process)
        except OSError:
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes by way of /proc")
def test_when_time_is_up_the_child_is_killed_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    parser = MinerUParser(Seconds(base=60, most=0))
    seen: list[Path] = []

    def at_work(_: str) -> None:
        seen.extend(processes_in(tmp_path))

    path = SAMPLES / "heron-3-service-manual.pdf"
    with pytest.raises(DocumentRefused, match="took too long") as refusal:
        parser.parse(SourceFile(path.name, path), progress=at_work)
    assert refusal.value.cause == "too_slow"
    assert seen
    assert processes_in(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes by way of /proc")
def test_the_child_knows_no_secrets_and_no_proxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-secret")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    environments: list[str] = []

    def at_work(_: str) -> None:
        environments.extend((process / "environ").read_text() for process in processes_in(tmp_path))

    read(CASES / "H00_plain.pdf", at_work)
    assert any("MINERU_MODEL_SOURCE=local" in environment for environment in environments)
    assert not any("xoxb-secret" in environment or "PROXY" in environment for environment in environments)


def test_the_bots_own_process_loads_neither_mineru_nor_pdfium() -> None:
    code = (
        "import sys, retrieval.adapters.mineru_parser; "
        "sys.exit(any(name in sys.modules for name in ('mineru', 'docvortex', 'pypdfium2')))"
    )
    ended = subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": str(Path.cwd())}, check=False)
    assert ended.returncode == 0


@pytest.fixture(scope="module")
def word_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("word") / "handbook.docx"
    document = docx.Document()
    document.add_heading("Locker handbook", 0)
    document.add_heading("Deposits", 1)
    document.add_paragraph("The locker deposit is 300 euros.")
    document.add_heading("押金", 2)
    document.add_paragraph("押金在归还钥匙后七天内退还。")
    table = document.add_table(2, 2)
    for cell, text in zip(
        (c for row in table.rows for c in row.cells), ("Size", "Fee", "Large", "12 EUR"), strict=True
    ):
        cell.text = text
    document.sections[0].header.paragraphs[0].text = "Confidential running header"
    document.save(str(path))
    return path


def test_a_word_file_gives_sections_tables_and_no_pages(word_file: Path) -> None:
    document = read(word_file)

    assert (document.title, document.pages) == ("Locker handbook", None)
    assert {block.page for block in document.blocks} == {None}
    chunks = chunk(document, key="handbook.docx", size=500, overlap=50)
    deposit = next(part for part in chunks if "300 euros" in part.text)
    assert deposit.section == ("Locker handbook", "Deposits")
    refund = next(part for part in chunks if "七天" in part.text)
    assert refund.section == ("Locker handbook", "Deposits", "押金")
    assert any("| Large | 12 EUR |" in part.text for part in chunks)
    assert not any("running header" in part.text for part in chunks)


PAGE = """<!doctype html><html><head><meta charset="{charset}"><title>t</title><style>p {{color: red}}</style>
<script>alert("x")</script></head><body><h1>Gateway 网关</h1><p>It needs 8 GB of memory.</p><h2>Install</h2>
<ul><li>one<ul><li>nested</li></ul></li></ul><pre># not a heading</pre>
<table><tr><th>Plan</th><th>Price</th></tr><tr><td>企业版</td><td>199</td></tr></table>
<img src="secret.png" alt="x"></body></html>"""


@pytest.mark.parametrize("charset", ["utf-8", "gbk"])
def test_a_web_page_gives_its_text_in_sections_whatever_its_encoding(tmp_path: Path, charset: str) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(PAGE.format(charset=charset).encode(charset))

    document = read(path)

    assert document.title == "Gateway 网关"
    assert [(b.text, b.level) for b in document.blocks if b.kind == "heading"] == [("Gateway 网关", 1), ("Install", 2)]
    text = "\n".join(block.text for block in document.blocks)
    assert "| 企业版 | 199 |" in text
    assert "  - nested" in text
    assert not any(hidden in text for hidden in ("alert(", "color", "base64", "secret"))


def test_a_web_page_without_text_and_a_broken_word_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_text("<!doctype html><html><body><div></div></body></html>")
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 and nothing more")

    for name, cause in (("empty.html", "no_text"), ("broken.docx", "corrupt")):
        with pytest.raises(DocumentRefused) as caught:
            read(tmp_path / name)
        assert caught.value.cause == cause
