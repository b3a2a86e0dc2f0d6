"""A program for the tests of `retrieval.confined`: does what the file it reads says."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from retrieval.confined import answer, confine, document_fields, serve, tell_page
from retrieval.types import Block, ParsedDocument


def run(arguments: list[str]) -> None:
    source, target = map(Path, arguments)
    confine()
    order, *words = source.read_text().split()
    answer(target, document_fields(ParsedDocument("", (Block("paragraph", _done(order, words)),), "test")))


def _done(order: str, words: list[str]) -> str:
    orders: dict[str, Callable[[], str]] = {
        "environment": lambda: " ".join(os.environ),
        "folder": lambda: " ".join([str(Path.cwd()), *sorted(path.name for path in Path().iterdir())]),
        "self": lambda: str(os.getpid()),
        "parent": lambda: str(os.getppid()),
        "crash": os.abort,
        "memory": lambda: str(len(bytearray(5 * 1024**3))),
        "much": lambda: "x" * 51_000_000,
        "hang": lambda: _hang(Path(words[0])),
        "count": lambda: _others(Path(words[0])),
    }
    return orders[order]()


def _hang(told: Path) -> str:
    """With a child of its own, whose number it tells."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    told.write_text(str(child.pid))
    tell_page(1, 1)
    time.sleep(600)
    return ""


def _others(folder: Path) -> str:
    """How many are at it with this one, at most, within half a second."""
    mine = folder / f"{os.getpid()}.running"
    mine.touch()
    seen = 0
    for _ in range(10):
        seen = max(seen, len(list(folder.glob("*.running"))))
        time.sleep(0.05)
    mine.unlink()
    return str(seen)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run(sys.argv[1:])
    else:
        serve(run)
