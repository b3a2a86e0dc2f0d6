"""The indexes stand where the store stands, whatever other threads and processes do."""

import contextlib
import random
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from retrieval.adapters.faiss_index import FaissIndex
from retrieval.adapters.sql import SqlStore, changes, open_store
from retrieval.adapters.tantivy_index import TantivyIndex
from retrieval.errors import ServiceUnavailable
from retrieval.search.indexes import SearchIndexes
from retrieval.text import terms
from retrieval.types import Changes, Filters, IndexEntry, Viewer
from tests.retrieval.adapters.new_versions import MODEL, embedded, new_version
from tests.retrieval.adapters.other_processes import (
    numbered_version,
    open_indexes,
    process_context,
    publish_documents,
    publish_until_killed,
)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'footnote.db'}"


@pytest.fixture
def store(url: str) -> Iterator[SqlStore]:
    opened = open_store(url)
    yield opened
    opened.close()


def _readable(store: SqlStore) -> frozenset[int]:
    return store.readable(Viewer(), Filters())


def _nearest(store: SqlStore, indexes: SearchIndexes, text: str) -> str | None:
    """The text of the nearest readable passage."""
    hits = indexes.dense.search(embedded([text]), 1, _readable(store))
    return store.passages([hits[0].number])[hits[0].number].text if hits else None


def _with_words(store: SqlStore, indexes: SearchIndexes, words: str) -> list[str]:
    hits = indexes.lexical.search(terms(words), 100, _readable(store))
    return sorted(passage.text for passage in store.passages([hit.number for hit in hits]).values())


def _entries(store: SqlStore) -> list[IndexEntry]:
    entries: list[IndexEntry] = []
    reached = 0
    while reached < store.generation():
        batch = store.changes_since(reached, MODEL)
        reached = batch.generation
        entries += batch.added
    return entries


def _assert_agree(store: SqlStore, indexes: SearchIndexes) -> None:
    """Both indexes hold exactly the store's passages: all of them, by vector and by word, and no others."""
    indexes.refresh()
    entries = _entries(store)
    assert indexes.dense.generation == indexes.lexical.generation == store.generation()
    dense, lexical = indexes.dense, indexes.lexical
    assert isinstance(dense, FaissIndex)
    assert isinstance(lexical, TantivyIndex)
    assert len(dense) == len(lexical) == len(entries)
    by_version = Counter(entry.version_id for entry in entries)
    for version in store.current():
        assert by_version[version.id] == version.chunks
    for entry in entries:
        [hit] = dense.search(entry.vector[None], 1, frozenset({entry.version_id}))
        assert hit.number == entry.number
        assert hit.score == pytest.approx(1.0, abs=1e-5)
        hits = lexical.search(entry.terms, 1, frozenset({entry.version_id}))
        assert hits[0].number == entry.number


def test_a_new_document_is_found_at_once(store: SqlStore, tmp_path: Path) -> None:
    indexes = open_indexes(store, tmp_path)
    store.publish(new_version("a.md", "parking permit", "canteen"))
    indexes.refresh()

    assert _nearest(store, indexes, "canteen") == "canteen"
    assert _with_words(store, indexes, "parking") == ["parking permit"]


def test_an_empty_store_needs_nothing(store: SqlStore, tmp_path: Path) -> None:
    indexes = open_indexes(store, tmp_path)
    indexes.refresh()

    assert _nearest(store, indexes, "anything") is None
    assert _with_words(store, indexes, "anything") == []


def test_only_the_current_version_is_found(store: SqlStore, tmp_path: Path) -> None:
    indexes = open_indexes(store, tmp_path)
    store.publish(new_version("a.md", "fifteen days of leave"))
    indexes.refresh()
    store.publish(new_version("a.md", "twenty days of leave"))
    indexes.refresh()

    assert _nearest(store, indexes, "fifteen days of leave") == "twenty days of leave"
    assert _with_words(store, indexes, "days of leave") == ["twenty days of leave"]


def test_a_deleted_document_leaves_both_indexes(store: SqlStore, tmp_path: Path) -> None:
    indexes = open_indexes(store, tmp_path)
    store.publish(new_version("a.md", "parking permit"))
    store.publish(new_version("b.md", "canteen"))
    indexes.refresh()
    store.delete("a.md")

    _assert_agree(store, indexes)
    assert _with_words(store, indexes, "parking canteen") == ["canteen"]


def test_a_long_history_is_taken_in_batch_by_batch(
    store: SqlStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "BATCH_CHUNKS", 4)
    for number in range(9):
        name, texts = numbered_version(number)
        store.publish(new_version(name, *texts))
    store.delete("doc1.md")

    _assert_agree(store, open_indexes(store, tmp_path))


