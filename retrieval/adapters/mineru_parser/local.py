"""Within the child process: MinerU in a process of its own, which may die without taking the rest with it."""

import contextlib
import json
import subprocess
import sys
from importlib.metadata import version
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

from retrieval.adapters.mineru_parser.engine import NotUsable, Reading, ReadingFailed, seconds_for

_WORKER = "retrieval.adapters.mineru_parser.worker"


class LocalMinerU:
    """MinerU on this machine. Its process is started when first needed, and anew after it died or was ended."""

    def __init__(self, tier: str) -> None:
        self.name = f"mineru-{tier}-{version('mineru')}"
        self._tier = tier
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None

    def read(self, path: Path, first: int = 0, last: int = 0) -> Reading:
        connection = self._connection or self._started()
        pages = f"{first}-{last}" if first else ""
        try:
            connection.send_bytes(json.dumps({"path": str(path), "pages": pages}).encode())
            if first and not connection.poll(seconds_for(self._tier, last - first + 1)):
                raise ReadingFailed("it took too long")
            found = json.loads(connection.recv_bytes())
        except (EOFError, OSError, ReadingFailed) as error:
            self.close()
            raise ReadingFailed(str(error) or "it died") from error
        if not_usable := found.get("not_usable"):
            raise NotUsable(not_usable)
        if failed := found.get("failed"):
            raise ReadingFailed(failed)
        return Reading(found["pages"], found["properties"])

    def close(self) -> None:
        if self._process and self._connection:
            self._process.kill()
            self._process.wait()
            self._connection.close()
        self._process = self._connection = None

    def _started(self) -> Connection:
        here, there = Pipe()
        with contextlib.closing(there):
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", _WORKER, self._tier, str(there.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[there.fileno()],
            )
        self._connection = here
        return here
