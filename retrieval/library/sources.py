"""Paths and names of files to the documents they are: keys that stay the same and are safe to show."""

import datetime as dt
import hashlib
import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import regex

from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.types import SourceFile
from retrieval.visible import visible

LONGEST_NAME = 120
"""Characters in the name of an uploaded file."""

_SPACES = regex.compile(r"\s+")
_BRACKETS = str.maketrans("<>", "()")
_NAMELESS = "document"
_LONGEST_SUFFIX = 10


def documents_in(
    path: Path, *, visibility: str | None = None, tags: tuple[str, ...] | None = None, date: dt.date | None = None
) -> list[SourceFile]:
    """The file at a path, or all files below a folder, sorted by key.

    Keys are paths relative to the folder. Hidden files and links that lead out of the folder are left out.
    Raises DocumentRefused when there is nothing at the path.
    """
    if path.is_file():
        return [SourceFile(uploaded_name(path.name), path, visibility, tags, date)]
    if not path.is_dir():
        raise DocumentRefused(RefusalCause.UNREADABLE, f"There is no file or folder at “{path}”.")
    found: dict[str, Path] = {}
    for relative, file in sorted((file.relative_to(path).as_posix(), file) for file in _files_below(path)):
        key = "/".join(map(_neutral, relative.split("/")))
        found[_marked(key, relative) if key in found else key] = file
    return [SourceFile(key, found[key], visibility, tags, date) for key in sorted(found)]


def _marked(name: str, original: str) -> str:
    """The name with a mark that tells it from others which look like it."""
    stem, dot, suffix = name.rpartition(".")
    suffix = dot + suffix if stem and len(suffix) <= _LONGEST_SUFFIX else ""
    mark = "…" + hashlib.sha256(original.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return name.removesuffix(suffix)[: LONGEST_NAME - len(mark) - len(suffix)] + mark + suffix


def _files_below(folder: Path) -> Iterator[Path]:
    root = folder.resolve()
    for at, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            file = Path(at) / name
            inside = not file.is_symlink() or file.resolve().is_relative_to(root)
            if not name.startswith(".") and inside and file.is_file():
                yield file


def uploaded_name(name: str) -> str:
    """The key of a file that came without a folder: its bare name, on one line, never empty.

    Names are kept as people wrote them, in any script; two different names stay different.
    """
    bare = _neutral(PurePosixPath(name.replace("\\", "/")).name)
    if not bare.strip(". "):
        return _NAMELESS
    return bare if len(bare) <= LONGEST_NAME else _marked(bare, bare)


def _neutral(name: str) -> str:
    """A name that is one line of visible text and cannot be taken for markup."""
    decodable = name.encode("utf-8", "replace").decode("utf-8")
    line = _SPACES.sub(" ", visible(unicodedata.normalize("NFC", decodable))).strip()
    return line.translate(_BRACKETS)
