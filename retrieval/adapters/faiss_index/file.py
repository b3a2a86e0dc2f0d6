"""A snapshot to one file and back, checked in both directions."""

import hashlib
import json
import os
import re
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from retrieval.adapters.faiss_index.snapshot import Snapshot
from retrieval.errors import IndexCorrupt

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class _Header:
    """What a file says of itself."""

    model: str
    dim: int
    count: int
    generation: int
    format: int = _FORMAT


def path_of(folder: Path, model: str) -> Path:
    """Where the vectors of a model are kept. Names of models hold slashes, and may differ in letter case only."""
    readable = re.sub(r"[^A-Za-z0-9.]+", "-", model)[-40:].strip("-.")
    return folder / f"{readable}-{hashlib.sha256(model.encode()).hexdigest()[:8]}.index"


def read(path: Path, *, model: str, dim: int) -> Snapshot:
    """The snapshot in a file. Raises FileNotFoundError, and IndexCorrupt when the file cannot be read, is damaged
    (the archive's checksums are compared on the way) or is not of this model and width."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            header = _Header(**json.loads(str(archive["header"])))
            numbers, versions, vectors = archive["numbers"], archive["versions"], archive["vectors"]
    except FileNotFoundError:
        raise
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise IndexCorrupt(f"it cannot be read ({error})") from error
    expected = _Header(model, dim, len(numbers), header.generation)
    if header != expected or versions.shape != numbers.shape or vectors.shape != (len(numbers), dim):
        raise IndexCorrupt(f"it holds {header}, where {expected} is needed")
    none = np.empty(0, np.int64)
    return Snapshot.empty(dim).changed(
        header.generation, removed_versions=none, numbers=numbers, versions=versions, vectors=vectors
    )


def write(snapshot: Snapshot, path: Path, *, model: str, dim: int) -> None:
    """Written beside the old file, read back, then put in its place: a full disk or a crash leaves the old one
    whole. Raises OSError."""
    header = _Header(model, dim, len(snapshot), snapshot.generation)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            np.savez(
                file,
                header=np.array(json.dumps(asdict(header))),
                numbers=snapshot.numbers,
                versions=snapshot.versions,
                vectors=snapshot.vectors(),
            )
            file.flush()
            os.fsync(file.fileno())
        _require_readable(temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def remove_leftovers(path: Path) -> None:
    """Temporary files of processes that died while writing."""
    for temporary in path.parent.glob(f"{path.name}.*.tmp"):
        pid = temporary.name.removeprefix(f"{path.name}.").removesuffix(".tmp")
        if pid.isdecimal() and not _runs(int(pid)):
            temporary.unlink(missing_ok=True)


def _require_readable(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
    except zipfile.BadZipFile as error:
        raise OSError(f"what was written does not read back: {error}") from error
    if damaged is not None:
        raise OSError(f"what was written does not read back: {damaged}")


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
