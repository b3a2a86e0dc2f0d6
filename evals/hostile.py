"""Do files that break parsers end in a clear refusal, all at once beside good ones, with nothing left behind?"""

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

from evals.report import Report
from retrieval.build import Footnote, build
from retrieval.settings import RetrievalSettings, load
from retrieval.types import IngestReport, SourceFile, Viewer

AT_ONCE = 2
"""As are read at once, so that none is charged with waiting."""
MOST_SECONDS = 60.0
MOST_CHILD_MB = 4096.0
MOST_BOT_MB = 300.0
GOOD_FILES = 5


@dataclass(frozen=True, slots=True)
class _Ended:
    """What became of a file, and when."""

    report: IngestReport
    seconds: float


def evaluate(data: Path) -> Report:
    """Share of the files in DATA/documents/hostile that end as DATA/documents/truth.json allows, and what they cost."""
    report = Report("hostile")
    folder = data / "documents"
    truths: dict[str, Any] = json.loads((folder / "truth.json").read_text("utf-8"))["hostile"]
    good = sorted((folder / "good").iterdir())[:GOOD_FILES]
    with _private_folder() as kept, _footnote(kept) as footnote:
        footnote.warm_up()
        before = _memory_mb("VmRSS", reset=True)
        ended = _all_at_once(footnote, [*(folder / "hostile" / name for name in truths), *good])
        grown = _memory_mb("VmHWM") - before
        wrong = {name: list(_wrong(ended[name], truth, footnote)) for name, truth in truths.items()}
        report.misses += [f"{name}: {what}" for name, found in wrong.items() for what in found]
        report.misses += [one.report.message for one in (ended[path.name] for path in good) if one.report.reason]
        indexed = {version.document for version in footnote.library.list()}
        left = [path.name for path in Path(tempfile.gettempdir()).iterdir()]
    report.add(f"end as they may, of {len(truths)}", sum(not found for found in wrong.values()) / len(truths), 1.0)
    report.add("good files beside them indexed", sum(path.name in indexed for path in good), len(good))
    report.add("seconds of the slowest", max(one.seconds for one in ended.values()), MOST_SECONDS, "lower")
    report.add("MB of the largest child", getrusage(RUSAGE_CHILDREN).ru_maxrss / 1024, MOST_CHILD_MB, "lower")
    report.add("MB more in this process", grown, MOST_BOT_MB, "lower")
    report.add("files left behind", len(left), 0, "lower")
    return report


@contextmanager
def _private_folder() -> Iterator[Path]:
    """A folder that goes, for the data, and one for temporary files, so that what others leave does not count."""
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as temporary:
        tempfile.tempdir = temporary
        try:
            yield Path(data)
        finally:
            tempfile.tempdir = before


@contextmanager
def _footnote(data: Path) -> Iterator[Footnote]:
    footnote = build(load(RetrievalSettings, {"_env_file": None, "data_dir": data}))
    try:
        yield footnote
    finally:
        footnote.close()


def _all_at_once(footnote: Footnote, paths: Sequence[Path]) -> dict[str, _Ended]:
    def take_in(path: Path) -> _Ended:
        started = time.monotonic()
        report = footnote.library.ingest(SourceFile(path.name, path))
        return _Ended(report, time.monotonic() - started)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip((path.name for path in paths), pool.map(take_in, paths), strict=True))


def _wrong(ended: _Ended, truth: Mapping[str, Any], footnote: Footnote) -> Iterator[str]:
    report = ended.report
    outcome = report.reason or ("accepted_with_warning" if report.warnings else "accepted")
    allowed = {*truth["outcome"], *("accepted_with_warning" for allowed in truth["outcome"] if allowed == "accepted")}
    if outcome not in allowed:
        yield f"{outcome}: {report.message}"
    stored = footnote.pipeline.passages.current_passages(Viewer.admin())
    passages = [passage.text for passage in stored if passage.document == report.document]
    if bool(passages) != (report.reason is None):
        yield f"{len(passages)} passages although {outcome}"
    if report.reason and (not report.message or "\n" in report.message or "Traceback" in report.message):
        yield f"no clear message: {report.message!r}"
    yield from (f"holds {text!r}" for text in truth.get("must_not_contain", ()) if text in " ".join(passages))


def _memory_mb(field: str, *, reset: bool = False) -> float:
    """Of this process: VmRSS is what it holds, VmHWM the most it held since the last reset."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status[field].split()[0]) / 1024
