"""A directory to the subfolder that holds its keyword index: one for each format, scheme of terms and attempt."""

import logging
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from retrieval.adapters.tantivy_index.snapshot import ERRORS, Snapshot
from retrieval.text import SCHEME

log = logging.getLogger(__name__)

_FORMAT = 1
"""Grows when the fields of the index change."""
_NAME = re.compile(r"f(\d+)-terms(\d+)-(\d+)")
Key = tuple[int, int, int]


def open_newest(directory: Path, *, damaged: Path | None) -> Snapshot:
    """The newest index of our format and scheme, or an empty one under the next number when there is none or
    it cannot be read or is known as `damaged`. Call it with the directory's lock held.

    Raises OSError when the directory cannot be written.
    """
    mine = {key: path for key, path in _folders(directory) if key[:2] == (_FORMAT, SCHEME)}
    newest = max(mine, default=(_FORMAT, SCHEME, 0))
    if newest in mine and mine[newest] != damaged:
        try:
            return Snapshot.open(mine[newest])
        except ERRORS as error:
            log.warning("keyword index %s cannot be read and will be made again: %s", mine[newest], error)
    return _begin(directory, (*newest[:2], newest[2] + 1))


def _begin(directory: Path, key: Key) -> Snapshot:
    folder = directory / "f{}-terms{}-{}".format(*key)
    folder.mkdir()
    snapshot = Snapshot.open(folder)
    for older, path in list(_folders(directory)):
        if older < key:
            shutil.rmtree(path, ignore_errors=True)  # processes that have it open can still read it
    return snapshot


def _folders(directory: Path) -> Iterator[tuple[Key, Path]]:
    for path in directory.iterdir():
        if name := _NAME.fullmatch(path.name):
            yield (int(name[1]), int(name[2]), int(name[3])), path
