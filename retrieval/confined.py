"""Files to parsed documents by programs of ours in child processes: limited, without secrets, stoppable at any time.

A program is a module run as `python -m MODULE IN OUT.json`. It calls `confine`, reads IN, and writes with `answer` what
`document_fields` or `refused_fields` says of it. On the way it may tell how far it is with `tell_page`.
"""

import contextlib
import datetime as dt
import json
import logging
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import retrieval
from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.types import Block, HiddenText, ParsedDocument, SourceFile

_PROGRESS = "footnote: page "
MEMORY_BYTES = 4 * 1024**3
FILE_BYTES = 500 * 1024**2
CPU_SECONDS = 1_200
"""Ends a child whose parent died before it could."""
CHILDREN_AT_ONCE = 2

_at_once = threading.BoundedSemaphore(CHILDREN_AT_ONCE)
_log = logging.getLogger(__name__)
_MESSAGES = {
    RefusalCause.ENCRYPTED: "“{name}” is protected by a password. Save it without the password and send it again.",
    RefusalCause.CORRUPT: "“{name}” is damaged and cannot be read. Export it again and send the new file.",
    RefusalCause.NO_TEXT: "“{name}” holds no text that can be read; if it is scanned, send a PDF with a text layer.",
    RefusalCause.TOO_LARGE: "“{name}” has too many pages. Split it into parts and send them one by one.",
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
    """A module that reads files, with what it is told beside the file."""

    module: str
    seconds: Seconds = USUAL
    arguments: Sequence[str] = ()

    def read(self, file: SourceFile, suffix: str, progress: Callable[[str], None]) -> ParsedDocument:
        """What the program made of the file, which it sees as `input` + suffix in a folder of its own.

        Waits while others read. Raises DocumentRefused: by the program, or since it died or took too long.
        """
        name = PurePosixPath(file.document).name
        with _at_once, tempfile.TemporaryDirectory(prefix="footnote-") as folder:
            try:
                source = Path(folder) / f"input{suffix}"
                shutil.copyfile(file.path, source)
            except OSError as error:
                reason = (error.strerror or "unknown error").lower()
                raise DocumentRefused(RefusalCause.UNREADABLE, f"“{name}” cannot be read: {reason}.") from error
            found = self._run(source, name, progress)
        if cause := found.get("refused"):
            raise DocumentRefused(RefusalCause(cause), found.get("message") or _told(RefusalCause(cause), name))
        return _document(found, PurePosixPath(name).stem)

    def _run(self, source: Path, name: str, progress: Callable[[str], None]) -> dict[str, Any]:
        folder = source.parent
        output = folder / "output.json"
        with (folder / "errors.txt").open("wb") as errors:
            child = subprocess.Popen(
                [sys.executable, "-P", "-m", self.module, source.name, output.name, *self.arguments],
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
        cause = RefusalCause.CORRUPT if in_time else RefusalCause.TOO_SLOW
        raise DocumentRefused(cause, _told(cause, name))

    def _followed(self, child: "subprocess.Popen[bytes]", name: str, progress: Callable[[str], None]) -> bool:
        """Passes on the child's progress until its output ends. False when its time ran out before."""
        assert child.stdout is not None  # noqa: S101 - tells the type checker about PIPE
        started = time.monotonic()
        seconds = self.seconds.base
        pending = b""
        while (left := started + seconds - time.monotonic()) > 0:
            if not select.select([child.stdout], [], [], left)[0]:
                return False
            read = os.read(child.stdout.fileno(), 65_536)
            if not read:
                return True
            *lines, pending = (pending + read).split(b"\n")
            for line in lines:
                page, _, pages = line.decode("utf-8", "replace").removeprefix(_PROGRESS).partition(" of ")
                if line.startswith(_PROGRESS.encode()) and pages.isdigit():
                    seconds = min(self.seconds.base + self.seconds.per_page * int(pages), self.seconds.most)
                    progress(f"{name}: page {page} of {pages}")
        return False


def confine() -> None:
    """In the child: limits on memory, files and time from here on."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    os.nice(10)


def tell_page(page: int, pages: int) -> None:
    """In the child: how far it is, which also tells how much time it needs."""
    print(f"{_PROGRESS}{page} of {pages}", flush=True)  # noqa: T201 - the parent reads it


def answer(target: Path, found: dict[str, Any]) -> None:
    """In the child: the result, whole or not at all."""
    unfinished = target.with_suffix(".part")
    unfinished.write_text(json.dumps(found, ensure_ascii=False), "utf-8", "replace")
    unfinished.replace(target)


def document_fields(document: ParsedDocument) -> dict[str, Any]:
    """A document as `answer` writes it.."""
    return {**asdict(document), "date": document.date and document.date.isoformat()}


def refused_fields(cause: RefusalCause, message: str = "") -> dict[str, Any]:
    """Why there is none, in words of its own where the usual ones do not fit."""
    return {"refused": cause, "message": message}


def _document(found: dict[str, Any], name: str) -> ParsedDocument:
    fields: dict[str, Any] = found | {
        "title": found["title"] or name,
        "blocks": tuple(Block(**block) for block in found["blocks"]),
        "hidden": tuple(HiddenText(**text) for text in found["hidden"]),
        "warnings": tuple(found["warnings"]),
        "unread": tuple(found["unread"]),
        "date": found["date"] and dt.date.fromisoformat(found["date"]),
    }
    return ParsedDocument(**fields)


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


def _told(cause: RefusalCause, name: str) -> str:
    return _MESSAGES[cause].format(name=name)
