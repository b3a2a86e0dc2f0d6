"""Child processes that run programs: started for one file, or kept for the next."""

import atexit
import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import retrieval
from retrieval.confined.child import ENDED, ERRORS

_waiting: defaultdict[str, list["Process"]] = defaultdict(list)
_lock = threading.Lock()


class Process:
    """A program on its way, which leads a process group of its own."""

    def __init__(
        self,
        module: str,
        folder: Path | None = None,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """It works in `folder`, or waits for jobs where there is none."""
        with contextlib.ExitStack() as opened:
            self._child = subprocess.Popen(
                [sys.executable, "-P", "-m", module, *arguments],
                stdin=subprocess.DEVNULL if folder else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=opened.enter_context((folder / ERRORS).open("wb")) if folder else subprocess.DEVNULL,
                cwd=folder or "/",
                env=_environment(folder or Path("/nowhere")) | dict(environment),
                start_new_session=True,
            )
        self._unread = b""
        self.has_done = False
        """Whether it has told that its job ended, however it did."""

    def is_alive(self) -> bool:
        return self._child.poll() is None

    def take(self, folder: Path, arguments: Sequence[str]) -> None:
        """Gives a waiting program its next job."""
        assert self._child.stdin is not None  # noqa: S101 - tells the type checker about PIPE
        self.has_done = False
        job = json.dumps({"folder": str(folder), "arguments": arguments})
        with contextlib.suppress(BrokenPipeError):  # it died, and so its output ends
            self._child.stdin.write(f"{job}\n".encode())
            self._child.stdin.flush()

    def line(self, until: float) -> str:
        """Its next line of output, "" at the end of the job. Raises TimeoutError when neither comes before
        `time.monotonic` reaches `until`."""
        assert self._child.stdout is not None  # noqa: S101 - tells the type checker about PIPE
        while b"\n" not in self._unread:
            if not select.select([self._child.stdout], [], [], max(0.0, until - time.monotonic()))[0]:
                raise TimeoutError
            read = os.read(self._child.stdout.fileno(), 65_536)
            if not read:
                return ""
            self._unread += read
        line, _, self._unread = self._unread.partition(b"\n")
        self.has_done = line.startswith(ENDED.encode())
        return "" if self.has_done else f"{line.decode('utf-8', 'replace')}\n"

    def stop(self) -> None:
        """Ends it and all it started."""
        with contextlib.suppress(ProcessLookupError):  # its group is there until it is waited for, here alone
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


@contextmanager
def fresh(
    module: str, folder: Path, arguments: Sequence[str], environment: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Process]:
    """A process for this job alone, told more by its environment. Nothing of it is left afterwards."""
    process = Process(module, folder, arguments, environment)
    try:
        yield process
    finally:
        process.stop()


@contextmanager
def warm(module: str, folder: Path, arguments: Sequence[str]) -> Iterator[Process]:
    """A process that has everything loaded. It is kept for the next job if it told the end of this one."""
    with _lock:
        process = _waiting[module].pop() if _waiting[module] else None
    if process and not process.is_alive():
        process.stop()
        process = None
    process = process or Process(module)
    try:
        process.take(folder, arguments)
        yield process
    finally:
        if process.has_done:
            with _lock:
                _waiting[module].append(process)
        else:
            process.stop()


@atexit.register
def stop_waiting() -> None:
    """Ends the processes that are kept."""
    with _lock:
        for process in [process for kept in _waiting.values() for process in kept]:
            process.stop()
        _waiting.clear()


def _environment(home: Path) -> dict[str, str]:
    """What the child may know: no tokens, no proxies, and no way to fetch models."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TZ") if name in os.environ}
    return kept | {
        "PYTHONPATH": str(Path(retrieval.__file__).parent.parent),
        "PYTHONWARNINGS": "ignore",
        "HOME": str(home),
        "TMPDIR": str(home),
        "MINERU_HOME": str(home / "mineru"),
        "MINERU_MODEL_SOURCE": "local",
        "HF_HUB_OFFLINE": "1",
    }
