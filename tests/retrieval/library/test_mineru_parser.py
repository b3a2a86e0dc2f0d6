"""Files through the real MinerU in its child process."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]  # it carries no types

from retrieval.adapters.mineru_parser import MinerUParser
from retrieval.confined import Seconds
from retrieval.errors import DocumentRefused
from retrieval.types import Block, ParsedDocument, SourceFile
from tests.retrieval.library.documents import CASES, SAMPLES
from tests.retrieval.library.office_files import book, open_document, rich_text


def read(path: Path, progress: Callable[[str], None] = lambda _: None) -> ParsedDocument:
    return MinerUParser().parse(SourceFile(path.name, path), progress=progress)


@pytest.mark.parametrize(
    ("name", "cause", "words"),
    [
        ("H02_user_password.pdf", "encrypted", "password"),
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
        if number == 22:
            canvas.rect(72, 72, 400, 600)
        elif number != 21:
            canvas.drawString(72, 500, f"This is what page {number} says about the gauge.")
            canvas.drawString(72, 20, f"Confidential, sheet {number}")
        canvas.showPage()
    canvas.save()
    told: list[str] = []
    document = read(tmp_path / "long.pdf", told.append)
    assert document.pages == 23
    assert [block.page for block in document.blocks] == [number for number in range(1, 24) if number not in (21, 22)]
    for block in document.blocks:
        assert block.text == f"This is what page {block.page} says about the gauge."
    assert told == [f"long.pdf: page {done} of 23" for done in (0, 20, 23)]
    assert document.unread == (22,)  # page 21 holds nothing at all


@pytest.mark.parametrize("name", ["H04_scanned.pdf", "H04_scanned_blank.pdf"])
def test_scanned_pages_are_left_to_who_can_read_them(name: str) -> None:
    document = read(CASES / name)
    assert document.blocks == ()
    assert document.unread == tuple(range(1, (document.pages or 0) + 1))


def test_a_picture_with_next_to_no_text_is_a_scan_and_a_picture_beside_text_is_none(tmp_path: Path) -> None:
    picture = Image.effect_noise((200, 200), 60)
    canvas = Canvas(str(tmp_path / "pictures.pdf"))
    for words in ("Scan 0071", "The gauge hangs in the well, as this picture shows."):
        canvas.drawInlineImage(picture, 72, 200, 400, 400)
        canvas.drawString(72, 650, words)
        canvas.showPage()
    canvas.save()
    document = read(tmp_path / "pictures.pdf")
    assert document.unread == (1,)
    assert any("hangs in the well" in block.text for block in document.blocks)


def sentences(turned_by: int) -> list[str]:
    return [f"On the page that is turned by {turned_by}, line {n} is about the gauge in the well." for n in range(6)]


def test_pages_that_stand_on_their_side_or_head_are_read_in_order(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "turned.pdf"))
    for turned_by in (90, 180, 270):
        canvas.setPageRotation(turned_by)
        for n, words in enumerate(sentences(turned_by)):
            canvas.drawString(72, 400 - 16 * n, words)  # a page on its side is less high
        canvas.showPage()
    canvas.save()
    document = read(tmp_path / "turned.pdf")
    assert [block.text for block in document.blocks] == [" ".join(sentences(turned_by)) for turned_by in (90, 180, 270)]
    assert document.warnings == ()


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
    parser = MinerUParser(seconds=Seconds(base=60, most=0))
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
        for process in processes_in(tmp_path):
            with contextlib.suppress(OSError):  # it has just ended
                environments.append((process / "environ").read_text())

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


def test_a_web_page_without_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_text("<!doctype html><html><body><div></div></body></html>")
    with pytest.raises(DocumentRefused) as caught:
        read(tmp_path / "empty.html")
    assert caught.value.cause == "no_text"


@pytest.mark.parametrize(
    ("make", "name", "title", "blocks"),
    [
        (
            book,
            "well.epub",
            "The well",
            [
                Block("heading", "Chapter one", level=1),
                Block("paragraph", "The gauge hangs in the well."),
                Block("heading", "第二章", level=1),
                Block("paragraph", "水位计挂在井里。"),
            ],
        ),
        (
            rich_text,
            "memo.rtf",
            "memo",
            [Block("heading", "Memo on the well", level=1), Block("paragraph", "The gauge hangs in the well.")],
        ),
        (
            open_document,
            "deposits.odt",
            "deposits",
            [
                Block("heading", "Deposits", level=2),
                Block("paragraph", "The deposit is 300 euros."),
                Block("table", "| Large | 12 EUR |\n| --- | --- |"),
            ],
        ),
    ],
)
def test_books_rich_text_and_open_documents_have_sections(
    tmp_path: Path, make: Callable[[Path], Path], name: str, title: str, blocks: list[Block]
) -> None:
    document = read(make(tmp_path / name))
    assert (document.title, document.pages, list(document.blocks)) == (title, None, blocks)


def test_a_tier_without_its_weights_is_told_by_the_name_of_the_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINERU_HOME", str(tmp_path / "weights"))
    path = CASES / "H00_plain.pdf"
    with pytest.raises(DocumentRefused, match="MINERU_TIER=basic needs weights") as refusal:
        MinerUParser("basic").parse(SourceFile(path.name, path), progress=lambda _: None)
    assert str(tmp_path / "weights") in str(refusal.value)
    assert "\n" not in str(refusal.value)
