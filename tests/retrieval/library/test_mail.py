"""E-mails with what came with them, as one document."""

import datetime as dt
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest

from retrieval.errors import DocumentRefused
from retrieval.library.parse import Reader
from retrieval.library.readers.mail import MOST_ATTACHMENTS
from retrieval.types import Block, ParsedDocument, SourceFile


class Others:
    """Parser and recogniser that say what they were given."""

    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        text = file.path.read_bytes().decode("utf-8", "replace")
        return ParsedDocument("other", (Block("heading", "Inner", 1, 3), Block("paragraph", text, page=3)), "other", 4)

    def recognise(self, file: SourceFile, pages: Sequence[int], *, progress: Callable[[str], None]) -> ParsedDocument:
        return self.parse(file, progress=progress)


def message(
    subject: str = "Locker deposits", body: str | None = "Hello Ken,\n\nThe deposit is 20 euros.\n"
) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"] = "Ann Meier <ann@example.com>", "Ken Itō <ken@example.com>"
    mail["Subject"], mail["Date"] = subject, "Tue, 03 Mar 2026 09:15:00 +0100"
    if body:
        mail.set_content(body)
    return mail


def read(tmp_path: Path, mail: EmailMessage | bytes) -> ParsedDocument:
    path = tmp_path / "a.eml"
    path.write_bytes(mail if isinstance(mail, bytes) else mail.as_bytes())
    return Reader(Others(), Others()).parse(SourceFile("a.eml", path), progress=lambda _: None)


def shown(document: ParsedDocument) -> list[tuple[str, int, str]]:
    return [(block.kind, block.level, block.text) for block in document.blocks]


HEADERS = "From: Ann Meier <ann@example.com>\nTo: Ken Itō <ken@example.com>\nDate: Tue, 03 Mar 2026 09:15:00 +0100"


def test_an_email_says_who_wrote_what_when(tmp_path: Path) -> None:
    document = read(tmp_path, message("Kaution für Schließfächer"))
    assert (document.title, document.date) == ("Kaution für Schließfächer", dt.date(2026, 3, 3))
    assert shown(document) == [
        ("heading", 1, "Kaution für Schließfächer"),
        ("paragraph", 0, HEADERS),
        ("paragraph", 0, "Hello Ken,"),
        ("paragraph", 0, "The deposit is 20 euros."),
    ]


def test_attachments_follow_under_their_names_and_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    mail = message()
    mail.add_attachment("# Rules\n\nRing twice.\n", subtype="markdown", filename="Türregeln.md")
    mail.add_attachment(b"%PDF-1.7 pages", maintype="application", subtype="pdf", filename="plan.pdf")
    mail.add_attachment(b"MZ\x90\x00\x00\x00", maintype="application", subtype="octet-stream", filename="setup.exe")
    mail.add_attachment(
        b"\x89PNG\r\n\x1a\n", maintype="image", subtype="png", filename="logo.png", disposition="inline"
    )

    document = read(tmp_path, mail)

    assert shown(document)[4:] == [
        ("heading", 2, "Türregeln.md"),
        ("heading", 3, "Rules"),
        ("paragraph", 0, "Ring twice."),
        ("heading", 2, "plan.pdf"),
        ("heading", 3, "Inner"),
        ("paragraph", 0, "%PDF-1.7 pages"),
    ]
    assert [block.page for block in document.blocks[-2:]] == [3, 3]
    (warning,) = document.warnings
    assert "“setup.exe” is a program" in warning


def test_an_html_body_is_read_where_there_is_no_other(tmp_path: Path) -> None:
    mail = message(body=None)
    mail.set_content("<html><p>The deposit is 20 euros.</p></html>", subtype="html")
    document = read(tmp_path, mail)
    assert shown(document)[2:] == [
        ("heading", 2, "Inner"),
        ("paragraph", 0, "<html><p>The deposit is 20 euros.</p></html>\n".strip()),
    ]
    both = message()
    both.add_alternative("<html><p>Something else.</p></html>", subtype="html")
    assert "Something else" not in str(shown(read(tmp_path, both)))


def test_emails_within_emails_are_read_up_to_a_depth(tmp_path: Path) -> None:
    mail = message("Third", "Ring four times.\n")
    mail.add_attachment("Never read.", filename="deep.txt")
    for subject, body in [("Second", "Ring three times.\n"), ("First", "Ring twice.\n")]:
        inner, mail = mail, message(subject, body)
        mail.add_attachment(f"Attached to {subject}.", filename="note.txt")
        mail.add_attachment(inner)

    document = read(tmp_path, mail)

    told = [(level, text) for kind, level, text in shown(document) if kind == "heading"]
    assert told == [
        (1, "First"),
        (2, "note.txt"),
        (2, "Second.eml"),
        (3, "Second"),
        (4, "note.txt"),
        (4, "Third.eml"),
        (5, "Third"),
    ]
    assert "Attached to Second." in str(shown(document))
    assert "Never read." not in str(shown(document))
    (warning,) = document.warnings
    assert warning.startswith("Second.eml: Third.eml: What is attached to it was not read")


def test_more_attachments_than_anyone_reads_are_told(tmp_path: Path) -> None:
    mail = message()
    for n in range(MOST_ATTACHMENTS + 2):
        mail.add_attachment(bytes([0, n]) * 50, maintype="application", subtype="octet-stream", filename=f"{n}.bin")
    warnings = read(tmp_path, mail).warnings
    assert warnings[0] == f"Only the first {MOST_ATTACHMENTS} of {MOST_ATTACHMENTS + 2} attachments were read."
    assert len(warnings) == MOST_ATTACHMENTS + 1


@pytest.mark.parametrize("charset", ["gb18030", "cp1252", "utf-16"])
def test_a_body_whose_charset_is_not_said_or_wrong_is_read_right(tmp_path: Path, charset: str) -> None:
    text = (
        "Prüfung der Anträge für größere Beträge."
        if charset == "cp1252"
        else "员工报销制度规定：十个工作日内提交发票。"
    )
    for said in ("", "Content-Type: text/plain; charset=us-ascii\n", "Content-Type: text/plain; charset=no-such\n"):
        document = read(tmp_path, f"Subject: a\n{said}\n".encode() + text.encode(charset))
        assert document.blocks[-1].text == text


def test_an_email_that_says_nothing_or_is_encrypted_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentRefused, match="no text"):
        read(tmp_path, message(body="\n"))
    with pytest.raises(DocumentRefused, match="encrypted"):
        read(tmp_path, b"Subject: a\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nAAAA")


@pytest.mark.parametrize("header", ["Date: yesterday", "From: <", "Subject: =?no-such?q?a?=", "To: \xff\x00", "Date:"])
def test_headers_that_break_the_rules_do_not_keep_an_email_out(tmp_path: Path, header: str) -> None:
    document = read(tmp_path, f"{header}\n\nThe deposit is 20 euros.\n".encode("latin-1"))
    assert document.blocks[-1].text == "The deposit is 20 euros."
    assert document.date is None
