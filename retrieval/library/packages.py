"""Office files, which are archives of parts: what they are, and whether they are safe to hand to a parser.

Parts are unpacked piece by piece and thrown away; what the archive says of their sizes is not trusted.
"""

import zipfile
from collections import deque
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

import regex

from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.library.kind import Content
from retrieval.library.pictures import MOST_PIXELS, pixels_of

MOST_PARTS = 5_000
MOST_BYTES = 300_000_000
MOST_MARKUP_BYTES = 60_000_000
"""In one part; parsers hold several times as much in memory."""
MOST_RATIO = 200
MARKUP_FREE_BYTES, OTHER_FREE_BYTES = 20_000_000, 1_000_000
"""Below which a part may be packed as tightly as it likes: markup that repeats itself is."""
MOST_PARAGRAPHS = 50_000
MOST_CELLS = 500_000
"""Of a workbook: as many are more text than a document may hold."""
MOST_MERGED_CELLS = 200_000
_PIECE_BYTES = 262_144

_MANIFEST = "META-INF/manifest.xml"
_MARKUP = (".xml", ".rels", ".vml", ".html", ".xhtml", ".htm", ".opf", ".ncx")
_FOLDERS: dict[str, Content] = {"word": "Word", "ppt": "PowerPoint", "xl": "Excel"}
_MIMETYPES: tuple[tuple[bytes, Content], ...] = (
    (b"application/epub+zip", "EPUB"),
    (b"application/vnd.oasis.opendocument.", "OpenDocument"),
)
_DECLARATIONS = (b"<!DOCTYPE", b"<!ENTITY")
_PARAGRAPHS = tuple(start + end for start in (b":p", b"<p") for end in (b" ", b">", b"/"))
_CELLS = tuple(start + end for start in (b":c", b"<c") for end in (b" ", b">", b"/"))
"""Beginnings of tags, whatever prefix they have."""
_MERGED = regex.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?ref=[\"']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})")


@dataclass(slots=True)
class _Counts:
    """What has been seen so far."""

    size: int = 0
    paragraphs: int = 0
    cells: int = 0
    merged: int = 0


def package_of(path: Path, name: str) -> tuple[Content, int]:
    """What an archive is, and how many cells its sheets have. Raises DocumentRefused: for macros, passwords, and for
    what would unpack, or be read, to more than fits."""
    try:
        with zipfile.ZipFile(path) as archive:
            content = _content(archive, name)
            return content, _counted(archive, content, name).cells if content != "archive" else 0
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError, EOFError) as error:
        raise DocumentRefused(
            RefusalCause.CORRUPT, f"“{name}” is damaged: its parts cannot be unpacked. Export it again."
        ) from error


def _content(archive: zipfile.ZipFile, name: str) -> Content:
    """By the names of its parts. Raises DocumentRefused for macros and passwords."""
    parts = archive.namelist()
    if any(part.lower().endswith("vbaproject.bin") for part in parts):
        raise macros(name)
    tops = {part.partition("/")[0] for part in parts}
    for folder, kind in _FOLDERS.items():
        if folder in tops and "xl/workbook.bin" not in parts:
            return kind
    declared = _short(archive, "mimetype") if "mimetype" in parts else b""
    found: Content = next((kind for mimetype, kind in _MIMETYPES if declared.startswith(mimetype)), "archive")
    if found == "OpenDocument" and _MANIFEST in parts and b"encryption-data" in _short(archive, _MANIFEST):
        raise locked(name)
    return found


def _short(archive: zipfile.ZipFile, part: str) -> bytes:
    with _opened(archive, archive.getinfo(part)) as opened:
        return opened.read(_PIECE_BYTES)


def _counted(archive: zipfile.ZipFile, content: Content, name: str) -> _Counts:
    entries = archive.infolist()
    if len(entries) > MOST_PARTS:
        raise _too_much(name, f"has more than {MOST_PARTS:,} parts")
    most_markup = max((entry.file_size for entry in entries if _is_markup(entry)), default=0)
    if most_markup > MOST_MARKUP_BYTES or sum(entry.file_size for entry in entries) > MOST_BYTES:
        raise _too_much(name, "unpacks to more than can be read")
    counts = _Counts()
    forbidden = _DECLARATIONS[content == "EPUB" :]  # its pages are HTML, which has a DOCTYPE
    for entry in entries:
        with _opened(archive, entry) as part:
            pieces = _measured(_pieces(part), entry, counts, name)
            if _is_markup(entry):
                _look_through(pieces, entry.filename, forbidden, counts, name)
            else:
                _look_at_picture(next(pieces, b""), name)
                deque(pieces, maxlen=0)
    return counts


