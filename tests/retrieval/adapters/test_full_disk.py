"""No room left: what was there stays whole and served, and what is new is refused or kept in memory."""

from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from retrieval.adapters.faiss_index import FaissIndex
from retrieval.adapters.sql import open_store
from retrieval.adapters.tantivy_index import TantivyIndex
from retrieval.errors import ServiceUnavailable
from retrieval.types import Changes, KeywordEntry, VectorEntry
from tests.retrieval.adapters.new_versions import DIM, MODEL, embedded, new_version
from tests.retrieval.adapters.other_processes import full_disk, process_context


def _vectors(count: int) -> tuple[VectorEntry, ...]:
    rows = embedded([f"text {n}" for n in range(count)])
    return tuple(VectorEntry(n, 1, row) for n, row in enumerate(rows))


def _keywords(count: int) -> tuple[KeywordEntry, ...]:
    return tuple(KeywordEntry(n, 1, (f"w{n}", f"common{n % 3}")) for n in range(count))


def _in_a_process(target: Callable[[Path, Connection], None], folder: Path) -> Any:
    """Limits hold for a whole process, so each gets its own. Gives what it sends."""
    context = process_context()
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=target, args=(folder, sending))
    process.start()
    sending.close()
    try:
        return receiving.recv()
    finally:
        process.join()
        receiving.close()


def _dense(folder: Path, result: Connection) -> None:
    index = FaissIndex(folder / "dense.npz", dim=DIM, model=MODEL)
    index.update(Changes(1, _vectors(6)))
    with full_disk(20_000) as warnings:
        index.update(Changes(2, _vectors(2000)))
    found = index.search(embedded(["text 1999"]), 1, None)[0].number
    result.send((index.generation, found, warnings))


def test_the_dense_index_serves_from_memory_and_its_old_file_stays_whole(tmp_path: Path) -> None:
    generation, found, warnings = _in_a_process(_dense, tmp_path)

    assert (generation, found) == (2, 1999)
    assert len(warnings) == 1
    assert "cannot be written" in warnings[0]
    old = FaissIndex(tmp_path / "dense.npz", dim=DIM, model=MODEL)
    assert (old.generation, len(old)) == (1, 6)
    assert [path.name for path in tmp_path.iterdir()] == ["dense.npz"]


def _lexical(folder: Path, result: Connection) -> None:
    index = TantivyIndex(folder)
    index.update(Changes(1, _keywords(6)))
    with full_disk(2_000) as warnings:
        index.update(Changes(2, _keywords(2000)))
        while index.generation < 2:  # in memory now, and filled from the store as a new index is
            index.update(Changes(2, _keywords(2000)))
        found = index.search(["w1999"], 1, None)[0].number
    result.send((index.generation, found, warnings))


def test_the_keyword_index_goes_on_in_memory_and_its_old_files_stay_whole(tmp_path: Path) -> None:
    generation, found, warnings = _in_a_process(_lexical, tmp_path)

    assert (generation, found) == (2, 1999)
    assert len(warnings) == 1
    assert "kept in memory" in warnings[0]
    old = TantivyIndex(tmp_path)
    assert (old.generation, len(old)) == (1, 6)


def _store(folder: Path, result: Connection) -> None:
    store = open_store(f"sqlite:///{folder / 'footnote.db'}")
    store.publish(new_version("old.md", "one"))
    message = ""
    size = max(path.stat().st_size for path in folder.iterdir())
    with full_disk(size):
        try:
            store.publish(new_version("new.md", *(f"the secret recipe {n}" * 200 for n in range(100))))
        except ServiceUnavailable as error:
            message = str(error)
        during = [version.document for version in store.current()]
    store.publish(new_version("later.md", "two"))
    result.send((message, during, store.generation()))


def test_a_document_that_does_not_fit_is_refused_as_a_whole(tmp_path: Path) -> None:
    message, during, generation = _in_a_process(_store, tmp_path)

    assert "does not answer" in message
    assert "recipe" not in message
    assert during == ["old.md"]
    assert generation == 2
    store = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    assert [version.document for version in store.current()] == ["later.md", "old.md"]
    assert [entry.number for entry in store.vector_changes(0, MODEL).added] == [1, 2]
    store.close()
