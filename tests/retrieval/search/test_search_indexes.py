"""The indexes stand where the store stands, whatever other threads and processes do."""

import contextlib
import random
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

import pytest

from retrieval.adapters.faiss_index import FaissIndex
from retrieval.adapters.sql import SqlStore, changes, open_store
from retrieval.adapters.tantivy_index import TantivyIndex
from retrieval.search.indexes import SearchIndexes
from retrieval.text import terms
from retrieval.types import Changes, Filters, KeywordEntry, VectorEntry, Viewer
from tests.retrieval.adapters.new_versions import DIM, MODEL, embedded, new_version
from tests.retrieval.adapters.other_processes import (
    catch_up,
    numbered_version,
    open_indexes,
    process_context,
    publish_documents,
    publish_until_killed,
)

Entry = TypeVar("Entry")


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
    hits = indexes.dense(MODEL, DIM).search(embedded([text]), 1, _readable(store))
    return store.passages([hits[0].number])[hits[0].number].text if hits else None


def _with_words(store: SqlStore, indexes: SearchIndexes, words: str) -> list[str]:
    indexes.refresh()
    hits = indexes.lexical.search(terms(words), 100, _readable(store))
    return sorted(passage.text for passage in store.passages([hit.number for hit in hits]).values())


def _all(store: SqlStore, changes_since: Callable[[int], Changes[Entry]]) -> list[Entry]:
    entries: list[Entry] = []
    reached = 0
    while reached < store.generation():
        batch = changes_since(reached)
        reached = batch.generation
        entries += batch.added
    return entries


def _vectors(store: SqlStore) -> list[VectorEntry]:
    return _all(store, lambda since: store.vector_changes(since, MODEL))


def _assert_agree(store: SqlStore, indexes: SearchIndexes) -> None:
    """Both indexes hold exactly the store's passages: all of them, by vector and by word, and no others."""
    indexes.refresh()
    dense, lexical = indexes.dense(MODEL, DIM), indexes.lexical
    vectors, keywords = _vectors(store), _all(store, store.keyword_changes)
    assert dense.generation == lexical.generation == store.generation()
    assert isinstance(dense, FaissIndex)
    assert isinstance(lexical, TantivyIndex)
    assert len(dense) == len(lexical) == len(vectors) == len(keywords)
    by_version = Counter(entry.version_id for entry in keywords)
    for version in store.current():
        assert by_version[version.id] == version.chunks
    for entry in vectors:
        [hit] = dense.search(entry.vector[None], 1, frozenset({entry.version_id}))
        assert hit.number == entry.number
        assert hit.score == pytest.approx(1.0, abs=1e-5)
    for said in keywords:
        hits = lexical.search(said.terms, 1, frozenset({said.version_id}))
        assert hits[0].number == said.number


def test_a_new_document_is_found_at_once(store: SqlStore, tmp_path: Path) -> None:
    indexes = open_indexes(store, tmp_path)
    store.publish(new_version("a.md", "parking permit", "canteen"))

    assert _nearest(store, indexes, "canteen") == "canteen"
    assert _with_words(store, indexes, "parking") == ["parking permit"]


def test_an_empty_store_needs_nothing(store: SqlStore, tmp_path: Path) -> None:
    indexes = open_indexes(store, tmp_path)

    assert _nearest(store, indexes, "anything") is None
    assert _with_words(store, indexes, "anything") == []


def test_only_the_current_version_is_found(store: SqlStore, tmp_path: Path) -> None:
    indexes = open_indexes(store, tmp_path)
    store.publish(new_version("a.md", "fifteen days of leave"))
    catch_up(indexes)
    store.publish(new_version("a.md", "twenty days of leave"))

    assert _nearest(store, indexes, "fifteen days of leave") == "twenty days of leave"
    assert _with_words(store, indexes, "days of leave") == ["twenty days of leave"]


