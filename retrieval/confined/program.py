"""Programs as the parser that starts them sees them: a file in, a document or a refusal out."""

import json
import logging
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from retrieval.confined.child import ERRORS, PARTS, PROGRESS, document_of
from retrieval.confined.processes import Process, fresh, warm
from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.types import ParsedDocument, SourceFile

CHILDREN_AT_ONCE = 2
MOST_RESULT_BYTES = 50_000_000
"""That a child may hand over: read, it takes several times as much memory here."""

_OUTPUT = "output.json"
_at_once = threading.BoundedSemaphore(CHILDREN_AT_ONCE)
_log = logging.getLogger(__name__)
_MESSAGES = {
    RefusalCause.ENCRYPTED: "“{name}” is protected by a password. Save it without the password and send it again.",
    RefusalCause.CORRUPT: "“{name}” is damaged and cannot be read. Export it again and send the new file.",
    RefusalCause.NO_TEXT: "“{name}” holds no text that can be read.",
    RefusalCause.TOO_LARGE: "“{name}” has too many pages or too much text. Split it into parts and send those.",
    RefusalCause.TOO_SLOW: "“{name}” took too long to read and was given up. Export it again or split it into parts.",
}


@dataclass(frozen=True, slots=True)
class Seconds:
    """What a child may take: `base`, and `per_page` for each page it tells of, `most` at the most."""

    base: float = 30
    per_page: float = 2
    most: float = 600


USUAL = Seconds()


@dataclass(frozen=True, slots=True)
class Program:
    """A module that reads files, with what it is told beside the file: by `arguments`, which everybody on the machine
    can see, or by its environment, which is for secrets. A `warm` one is kept loaded between files, and so has no
    environment of its own."""

    module: str
    seconds: Seconds = USUAL
    arguments: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    warm: bool = False

    def read(
        self, file: SourceFile, suffix: str, progress: Callable[[str], None], parts: Path | None = None
    ) -> ParsedDocument:
        """What the program made of the file, which it sees as `input` + suffix in a folder of its own. Files found
        within it are moved to the folder `parts`.

        Waits while others read. Raises DocumentRefused: by the program, or since it died or took too long.
        """
        name = PurePosixPath(file.document).name
        with _at_once, tempfile.TemporaryDirectory(prefix="footnote-") as at:
            folder = Path(at)
            source = folder / f"input{suffix}"
            _copy(file.path, source, name)
            found = self._run(source, name, progress)
            if parts and (folder / PARTS).is_dir():
                shutil.move(folder / PARTS, parts)
        if cause := found.get("refused"):
            raise DocumentRefused(RefusalCause(cause), found.get("message") or _told(RefusalCause(cause), name))
        return document_of(found, PurePosixPath(name).stem)

    def _run(self, source: Path, name: str, progress: Callable[[str], None]) -> dict[str, Any]:
        folder = source.parent
        start = warm if self.warm else partial(fresh, environment=self.environment)
        cause = RefusalCause.CORRUPT
        with start(self.module, folder, [source.name, _OUTPUT, *self.arguments]) as process:
            try:
                self._follow(process, name, progress)
            except TimeoutError:
                cause = RefusalCause.TOO_SLOW
        result = folder / _OUTPUT
        if result.exists() and result.stat().st_size > MOST_RESULT_BYTES:
            raise DocumentRefused(RefusalCause.TOO_LARGE, _told(RefusalCause.TOO_LARGE, name))
        if result.exists():
            return dict(json.loads(result.read_text("utf-8")))
        errors = folder / ERRORS
        tail = errors.read_text("utf-8", "replace")[-2000:] if errors.exists() else ""
        _log.warning("reading %s ended without a result: %s", name, tail)
        raise DocumentRefused(cause, _told(cause, name))

    def _follow(self, process: Process, name: str, progress: Callable[[str], None]) -> None:
        """Passes on how far the process is, until its end. Raises TimeoutError when its time has run out before."""
        started = time.monotonic()
        seconds = self.seconds.base
        while line := process.line(started + seconds):
            page, _, pages = line.strip().removeprefix(PROGRESS).partition(" of ")
            if line.startswith(PROGRESS) and pages.isdigit():
                seconds = min(self.seconds.base + self.seconds.per_page * int(pages), self.seconds.most)
                progress(f"{name}: page {page} of {pages}")


def _copy(path: Path, target: Path, name: str) -> None:
    try:
        shutil.copyfile(path, target)
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        raise DocumentRefused(RefusalCause.UNREADABLE, f"“{name}” cannot be read: {reason}.") from error


def _told(cause: RefusalCause, name: str) -> str:
    return _MESSAGES[cause].format(name=name)