def _is_markup(entry: zipfile.ZipInfo) -> bool:
    return PurePosixPath(entry.filename).suffix.lower() in _MARKUP


def _opened(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IO[bytes]:
    entry = copy(entry)
    entry.file_size = MOST_BYTES + 1  # what the archive says may be wrong, and would cut the part short
    return archive.open(entry)


def _pieces(part: IO[bytes]) -> Iterator[bytes]:
    while piece := part.read(_PIECE_BYTES):
        yield piece


def _measured(pieces: Iterator[bytes], entry: zipfile.ZipInfo, counts: _Counts, name: str) -> Iterator[bytes]:
    """The pieces, until they are too many."""
    size = 0
    is_markup = _is_markup(entry)
    most = MOST_MARKUP_BYTES if is_markup else MOST_BYTES
    tight = max(MARKUP_FREE_BYTES if is_markup else OTHER_FREE_BYTES, MOST_RATIO * entry.compress_size)
    for piece in pieces:
        size += len(piece)
        counts.size += len(piece)
        if size > min(most, tight) or counts.size > MOST_BYTES:
            raise _too_much(name, "unpacks to more than can be read")
        yield piece


def _look_through(pieces: Iterator[bytes], part: str, forbidden: tuple[bytes, ...], counts: _Counts, name: str) -> None:
    """Counts what makes a parser slow, and refuses what makes it read other files or a text of its own making."""
    for text in _tags(pieces):
        if any(declaration in text for declaration in forbidden):
            message = f"“{name}” holds an XML part with declarations (DOCTYPE), as Office writes none. Export it again."
            raise DocumentRefused(RefusalCause.CORRUPT, message)
        if part.startswith("word/"):
            counts.paragraphs += sum(map(text.count, _PARAGRAPHS))
        elif part.startswith("xl/worksheets/"):
            counts.cells += sum(map(text.count, _CELLS))
            counts.merged += (
                sum(_area(*match.groups()) for match in _MERGED.finditer(text)) if b"mergeCell " in text else 0
            )
        if counts.paragraphs > MOST_PARAGRAPHS:
            raise _too_much(name, f"has more than {MOST_PARAGRAPHS:,} paragraphs")
        if counts.cells > MOST_CELLS:
            message = f"“{name}” has more than {MOST_CELLS:,} cells. Leave out what nobody asks for, or split it."
            raise DocumentRefused(RefusalCause.TOO_LARGE, message)
        if counts.merged > MOST_MERGED_CELLS:
            raise _too_much(name, f"merges more than {MOST_MERGED_CELLS:,} cells")


def _tags(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces cut before a tag, and in ASCII where they were in UTF-16."""
    rest = b""
    for piece in pieces:
        text = rest + piece.replace(b"\x00", b"")
        cut = text.rfind(b"<")
        cut = cut if cut > 0 and len(text) - cut < _PIECE_BYTES else len(text)
        yield text[:cut]
        rest = text[cut:]
    yield rest


def _merged(text: bytes) -> int:
    return sum(_area(*match.groups()) for match in _MERGED.finditer(text)) if b"mergeCell " in text else 0


def _area(left: bytes, top: bytes, right: bytes, bottom: bytes) -> int:
    return (_column(right) - _column(left) + 1) * (int(bottom) - int(top) + 1)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number


def _look_at_picture(start: bytes, name: str) -> None:
    if pixels_of(start) > MOST_PIXELS:
        raise _too_much(name, f"holds a picture of more than {MOST_PIXELS // 1_000_000} million pixels")


def macros(name: str) -> DocumentRefused:
    return DocumentRefused(
        RefusalCause.MACRO, f"“{name}” holds macros, which are not taken in. Save it without macros and send it again."
    )


def locked(name: str) -> DocumentRefused:
    return DocumentRefused(
        RefusalCause.ENCRYPTED, f"“{name}” is protected by a password. Save it without the password and send it again."
    )


def _too_much(name: str, what: str) -> DocumentRefused:
    return DocumentRefused(RefusalCause.ARCHIVE_LIMITS, f"“{name}” is refused because it {what}.")
