"""`footnote` as a process, the way a person runs it."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
COMMAND = [sys.executable, "-m", "bot"]


@dataclass(frozen=True)
class Printed:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Standard output as JSON Lines; fails when anything else stands there."""
        return [json.loads(line) for line in self.out.splitlines()]


def environment(data_dir: Path | None = None, **variables: str) -> dict[str, str]:
    """An environment in which Footnote finds the given settings and no others."""
    kept = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV")
    base = {name: os.environ[name] for name in kept if name in os.environ}
    data = {"DATA_DIR": str(data_dir)} if data_dir else {}
    return {**base, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", **data, **variables}


def footnote(
    *arguments: str, data_dir: Path | None = None, cwd: Path | None = None, env: dict[str, str] | None = None
) -> Printed:
    """Run a command to its end."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        env=environment(data_dir, **(env or {})),
        cwd=cwd or Path(os.devnull).parent,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return Printed(done.returncode, done.stdout, done.stderr)
