"""What is known of a file before any parser sees it: whether it is taken in, and as what."""

import stat
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath

from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.library.kind import READABLE, START_BYTES, Content, Kind, content_of, is_named_so, kind_of, named
from retrieval.library.packages import locked, macros, package_of
from retrieval.library.pictures import MOST_PIXELS, pixels_of
from retrieval.types import SourceFile

_OLD_OFFICE = ("WordDocument", "Workbook", "Book", "PowerPoint Document")
"""Streams of which one is in each file of an old Office."""
_NEW_OFFICE_SUFFIXES = (".docx", ".xlsx", ".pptx")
_HEADER_BYTES = 1_000_000
"""That a JPEG's preview may stand before its size."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """A file that may be read. `cells` counts those of its sheets; `warnings` are for the one who brought it."""

    kind: Kind
    cells: int = 0
    warnings: tuple[str, ...] = ()


def admitted(file: SourceFile, max_bytes: int) -> Admitted:
    """What the file is, by its content. Takes under a tenth of a second for all but very large archives.

    Raises DocumentRefused for what cannot be read, and for what would harm or hold up whoever reads it.
    """
    name = PurePosixPath(file.document).name
    try:
        start = _start(file.path, name, max_bytes)
        content, cells = _looked_into(file.path, content_of(start), start, name)
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        raise DocumentRefused(RefusalCause.UNREADABLE, f"“{name}” cannot be opened: {reason}.") from error
    kind = kind_of(content, start, name)
    told = () if is_named_so(kind, name) else (f"It was read as what it is, in spite of its name: {named(kind)}.",)
    return Admitted(kind, cells, told)


def _start(path: Path, name: str, max_bytes: int) -> bytes:
    """The first bytes of a file of a fitting size."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise DocumentRefused(RefusalCause.UNREADABLE, f"“{name}” is not a file.")
    if found.st_size > max_bytes:
        message = f"“{name}” has {found.st_size / 1e6:,.0f} MB; files up to {max_bytes // 1_000_000} MB are taken in."
        raise DocumentRefused(RefusalCause.TOO_LARGE, message)
    with path.open("rb") as file:
        start = file.read(START_BYTES)
    if not start:
        raise DocumentRefused(RefusalCause.EMPTY, f"“{name}” is empty.")
    return start


def _looked_into(path: Path, content: Content, start: bytes, name: str) -> tuple[Content, int]:
    """What it is in the end, and its cells. Raises DocumentRefused, OSError."""
    if content == "archive" and start.startswith(b"PK"):
        return package_of(path, name)
    if content == "old Office":
        _refuse_locked(path.read_bytes(), name)
    if content == "image":
        with path.open("rb") as file:
            pixels = pixels_of(file.read(_HEADER_BYTES))
        if pixels > MOST_PIXELS:
            most = f"{MOST_PIXELS // 1_000_000} million"
            message = f"“{name}” has more than {most} pixels. Make the picture smaller and send it again."
            raise DocumentRefused(RefusalCause.TOO_LARGE, message)
    return content, 0


def _refuse_locked(data: bytes, name: str) -> None:
    """Old Office files also carry the new ones that have a password."""
    streams = [stream for stream in _OLD_OFFICE if stream.encode("utf-16-le") in data]
    is_new = not streams and PurePath(name).suffix.lower() in _NEW_OFFICE_SUFFIXES
    if is_new or "EncryptedPackage".encode("utf-16-le") in data:
        raise locked(name)
    if "_VBA_PROJECT".encode("utf-16-le") in data:
        raise macros(name)
    if not streams:
        raise DocumentRefused(RefusalCause.UNSUPPORTED, f"“{name}” is of a kind that cannot be read. {READABLE}")
