"""Bytes to what kind of file they are, whatever its name says."""

import io
import zipfile
from pathlib import PurePath
from typing import IO

from retrieval.errors import DocumentRefused, RefusalCause

MAX_ARCHIVE_ENTRIES = 2_000
MAX_UNPACKED_BYTES = 25_000_000
MAX_UNPACKED_RATIO = 100

_MAGIC = (
    (b"%PDF-", "PDF"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Office"),
    (b"PK\x03\x04", "archive"),
    (b"PK\x05\x06", "archive"),
    (b"\x89PNG\r\n\x1a\n", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF8", "image"),
    (b"II*\x00", "image"),
    (b"MM\x00*", "image"),
    (b"{\\rtf", "RTF"),
    (b"MZ", "program"),
    (b"\x7fELF", "program"),
    (b"\xcf\xfa\xed\xfe", "program"),
    (b"\x1f\x8b", "archive"),
    (b"7z\xbc\xaf\x27\x1c", "archive"),
    (b"Rar!\x1a\x07", "archive"),
)
_OFFICE_FOLDERS = {"word": "Word", "ppt": "PowerPoint", "xl": "Excel"}
_SUFFIXES = {
    "Word": (".docx", ".docm", ".dotx"),
    "PowerPoint": (".pptx", ".pptm", ".ppsx"),
    "Excel": (".xlsx", ".xlsm"),
    "old Office": (".doc", ".xls", ".ppt"),
    "image": (".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".webp"),
    "RTF": (".rtf",),
    "HTML": (".html", ".htm", ".xhtml"),
    "archive": (".zip", ".gz", ".7z", ".rar", ".epub", ".odt", ".ods", ".odp"),
    "program": (".exe", ".dll", ".so", ".bin"),
    "PDF": (".pdf",),
    "Markdown": (".md", ".markdown"),
    "text": (".txt", ".text", ".log", ".rst", ""),
}
_SIGN_IN = (b"sign in", b"signin", b"log in", b'type="password"', b"slack")
_READABLE = "Markdown, text, PDF, Word (.docx) and HTML files can be read so far."

OWN_KINDS = frozenset({"Markdown", "text"})
READABLE_KINDS = OWN_KINDS | {"PDF", "Word", "HTML"}


def kind_of(data: bytes, name: str) -> str:
    """One of READABLE_KINDS. Raises DocumentRefused for all else, and where name and content disagree in a way
    that makes the content doubtful."""
    suffix = PurePath(name).suffix.lower()
    found = _by_content(data)
    if found == "PDF" or (suffix == ".pdf" and b"%PDF-" in data[:1024]):
        return "PDF"
    if found == "text":
        return _text_by_name(suffix, name)
    if found == "HTML" and suffix not in _SUFFIXES["HTML"]:
        _refuse_sign_in_page(data, name)
    if found in ("archive", "old Office"):
        found = _office(data, found, name)
    if found in READABLE_KINDS and suffix in _SUFFIXES[found]:
        return found
    if suffix not in _SUFFIXES[found] and any(suffix in known for known in _SUFFIXES.values()):
        raise DocumentRefused(
            RefusalCause.TYPE_MISMATCH,
            f"“{name}” is not what its name says: its content is {_named(found)}. {_READABLE}",
        )
    raise DocumentRefused(RefusalCause.UNSUPPORTED, f"“{name}” is {_named(found)}. {_READABLE}")


def _named(kind: str) -> str:
    names = {"image": "an image", "archive": "an archive", "program": "a program", "old Office": "an old Office file"}
    return names.get(kind, f"{'an' if kind[0] in 'RHE' else 'a'} {kind} file")


def _by_content(data: bytes) -> str:
    for magic, kind in _MAGIC:
        if data.startswith(magic) and (kind != "program" or b"\x00" in data[:4096]):
            return kind
    start = data[:2048].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "HTML"
    return "image" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else "text"


def _text_by_name(suffix: str, name: str) -> str:
    if suffix in _SUFFIXES["Markdown"]:
        return "Markdown"
    if suffix in _SUFFIXES["text"]:
        return "text"
    if suffix in _SUFFIXES["HTML"]:
        return "HTML"
    if any(suffix in known for known in _SUFFIXES.values()):
        raise DocumentRefused(
            RefusalCause.TYPE_MISMATCH,
            f"“{name}” is not what its name says: it is no {suffix[1:].upper()} file. {_READABLE}",
        )
    raise DocumentRefused(RefusalCause.UNSUPPORTED, f"“{name}” is of a kind that cannot be read. {_READABLE}")


def _refuse_sign_in_page(data: bytes, name: str) -> None:
    start = data[:20_000].lower()
    if any(sign in start for sign in _SIGN_IN):
        raise DocumentRefused(
            RefusalCause.HTML_LOGIN,
            f"Instead of “{name}” a sign-in page arrived. The bot needs the files:read scope to download files.",
        )


def _office(data: bytes, found: str, name: str) -> str:
    """What kind of Office file it is. Raises DocumentRefused for macros, passwords and unpacking bombs."""
    if found == "old Office":
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise DocumentRefused(
                RefusalCause.ENCRYPTED, f"“{name}” is protected by a password. Save it without and send it again."
            )
        if "_VBA_PROJECT".encode("utf-16-le") in data:
            raise _macro(name)
        return found
    if not data.startswith(b"PK"):
        return found
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _zipped(archive, name)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError, EOFError) as error:
        raise DocumentRefused(RefusalCause.CORRUPT, f"“{name}” is damaged: its parts cannot be unpacked.") from error


def _zipped(archive: zipfile.ZipFile, name: str) -> str:
    entries = archive.infolist()
    if len(entries) > MAX_ARCHIVE_ENTRIES:
        raise _too_much(name, f"more than {MAX_ARCHIVE_ENTRIES:,} parts")
    if any(entry.filename.lower().endswith("vbaproject.bin") for entry in entries):
        raise _macro(name)
    left = MAX_UNPACKED_BYTES
    for entry in entries:
        entry.file_size = MAX_UNPACKED_BYTES + 1  # what the archive says may be wrong, and would cut the count short
        with archive.open(entry) as part:
            size = _unpacked(part, left)
        left -= size
        if left < 0 or size > max(1_000_000, MAX_UNPACKED_RATIO * entry.compress_size):
            megabytes = MAX_UNPACKED_BYTES // 1_000_000
            raise _too_much(name, f"more than {megabytes} MB or {MAX_UNPACKED_RATIO} times its size")
    tops = {entry.filename.partition("/")[0] for entry in entries}
    return next((kind for folder, kind in _OFFICE_FOLDERS.items() if folder in tops), "archive")


def _unpacked(part: IO[bytes], limit: int) -> int:
    """Bytes in a part, counted while unpacking."""
    size = 0
    while size <= limit and (piece := part.read(65_536)):
        size += len(piece)
    return size


def _macro(name: str) -> DocumentRefused:
    return DocumentRefused(
        RefusalCause.MACRO, f"“{name}” holds macros, which are not taken in. Save it without macros and send it again."
    )


def _too_much(name: str, what: str) -> DocumentRefused:
    return DocumentRefused(RefusalCause.ARCHIVE_LIMITS, f"“{name}” is refused because it unpacks to {what}.")
