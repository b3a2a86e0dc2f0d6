"""The file behind the Faiss index: when it is written, and when it is not trusted."""

import os
from pathlib import Path

import numpy as np
import pytest

from retrieval.adapters.faiss_index import FaissIndex
from retrieval.types import Changes, VectorEntry
from tests.retrieval.adapters.new_versions import embedded

DIM = 8


def _index(path: Path, *, dim: int = DIM, model: str = "embed-a") -> FaissIndex:
    return FaissIndex(path, dim=dim, model=model)


def _entries(count: int, first: int = 1, dim: int = DIM) -> tuple[VectorEntry, ...]:
    rows = embedded([f"text {n}" for n in range(first, first + count)], dim)
    return tuple(VectorEntry(first + n, 1, row) for n, row in enumerate(rows))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An index file of 100 passages at generation 3."""
    path = tmp_path / "dense.npz"
    _index(path).update(Changes(3, _entries(100)))
    return path


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_cut_off_file_is_an_index_to_be_filled_from_the_store(
    path: Path, caplog: pytest.LogCaptureFixture, share: float
) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])

    index = _index(path)

    assert (index.generation, len(index)) == (0, 0)
    assert "is not used and will be made again" in caplog.text
    assert path.stat().st_size == int(len(data) * share)  # nothing is written before there is something to write
    index.update(Changes(3, _entries(100)))
    assert (_index(path).generation, len(_index(path))) == (3, 100)


def test_a_changed_byte_anywhere_in_the_vectors_is_noticed(path: Path) -> None:
    data = path.read_bytes()
    where = data.index(b"vectors.npy") + 200
    for position in range(where, where + 100 * DIM * 4, 97):
        changed = bytearray(data)
        changed[position] ^= 1
        path.write_bytes(changed)

        assert _index(path).generation == 0


def test_another_model_or_width_does_not_use_the_file(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert _index(path, model="embed-b").generation == 0
    assert _index(path, dim=4).generation == 0
    assert "dim=8" in caplog.text
    assert "dim=4" in caplog.text
    assert _index(path).generation == 3


def test_a_file_of_something_else_does_not_stop_the_start(tmp_path: Path) -> None:
    np.savez(tmp_path / "dense.npz", header=np.array("[1, 2]"), numbers=np.arange(3))
    assert _index(tmp_path / "dense.npz").generation == 0
    np.savez(tmp_path / "dense.npz", header=np.array('{"format": 1}'))
    assert _index(tmp_path / "dense.npz").generation == 0
    (tmp_path / "folder").mkdir()
    assert _index(tmp_path / "folder").generation == 0


def test_small_changes_of_a_large_index_wait_for_more_before_they_are_written(path: Path) -> None:
    index = _index(path)
    index.update(Changes(4, _entries(1, first=500)))
    assert _index(path).generation == 3

    index.update(Changes(5, _entries(2, first=600)))

    assert (_index(path).generation, len(_index(path))) == (5, 103)
    assert (index.generation, len(index)) == (5, 103)


def test_what_processes_that_died_left_behind_is_removed(path: Path) -> None:
    dead = path.with_name(f"{path.name}.4194305.tmp")  # above the highest process id of Linux
    living = path.with_name(f"{path.name}.{os.getppid()}.tmp")
    dead.write_bytes(b"half")
    living.write_bytes(b"half")

    assert _index(path).generation == 3

    assert sorted(p.name for p in path.parent.iterdir()) == sorted([path.name, living.name])


def test_a_place_that_cannot_be_written_is_served_from_memory(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    index = _index(tmp_path / "file" / "dense.npz")
    index.update(Changes(3, _entries(5)))

    assert (index.generation, len(index)) == (3, 5)
    assert "cannot be written, it is served from memory" in caplog.text