def test_a_deleted_document_leaves_both_indexes(store: SqlStore, tmp_path: Path) -> None:
    indexes = open_indexes(store, tmp_path)
    store.publish(new_version("a.md", "parking permit"))
    store.publish(new_version("b.md", "canteen"))
    catch_up(indexes)
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
    (dense,) = (tmp_path / "dense").iterdir()
    dense.write_bytes(dense.read_bytes()[: dense.stat().st_size // 2])
    shutil.rmtree(tmp_path / "keywords")

    _assert_agree(store, open_indexes(store, tmp_path))


def test_indexes_of_another_store_are_made_again(store: SqlStore, tmp_path: Path) -> None:
    other = open_store(f"sqlite:///{tmp_path / 'other.db'}")
    for n in range(5):
        other.publish(new_version(f"{n}.md", f"of the other store {n}", "x"))
    catch_up(open_indexes(other, tmp_path))
    other.close()
    store.publish(new_version("a.md", "parking permit"))

    indexes = open_indexes(store, tmp_path)

    _assert_agree(store, indexes)
    assert _with_words(store, indexes, "of the other store") == []


def test_keywords_find_documents_that_no_model_has_embedded_whole(store: SqlStore, tmp_path: Path) -> None:
    store.publish(new_version("a.md", "parking permit", model="embed-b", dim=8))
    indexes = open_indexes(store, tmp_path)

    assert _with_words(store, indexes, "parking") == ["parking permit"]
    assert _nearest(store, indexes, "parking permit") is None


def test_models_have_indexes_side_by_side_and_each_its_own_file(store: SqlStore, tmp_path: Path) -> None:
    store.publish(new_version("a.md", "parking permit", model="org/Embed", dim=8))
    store.publish(new_version("b.md", "canteen", model="org/embed", dim=8))

    for indexes in (open_indexes(store, tmp_path), open_indexes(store, tmp_path)):
        found = [
            [hit.number for hit in indexes.dense(model, 8).search(embedded(["canteen"], 8), 5, None)]
            for model in ("org/Embed", "org/embed")
        ]
        assert found == [[1], [2]]
    assert len(list((tmp_path / "dense").iterdir())) == 2


def test_an_index_from_before_documents_were_embedded_anew_takes_them_in(store: SqlStore, tmp_path: Path) -> None:
    store.publish(new_version("a.md", "parking permit"))
    catch_up(open_indexes(store, tmp_path))
    store.publish(new_version("b.md", "canteen", "reception", model="embed-b", dim=8))
    catch_up(open_indexes(store, tmp_path))  # is now where the store stands, and lacks b.md

    store.add_vectors(MODEL, [2, 3], embedded(["canteen", "reception"]))

    _assert_agree(store, open_indexes(store, tmp_path))
    assert _nearest(store, open_indexes(store, tmp_path), "canteen") == "canteen"


def test_threads_that_ask_at_once_catch_up_once(store: SqlStore, tmp_path: Path) -> None:
    asked: list[tuple[str, int]] = []

    class CountingLog:
        """The store's change log, which tells when it is asked for changes."""

        def generation(self) -> int:
            return store.generation()

        def keyword_changes(self, since: int) -> Changes[KeywordEntry]:
            asked.append(("keywords", since))
            return store.keyword_changes(since)

        def vector_changes(self, since: int, embedding_model: str) -> Changes[VectorEntry]:
            asked.append((embedding_model, since))
            return store.vector_changes(since, embedding_model)

    for n in range(3):
        store.publish(new_version(f"{n}.md", f"text {n}"))
    indexes = SearchIndexes(CountingLog(), TantivyIndex(tmp_path / "k"), partial(FaissIndex.of_model, tmp_path / "d"))
    start = threading.Barrier(6)

    def ask() -> None:
        start.wait()
        catch_up(indexes)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    catch_up(indexes)

    assert sorted(asked) == [(MODEL, 0), ("keywords", 0)]
    assert indexes.dense(MODEL, DIM).generation == indexes.lexical.generation == 3


def test_what_another_process_publishes_is_found(store: SqlStore, url: str, tmp_path: Path) -> None:
    indexes = open_indexes(store, tmp_path)
    store.publish(new_version("mine.md", "written here"))
    catch_up(indexes)
    context = process_context()
    start = context.Barrier(1)
    process = context.Process(target=publish_documents, args=(url, tmp_path, ["neighbour.md"], start))
    process.start()
    process.join()
    assert process.exitcode == 0

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
    entries = _vectors(store)
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
