"""A file's content to the suffix under which MinerU takes it: it goes by the name too."""

import zipfile
from pathlib import Path

_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLD_STREAMS = {"WordDocument": ".doc", "Workbook": ".xls", "Book": ".xls", "PowerPoint Document": ".ppt"}
"""Streams of compound files, whose names are UTF-16, by what they are streams of."""
_PARTS = {"word/": ".docx", "ppt/": ".pptx", "xl/": ".xlsx"}
_MIME_TYPES = {
    "application/epub+zip": ".epub",
    "application/vnd.oasis.opendocument.text": ".odt",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
    "application/vnd.oasis.opendocument.presentation": ".odp",
}
_LONGEST_MIME_TYPE = 100
_IMAGES = {
    b"\x89PNG": ".png",
    b"\xff\xd8\xff": ".jpg",
    b"GIF8": ".gif",
    b"II*\x00": ".tiff",
    b"MM\x00*": ".tiff",
    b"BM": ".bmp",
    b"RIFF": ".webp",
}


def suffix_of(path: Path) -> str:
    """With its dot. ".html" for what is none of the others."""
    with path.open("rb") as file:
        start = file.read(1024)
    if b"%PDF-" in start:
        return ".pdf"
    if start.startswith(b"PK"):
        return _zipped(path)
    if start.startswith(_OLD_OFFICE):
        content = path.read_bytes()
        return next((s for name, s in _OLD_STREAMS.items() if name.encode("utf-16-le") in content), ".doc")
    if start.startswith(b"{\\rtf"):
        return ".rtf"
    return next((suffix for magic, suffix in _IMAGES.items() if start.startswith(magic)), ".html")


def _zipped(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            if "mimetype" in names:
                with archive.open("mimetype") as part:
                    told = part.read(_LONGEST_MIME_TYPE).decode("ascii", "replace").strip()
                return _MIME_TYPES.get(told, ".docx")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError):
        return ".docx"
    return next((suffix for part, suffix in _PARTS.items() if any(name.startswith(part) for name in names)), ".docx")
