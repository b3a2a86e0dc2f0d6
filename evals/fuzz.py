"""Do files of all kinds, broken at random, ever crash, hang or silently empty what reads them?"""

import io
import random
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from evals.report import Report
from retrieval.build import reader_of
from retrieval.errors import DocumentRefused
from retrieval.settings import RetrievalSettings, load
from retrieval.types import ParsedDocument, SourceFile

AT_ONCE = 2
MOST_SECONDS = 180.0
"""For a few pages, read and then recognised, while another file is."""
_LARGEST_BYTES = 100_000
_OWN = {
    "letter.eml": b"From: ann@example.com\nSubject: Deposit\nContent-Type: multipart/mixed; boundary=x\n\n--x\n"
    b"Content-Type: text/plain; charset=utf-8\n\nThe deposit is 20 euros.\n--x\nContent-Type: text/csv\n"
    b"Content-Disposition: attachment; filename=plans.csv\n\nPlan;Price\nFree;0\n--x--\n",
    "plans.tsv": b"Plan\tPrice\nFree\t0\nTeam\t49\n",
}
"""Of kinds that are not among the data."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of a file: a RefusalCause, “read”, or what went wrong."""

    outcome: str
    seconds: float


def evaluate(data: Path, count: int, seed: int) -> Report:
    """What became of COUNT files made of those in DATA/documents/good by SEED."""
    report = Report("fuzz")
    originals = _originals(data / "documents" / "good")
    rng = random.Random(seed)  # noqa: S311 a plan, not a secret
    broken = [_broken(originals, rng) for _ in range(count)]
    read = reader_of(load(RetrievalSettings, {"_env_file": None})).parse
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        paths = [Path(folder) / f"{n}{Path(name).suffix}" for n, (name, _) in enumerate(broken)]
        found = list(pool.map(lambda path, made: ended(path, made[1], read), paths, broken))
    report.add("files a minute", 60 * count / (time.monotonic() - started))
    _judge(report, {f"{path.name} of {name}": one for path, (name, _), one in zip(paths, broken, found, strict=True)})
    return report


def _judge(report: Report, found: Mapping[str, Ended]) -> None:
    outcomes = Counter(one.outcome for one in found.values())
    report.add("files", len(found))
    report.add("crashes", sum(n for outcome, n in outcomes.items() if outcome.startswith("!")), 0, "lower")
    report.add("seconds of the slowest", max(one.seconds for one in found.values()), MOST_SECONDS, "lower")
    for outcome, number in outcomes.most_common():
        report.add(outcome, number)
    report.misses += [
        f"{name}: {one.outcome}, {one.seconds:.0f} s"
        for name, one in found.items()
        if one.outcome.startswith("!") or one.seconds > MOST_SECONDS
    ]


def _originals(folder: Path) -> dict[str, list[tuple[str, bytes]]]:
    """Files by their ending, so that each kind is tried as often."""
    found: dict[str, list[tuple[str, bytes]]] = {}
    small = [path for path in sorted(folder.iterdir()) if path.stat().st_size <= _LARGEST_BYTES]
    for name, data in [*((path.name, path.read_bytes()) for path in small), *_OWN.items()]:
        found.setdefault(Path(name).suffix, []).append((name, data))
    return found


def _broken(originals: dict[str, list[tuple[str, bytes]]], rng: random.Random) -> tuple[str, bytes]:
    """One of the files, broken in one to three ways; of an archive also within a part, so that it still unpacks."""
    name, data = rng.choice(originals[rng.choice(sorted(originals))])
    if data.startswith(b"PK") and rng.random() < 0.7:
        return name, _with_broken_part(data, rng)
    return name, _mutated(data, rng)


def _with_broken_part(data: bytes, rng: random.Random) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as anew:
        chosen = rng.choice(archive.namelist())
        for part in archive.namelist():
            content = archive.read(part)
            anew.writestr(part, _mutated(content, rng) if part == chosen else content)
    return packed.getvalue()


def _mutated(data: bytes, rng: random.Random) -> bytes:
    for mutate in rng.choices(_MUTATIONS, k=rng.randint(1, 3)):
        data = mutate(data, rng)
    return data


def _flip(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 20) if changed else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randint(0, len(data))]


def _remove(data: bytes, rng: random.Random) -> bytes:
    start, end = _stretch(data, rng)
    return data[:start] + data[end:]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    start, end = _stretch(data, rng)
    return data[:start] + data[start:end] * rng.randint(2, 200) + data[end:]


def _insert(data: bytes, rng: random.Random) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice([rng.randbytes(50), bytes(50), b"\xff" * 50, b"<" * 50, b"9" * 50]) + data[at:]


def _swap(data: bytes, rng: random.Random) -> bytes:
    start, end = _stretch(data, rng)
    return data[end:] + data[start:end] + data[:start]


def _stretch(data: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randint(0, len(data))
    return start, min(len(data), start + rng.randint(0, 2000))


_MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (_flip, _cut, _remove, _repeat, _insert, _swap)


def ended(path: Path, data: bytes, read: Callable[..., ParsedDocument]) -> Ended:
    """What `read` makes of the data, in a file at the path."""
    path.write_bytes(data)
    started = time.monotonic()
    try:
        document = read(SourceFile(path.name, path), progress=lambda _: None)
        has_text = any(letter.isalnum() for block in document.blocks for letter in block.text)
        outcome = "read" if has_text else "!empty"
    except DocumentRefused as refusal:
        outcome = refusal.cause.value if str(refusal) and "Traceback" not in str(refusal) else "!unclear"
    except Exception as error:
        outcome = f"!{error!r}"
    path.unlink()
    return Ended(outcome, time.monotonic() - started)
