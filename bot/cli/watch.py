"""A folder to documents that follow it: what is new or changed is taken in, what is gone may be deleted."""

import threading
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

import watchfiles

from bot.cli.output import to_stderr
from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.types import IngestReport, SourceFile

_SETTLED_MS = 1_600
"""Quiet for so long, a folder is looked at: whoever copies a large file into it is done by then."""
_LOOK_ANYWAY_MS = 60_000
"""Network folders tell of no changes, and a service that failed may be back."""
_MAY_PASS = (None, RefusalCause.EMBEDDING_FAILED)
"""Reasons of failures that are not the file's."""

Stamp = tuple[int, int, int]


@dataclass
class FolderWatch:
    """What the files of a folder were when they were last taken in. Only those are ever deleted.

    `delete` deletes the document of a file that is gone, and tells whether that is settled; None: such documents stay.
    """

    list_files: Callable[[], Sequence[SourceFile]]
    take_in: Callable[[SourceFile], IngestReport]
    tell: Callable[[IngestReport], None]
    delete: Callable[[str], bool] | None
    _known: dict[str, Stamp] = field(default_factory=dict)
    _failures: dict[str, str] = field(default_factory=dict)

    def follow(self, folder: Path, stop: threading.Event) -> None:
        """Catches up whenever something has changed, until stopped."""
        changes = watchfiles.watch(
            folder,
            watch_filter=None,
            debounce=_SETTLED_MS,
            rust_timeout=_LOOK_ANYWAY_MS,
            yield_on_timeout=True,
            stop_event=stop,
        )
        for _ in changes:
            self.catch_up(stop)

    def catch_up(self, stop: threading.Event) -> None:
        """Takes in what is new or changed since the last time."""
        try:
            files = {file.document: file for file in self.list_files()}
        except DocumentRefused as refused:
            self._tell_once(str(refused))
            return
        for document, file in files.items():
            if stop.is_set():
                return
            stamp = _stamp(file.path)
            if stamp and self._known.get(document) != stamp:
                self._take_in(file, stamp)
        self._forget_all_but(files.keys())

    def _take_in(self, file: SourceFile, stamp: Stamp) -> None:
        """A failure that may pass is tried again, and told once."""
        report = self.take_in(file)
        failed = report.status == "failed"
        if not failed or self._failures.get(file.document) != report.message:
            self.tell(report)
        self._failures[file.document] = report.message if failed else ""
        if not failed or report.reason not in _MAY_PASS:
            self._known[file.document] = stamp

    def _forget_all_but(self, there: Set[str]) -> None:
        gone = self._known.keys() - there
        if self.delete and gone and not there:
            self._tell_once("all files are gone at once: nothing is deleted, the folder may have been unmounted")
            return
        self._failures.pop("", None)
        for document in sorted(gone):
            if self.delete is None or self.delete(document):
                del self._known[document]

    def _tell_once(self, message: str) -> None:
        """What is wrong with the folder itself."""
        if self._failures.get("") != message:
            to_stderr(message)
        self._failures[""] = message


def _stamp(path: Path) -> Stamp | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
