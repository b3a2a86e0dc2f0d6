"""What our reading of a long PDF costs beside MinerU by itself, over the same slices, and how much memory the bot's own
process takes for it."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evals.report import Report
from retrieval.build import reader_of
from retrieval.library.chunk import chunk
from retrieval.settings import RetrievalSettings, load
from retrieval.types import SourceFile

PAGES, PAGES_AT_ONCE = 200, 20
MOST_TIMES = 1.15
MOST_MB = 50
ROUNDS = 2
"""Taken in turns, since a machine has slow moments. The quickest of each kind counts."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds that passed, and seconds of processors that children took."""

    wall: float
    processor: float


def evaluate(data: Path) -> Report:
    """Reads DATA/documents/good/long200.pdf, without embedding it. Both are the file's bytes to text in memory: ours
    also looks for hidden text, finds headings and cuts passages."""
    report = Report("parse_speed")
    path = data / "documents" / "good" / "long200.pdf"
    settings = load(RetrievalSettings, {"_env_file": None})
    reader = reader_of(settings)
    memory = _peak_mb()

    def ours() -> None:
        document = reader.parse(SourceFile(path.name, path), progress=lambda _: None)
        chunk(document, key=path.name, size=settings.chunk_size, overlap=settings.chunk_overlap)

    rounds = [(_cost(lambda: _mineru_alone(path)), _cost(ours)) for _ in range(ROUNDS)]
    alone, our = ([pair[n] for pair in rounds] for n in (0, 1))
    report.add("times the seconds of MinerU by itself", _quickest(our) / _quickest(alone), MOST_TIMES, "lower")
    processor = min(cost.processor for cost in our) / min(cost.processor for cost in alone)
    report.add("times its seconds of processors", processor)
    report.add("pages a second", PAGES / _quickest(our))
    report.add("MB by which the bot's own process grew", _peak_mb() - memory, MOST_MB, "lower")
    return report


def _quickest(costs: list[Cost]) -> float:
    return min(cost.wall for cost in costs)


def _cost(run: Callable[[], None]) -> Cost:
    started, before = time.monotonic(), _processor_seconds()
    run()
    return Cost(time.monotonic() - started, _processor_seconds() - before)


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _mineru_alone(path: Path) -> None:
    with tempfile.TemporaryDirectory() as home:
        told = {"MINERU_HOME": home, "MINERU_MODEL_SOURCE": "local", "HF_HUB_OFFLINE": "1"}
        command = [sys.executable, "-m", "evals.mineru_alone", str(path), str(PAGES), str(PAGES_AT_ONCE)]
        subprocess.run(command, env=os.environ | told, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
