"""E-mails: who wrote what to whom, and the files that came with it."""

import datetime as dt
import email
import json
import mimetypes
from collections.abc import Iterator, Sequence
from dataclasses import replace
from email.message import EmailMessage, MIMEPart
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path, PurePosixPath

import regex

from retrieval.confined import PARTS
from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.library.attachments import PART_NAMES
from retrieval.library.encoding import decode
from retrieval.library.plain import read_plain
from retrieval.library.readers.text import read_text
from retrieval.library.sources import uploaded_name
from retrieval.types import Block, ParsedDocument
from retrieval.visible import visible

MOST_ATTACHMENTS = 30
_SHOWN = ("From", "To", "Cc", "Date")
_LOCKED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_ODD = (LookupError, ValueError, TypeError, AttributeError)
"""What the standard library raises for headers and bodies that break the rules."""
_LETTER = regex.compile(r"[\p{L}\p{N}]")


def read_mail(source: Path, name: str) -> ParsedDocument:
    """Its subject as heading, its other headers as a paragraph, its text. A body in HTML and the files that came with
    it are left as parts."""
    message = email.message_from_bytes(source.read_bytes(), policy=default)
    if message.get_content_type() in _LOCKED:
        raise DocumentRefused(RefusalCause.ENCRYPTED, f"“{name}” is encrypted. Save what it says and send that.")
    read = read_text(_plain_body(message, name), name, read_plain)
    blocks = [replace(block, kind="paragraph", level=0) if block.kind == "heading" else block for block in read.blocks]
    html = None if blocks else message.get_body(("html",))
    files: list[tuple[str | None, bytes]] = [(None, _bytes(html))] if html else []
    attached = list(_attachments(message))
    files += [(_name(part, n), _bytes(part)) for n, part in enumerate(attached[:MOST_ATTACHMENTS], 1)]
    if not blocks and not files:
        raise DocumentRefused(RefusalCause.NO_TEXT, f"“{name}” holds no text.")
    _leave(files)
    title = _header(message, "Subject") or PurePosixPath(name).stem
    headers = "\n".join(f"{header}: {value}" for header in _SHOWN if (value := _header(message, header)))
    too_many = f"Only the first {MOST_ATTACHMENTS} of {len(attached)} attachments were read."
    return replace(
        read,
        title=title,
        blocks=(Block("heading", title, level=1), Block("paragraph", headers), *blocks),
        parser="e-mail",
        date=_date(message),
        warnings=(too_many,) if len(attached) > MOST_ATTACHMENTS else (),
    )


def _header(message: MIMEPart, name: str) -> str:
    try:
        return " ".join(visible(str(message[name] or "")).split())
    except _ODD:
        return ""


def _date(message: EmailMessage) -> dt.date | None:
    try:
        return parsedate_to_datetime(_header(message, "Date")).date()
    except _ODD:
        return None


def _plain_body(message: EmailMessage, name: str) -> str:
    """ "" where there is none that says anything."""
    body = message.get_body(("plain",))
    data = _bytes(body) if body else b""
    try:
        text = data.decode(body.get_content_charset("ascii")) if body else ""
    except _ODD:
        text = decode(data, name)
    return text if _LETTER.search(text) else ""


def _bytes(part: MIMEPart) -> bytes:
    """What it holds, as it was before it was sent; of a message, all of it."""
    if part.get_content_type() == "message/rfc822":
        return b"".join(inner.as_bytes() for inner in part.iter_parts())
    found = part.get_payload(decode=True)
    return found if isinstance(found, bytes) else b""


def _attachments(message: EmailMessage) -> Iterator[MIMEPart]:
    """Files that came with it; not the pictures that its body shows."""
    for part in message.iter_attachments():
        is_shown = part.get_content_maintype() == "image" and part.get_content_disposition() != "attachment"
        if isinstance(part, MIMEPart) and not is_shown:
            yield part


def _name(part: MIMEPart, number: int) -> str:
    """As its sender named it; attached e-mails by their subject."""
    if part.get_content_type() == "message/rfc822":
        subject = next((_header(inner, "Subject") for inner in part.iter_parts()), "")
        return f"{subject or f'message {number}'}.eml"
    unnamed = f"attachment {number}{mimetypes.guess_extension(part.get_content_type()) or ''}"
    try:
        return uploaded_name(part.get_filename("") or unnamed)
    except _ODD:
        return unnamed


def _leave(files: Sequence[tuple[str | None, bytes]]) -> None:
    if files:
        PARTS.mkdir()
        for number, (_, data) in enumerate(files):
            (PARTS / str(number)).write_bytes(data)
        (PARTS / PART_NAMES).write_text(json.dumps([name for name, _ in files]), "utf-8")
