"""The first bytes of a file to what kind of file it is, whatever its name says."""

from pathlib import PurePath
from typing import Literal

import regex

from retrieval.errors import DocumentRefused, RefusalCause

Kind = Literal[
    "Markdown", "text", "CSV", "e-mail", "HTML", "PDF", "Word", "PowerPoint", "Excel", "old Office", "RTF", "EPUB",
    "OpenDocument", "image",
]  # fmt: skip
Content = Kind | Literal["archive", "program"]
"""Kinds, and what a file can be besides. "archive" and "old Office" have to be looked into to know."""

START_BYTES = 20_000
READABLE = (
    "What can be read: PDF, Word, PowerPoint, Excel, OpenDocument, RTF, EPUB, HTML, Markdown, text, CSV, e-mails "
    "(.eml) and images."
)
_MAGIC: tuple[tuple[bytes, Content], ...] = (
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
_SUFFIXES: dict[Content, tuple[str, ...]] = {
    "Word": (".docx", ".docm", ".dotx"),
    "PowerPoint": (".pptx", ".pptm", ".ppsx", ".potx"),
    "Excel": (".xlsx", ".xlsm", ".xltx"),
    "old Office": (".doc", ".xls", ".ppt"),
    "OpenDocument": (".odt", ".ods", ".odp"),
    "EPUB": (".epub",),
    "image": (".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".webp"),
    "RTF": (".rtf",),
    "HTML": (".html", ".htm", ".xhtml"),
    "archive": (".zip", ".gz", ".7z", ".rar"),
    "program": (".exe", ".dll", ".so", ".bin"),
    "PDF": (".pdf",),
    "Markdown": (".md", ".markdown"),
    "CSV": (".csv", ".tsv"),
    "e-mail": (".eml",),
    "text": (".txt", ".text", ".log", ".rst", ""),
}
_KNOWN_SUFFIXES = frozenset(suffix for suffixes in _SUFFIXES.values() for suffix in suffixes)
_WRITTEN: tuple[Kind, ...] = ("Markdown", "text", "CSV", "e-mail", "HTML")
"""Kinds that are text, and so only told apart by their names."""
_UNMISTAKABLE: tuple[Kind, ...] = (
    "PDF", "Word", "PowerPoint", "Excel", "old Office", "OpenDocument", "EPUB", "RTF",
)  # fmt: skip
"""Kinds that are read under any name."""
_HTML = regex.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype html|html)\b", regex.I | regex.S
)
_SIGN_IN = (b"sign in", b"signin", b"log in", b'type="password"', b"slack")
_NAMES = {
    "image": "an image",
    "archive": "an archive",
    "program": "a program",
    "old Office": "a file of an old Office",
    "e-mail": "an e-mail",
}


def content_of(start: bytes) -> Content:
    """What a file is that starts so, "text" where nothing says otherwise."""
    for magic, kind in _MAGIC:
        if start.startswith(magic) and (kind != "program" or b"\x00" in start[:4096]):
            return kind
    if _HTML.match(start):
        return "HTML"
    is_image = (start[:4] == b"RIFF" and start[8:12] == b"WEBP") or (start[:2] == b"BM" and start[6:10] == bytes(4))
    return "image" if is_image else "text"


def kind_of(content: Content, start: bytes, name: str) -> Kind:
    """The kind as which a file of that content is read. Raises DocumentRefused where it cannot be, and where its name
    makes its content doubtful."""
    suffix = PurePath(name).suffix.lower()
    if suffix == ".pdf" and b"%PDF-" in start[:1024]:
        return "PDF"
    if content == "HTML" and suffix not in _SUFFIXES["HTML"]:
        _refuse_sign_in_page(start, name)
    if kind := _readable_as(content, suffix):
        return kind
    if suffix in _KNOWN_SUFFIXES - set(_SUFFIXES[content]):
        what = f"it is no {suffix[1:].upper()} file" if content == "text" else f"its content is {named(content)}"
        raise DocumentRefused(RefusalCause.TYPE_MISMATCH, f"“{name}” is not what its name says: {what}. {READABLE}")
    what = "of a kind that cannot be read" if content == "text" else named(content)
    raise DocumentRefused(RefusalCause.UNSUPPORTED, f"“{name}” is {what}. {READABLE}")


def _readable_as(content: Content, suffix: str) -> Kind | None:
    if content == "text":
        return next((kind for kind in _WRITTEN if suffix in _SUFFIXES[kind]), None)
    if content == "archive" or content == "program":  # so spelt for the type checker
        return None
    fits = content in _UNMISTAKABLE or suffix in _SUFFIXES[content] or suffix not in _KNOWN_SUFFIXES
    return content if fits else None


def is_named_so(kind: Kind, name: str) -> bool:
    """Whether the name says the same as the content."""
    return PurePath(name).suffix.lower() in _SUFFIXES[kind]


def named(content: Content) -> str:
    """The kind in a sentence: “a Word file”."""
    return _NAMES.get(content, f"{'an' if content[0] in 'ERHO' else 'a'} {content} file")


def _refuse_sign_in_page(start: bytes, name: str) -> None:
    if any(sign in start.lower() for sign in _SIGN_IN):
        raise DocumentRefused(
            RefusalCause.HTML_LOGIN,
            f"Instead of “{name}” a sign-in page arrived. The bot needs the files:read scope to download files.",
        )