def test_indexes_that_were_lost_or_damaged_are_made_again_from_the_store(store: SqlStore, tmp_path: Path) -> None:
    store.publish(new_version("a.md", "parking permit", "canteen"))
    store.publish(new_version("b.md", "reception"))
    _assert_agree(store, open_indexes(store, tmp_path))
    dense = tmp_path / "dense.npz"
    dense.write_bytes(dense.read_bytes()[: dense.stat().st_size // 2])
    shutil.rmtree(tmp_path / "keywords")

    _assert_agree(store, open_indexes(store, tmp_path))


def test_indexes_of_another_store_are_made_again(store: SqlStore, tmp_path: Path) -> None:
    other = open_store(f"sqlite:///{tmp_path / 'other.db'}")
    for n in range(5):
        other.publish(new_version(f"{n}.md", f"of the other store {n}", "x"))
    open_indexes(other, tmp_path).refresh()
    other.close()
    store.publish(new_version("a.md", "parking permit"))

    indexes = open_indexes(store, tmp_path)

    _assert_agree(store, indexes)
    assert _with_words(store, indexes, "of the other store") == []


def test_another_embedding_model_is_an_outage_until_documents_are_ingested_again(
    store: SqlStore, tmp_path: Path
) -> None:
    store.publish(new_version("a.md", "parking permit"))
    open_indexes(store, tmp_path).refresh()
    narrower = SearchIndexes(
        store,
        FaissIndex(tmp_path / "dense.npz", dim=8, model="embed-b"),
        TantivyIndex(tmp_path / "keywords"),
        "embed-b",
    )

    with pytest.raises(ServiceUnavailable, match=r"embedded with embed-a.*embed-b now"):
        narrower.refresh()
    store.publish(new_version("a.md", "parking permit", model="embed-b", dim=8))
    narrower.refresh()

    assert narrower.dense.search(embedded(["parking permit"], 8), 5, _readable(store))[0].number == 2


def test_threads_that_ask_at_once_catch_up_once(store: SqlStore, tmp_path: Path) -> None:
    asked: list[int] = []

    class CountingLog:
        """The store's change log, which tells when it is asked for changes."""

        def generation(self) -> int:
            return store.generation()

        def changes_since(self, generation: int, embedding_model: str) -> Changes:
            asked.append(generation)
            return store.changes_since(generation, embedding_model)

    for n in range(3):
        store.publish(new_version(f"{n}.md", f"text {n}"))
    opened = open_indexes(store, tmp_path)
    indexes = SearchIndexes(CountingLog(), opened.dense, opened.lexical, MODEL)
    start = threading.Barrier(6)

    def refresh() -> None:
        start.wait()
        indexes.refresh()

    threads = [threading.Thread(target=refresh) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    indexes.refresh()

    assert asked == [0]
    assert indexes.dense.generation == indexes.lexical.generation == 3


def test_what_another_process_publishes_is_found(store: SqlStore, url: str, tmp_path: Path) -> None:
    indexes = open_indexes(store, tmp_path)
    store.publish(new_version("mine.md", "written here"))
    indexes.refresh()
    context = process_context()
    start = context.Barrier(1)
    process = context.Process(target=publish_documents, args=(url, tmp_path, ["neighbour.md"], start))
    process.start()
    process.join()
    assert process.exitcode == 0

    indexes.refresh()

    assert _nearest(store, indexes, "text of neighbour.md") == "text of neighbour.md"
    assert _with_words(store, indexes, "neighbour") == ["text of neighbour.md"]
    _assert_agree(store, indexes)


def test_processes_that_open_a_new_place_and_publish_at_once_lose_nothing(url: str, tmp_path: Path) -> None:
    context = process_context()
    start = context.Barrier(3)
    names = [[f"writer{writer}-{n}.md" for n in range(4)] for writer in range(3)]
    processes = [context.Process(target=publish_documents, args=(url, tmp_path, own, start)) for own in names]
    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0, 0, 0]
    store = open_store(url)
    assert [version.document for version in store.current()] == [name for own in names for name in own]
    assert store.generation() == 12
    _assert_agree(store, open_indexes(store, tmp_path))
    store.close()


def _assert_whole(url: str, folder: Path, newest: int) -> None:
    """Every version in the store has all its passages, and the indexes hold the same."""
    store = open_store(url)
    texts: dict[int, list[str]] = {}
    entries = _entries(store)
    found = store.passages([entry.number for entry in entries])
    for entry in entries:
        texts.setdefault(entry.version_id, []).append(found[entry.number].text)
    for whole in texts.values():
        edition = int(whole[0].split()[0].removeprefix("edition"))
        assert tuple(whole) == numbered_version(edition)[1]
        assert edition <= newest
    _assert_agree(store, open_indexes(store, folder))
    store.close()
    assert not list(folder.glob("*.tmp"))


def test_after_a_kill_at_any_point_each_document_is_whole_or_absent_and_the_indexes_agree(
    url: str, tmp_path: Path
) -> None:
    chance = random.Random(11)
    context = process_context()
    first = 0
    for kill in range(10):
        receiving, sending = context.Pipe(duplex=False)
        process = context.Process(target=publish_until_killed, args=(url, tmp_path, first, sending))
        process.start()
        sending.close()
        told = [receiving.recv()] if kill % 2 else []  # every other one is killed while it may still be opening
        process.join(timeout=chance.uniform(0, 0.15))
        process.kill()
        process.join()
        told += _remaining(receiving)
        first = max(told, default=first - 1) + 1
        _assert_whole(url, tmp_path, newest=first)
    assert first >= 5


def _remaining(receiving: Connection) -> list[int]:
    """What a process that is no more had told."""
    told: list[int] = []
    with contextlib.suppress(EOFError):
        while receiving.poll():
            told.append(receiving.recv())
    receiving.close()
    return told
