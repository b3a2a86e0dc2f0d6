"""A PDF, Word or HTML file to a parsed document, by a child process that can be stopped at any time."""

import contextlib
import json
import logging
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import retrieval
from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.types import Block, HiddenText, ParsedDocument, SourceFile

PROGRESS = "footnote: page "
"""Starts a line of the child's output that says how far it is: "footnote: page 20 of 200"."""

_log = logging.getLogger(__name__)
_MESSAGES = {
    RefusalCause.ENCRYPTED: "“{name}” is protected by a password. Save it without the password and send it again.",
    RefusalCause.CORRUPT: "“{name}” is damaged and cannot be read. Export it again and send the new file.",
    RefusalCause.NO_TEXT: "“{name}” holds no text that can be read; if it is scanned, send a PDF with a text layer.",
    RefusalCause.TOO_LARGE: "“{name}” has too many pages. Split it into parts and send them one by one.",
    RefusalCause.TOO_SLOW: "“{name}” took too long to read and was given up. Export it again or split it into parts.",
}


class MinerUParser:
    """Reads PDFs with a text layer, Word files and HTML, told apart by their first bytes. A DocumentParser.

    The child gets `base_seconds` and `seconds_per_page` for each page, `longest_seconds` at most, limited
    memory, and a private folder that holds nothing but the file.
    """

    def __init__(self, *, base_seconds: float = 30, seconds_per_page: float = 2, longest_seconds: float = 600) -> None:
        self._base_seconds = base_seconds
        self._seconds_per_page = seconds_per_page
        self._longest_seconds = longest_seconds
        self._at_once = threading.BoundedSemaphore(2)

    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        """Blocks, with page numbers from 1 where the file has pages. Raises DocumentRefused."""
        name = PurePosixPath(file.document).name
        with self._at_once, tempfile.TemporaryDirectory(prefix="footnote-") as folder:
            try:
                source = Path(folder) / f"input{_suffix(file.path)}"
                shutil.copyfile(file.path, source)
            except OSError as error:
                reason = (error.strerror or "unknown error").lower()
                raise DocumentRefused(RefusalCause.UNREADABLE, f"“{name}” cannot be read: {reason}.") from error
            result = self._result(source, name, progress)
        cause = result.get("refused")
        if cause:
            raise _refused(RefusalCause(cause), name)
        return ParsedDocument(
            title=result["title"] or PurePosixPath(name).stem,
            blocks=tuple(Block(**block) for block in result["blocks"]),
            parser="mineru-flash",
            pages=result["pages"],
            warnings=tuple(result["warnings"]),
            hidden=tuple(HiddenText(**text) for text in result["hidden"]),
        )

    def _result(self, source: Path, name: str, progress: Callable[[str], None]) -> dict[str, Any]:
        folder = source.parent
        output = folder / "output.json"
        with (folder / "errors.txt").open("wb") as errors:
            child = subprocess.Popen(
                [sys.executable, "-P", "-m", "retrieval.adapters.mineru_parser", source.name, output.name],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=folder,
                env=_environment(folder),
                start_new_session=True,
            )
        try:
            in_time = self._followed(child, name, progress)
        finally:
            _stop(child)
        if output.exists():
            return dict(json.loads(output.read_text("utf-8")))
        tail = (folder / "errors.txt").read_text("utf-8", "replace")[-2000:]
        _log.warning("reading %s ended with code %s: %s", name, child.returncode, tail)
        raise _refused(RefusalCause.CORRUPT if in_time else RefusalCause.TOO_SLOW, name)

    def _followed(self, child: "subprocess.Popen[bytes]", name: str, progress: Callable[[str], None]) -> bool:
        """Passes on the child's progress until its output ends. False when its time ran out before."""
        assert child.stdout is not None  # noqa: S101 - tells the type checker about PIPE
        started = time.monotonic()
        seconds = self._base_seconds
        pending = b""
        while (left := started + seconds - time.monotonic()) > 0:
            if not select.select([child.stdout], [], [], left)[0]:
                return False
            read = os.read(child.stdout.fileno(), 65_536)
            if not read:
                return True
            *lines, pending = (pending + read).split(b"\n")
            for line in lines:
                page, _, pages = line.decode("utf-8", "replace").removeprefix(PROGRESS).partition(" of ")
                if line.startswith(PROGRESS.encode()) and pages.isdigit():
                    seconds = min(self._base_seconds + self._seconds_per_page * int(pages), self._longest_seconds)
                    progress(f"{name}: page {page} of {pages}")
        return False


def _suffix(path: Path) -> str:
    """Under which MinerU takes the file: it goes by the name too."""
    with path.open("rb") as file:
        start = file.read(1024)
    if b"%PDF-" in start:
        return ".pdf"
    return ".docx" if start.startswith(b"PK") else ".html"


def _environment(folder: Path) -> dict[str, str]:
    """What the child may know: no tokens, no proxies, and no way to fetch models."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TZ") if name in os.environ}
    return kept | {
        "PYTHONPATH": str(Path(retrieval.__file__).parent.parent),
        "PYTHONWARNINGS": "ignore",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "MINERU_HOME": str(folder / "mineru"),
        "MINERU_MODEL_SOURCE": "local",
        "HF_HUB_OFFLINE": "1",
    }


def _stop(child: "subprocess.Popen[bytes]") -> None:
    """Ends the child and all it started. It leads a process group of its own, not yet reaped here."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    if child.stdout:
        child.stdout.close()


def _refused(cause: RefusalCause, name: str) -> DocumentRefused:
    return DocumentRefused(cause, _MESSAGES[cause].format(name=name))
