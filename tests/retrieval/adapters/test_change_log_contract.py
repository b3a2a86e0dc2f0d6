"""What `ChangeLog` promises to the search indexes."""

import numpy as np
import pytest

from retrieval.adapters.sql import SqlStore, changes
from retrieval.types import Changes, VectorEntry
from tests.retrieval.adapters.new_versions import MODEL, embedded, new_version


def _all_changes(store: SqlStore, since: int = 0) -> list[Changes[VectorEntry]]:
    batches = []
    while since != store.generation():
        batches.append(store.vector_changes(since, MODEL))
        since = batches[-1].generation
    return batches


def test_entries_carry_numbers_versions_and_vectors_or_terms(store: SqlStore) -> None:
    a = store.publish(new_version("a.md", "Parking permits", "Canteen"))
    b = store.publish(new_version("b.md", "EX-4021/b"))

    vectors, keywords = store.vector_changes(0, MODEL), store.keyword_changes(0)

    whose = [(1, a.id), (2, a.id), (3, b.id)]
    assert (vectors.generation, vectors.removed_versions, vectors.anew) == (2, (), False)
    assert (keywords.generation, keywords.removed_versions, keywords.anew) == (2, (), False)
    assert [(e.number, e.version_id) for e in vectors.added] == whose
    assert [(e.number, e.version_id) for e in keywords.added] == whose
    assert np.stack([e.vector for e in vectors.added]) == pytest.approx(
        embedded(["Parking permits", "Canteen", "EX-4021/b"]), abs=1e-6
    )
    assert {"parking", "part"} <= set(keywords.added[0].terms)
    assert "ex-4021/b" in keywords.added[2].terms


def test_only_what_is_new_is_told(store: SqlStore) -> None:
    store.publish(new_version("a.md", "one"))
    store.publish(new_version("b.md", "two"))

    assert [e.number for e in store.vector_changes(1, MODEL).added] == [2]
    assert store.vector_changes(2, MODEL) == Changes(2)


def test_a_superseded_version_stays_in_the_indexes(store: SqlStore) -> None:
    store.publish(new_version("a.md", "one"))
    store.publish(new_version("a.md", "two"))

    assert store.vector_changes(1, MODEL).removed_versions == ()
    assert [e.number for e in store.vector_changes(0, MODEL).added] == [1, 2]


def test_a_deletion_removes_all_versions_of_the_document(store: SqlStore) -> None:
    first = store.publish(new_version("a.md", "one"))
    second = store.publish(new_version("a.md", "two"))
    store.delete("a.md")

    assert set(store.vector_changes(2, MODEL).removed_versions) == {first.id, second.id}


def test_what_came_and_went_meanwhile_is_removed_and_not_added(store: SqlStore) -> None:
    store.publish(new_version("stays.md", "one"))
    gone = store.publish(new_version("goes.md", "two"))
    store.delete("goes.md")

    found = store.vector_changes(1, MODEL)

    assert (found.generation, found.added, found.removed_versions) == (3, (), (gone.id,))
    from_the_start = store.vector_changes(0, MODEL)
    assert [e.number for e in from_the_start.added] == [1]
    assert from_the_start.removed_versions == (gone.id,)  # another process may have added it meanwhile


def test_large_histories_come_in_batches_in_order(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "BATCH_CHUNKS", 5)
    for n in range(6):
        store.publish(new_version(f"{n}.md", *(f"text {n} {i}" for i in range(3))))
    store.delete("5.md")
    store.publish(new_version("big.md", *(f"big {i}" for i in range(12))))

    batches = _all_changes(store)

    numbers = [[e.number for e in batch.added] for batch in batches]
    assert [len(batch) for batch in numbers] == [3, 3, 3, 3, 3, 12]
    assert [n for batch in numbers for n in batch] == [*range(1, 16), *range(19, 31)]
    assert [batch.generation for batch in batches] == [1, 2, 3, 4, 5, 8]


def test_a_removal_is_told_in_the_batch_that_reaches_it(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "BATCH_CHUNKS", 1)
    gone = store.publish(new_version("goes.md", "one"))
    store.publish(new_version("a.md", "two"))
    store.delete("goes.md")
    store.publish(new_version("b.md", "three"))

    batches = _all_changes(store, since=1)

    assert [(b.generation, b.removed_versions) for b in batches] == [(2, ()), (4, (gone.id,))]


def test_an_index_ahead_of_the_store_must_begin_anew(store: SqlStore) -> None:
    store.publish(new_version("a.md", "one"))

    found = store.vector_changes(50, MODEL)

    assert found.anew
    assert found.generation == 1
    assert [e.number for e in found.added] == [1]


def test_documents_without_vectors_of_a_model_are_new_to_its_indexes_once_they_have_them(store: SqlStore) -> None:
    store.publish(new_version("a.md", "one", "two", model="embed-a"))
    store.publish(new_version("b.md", "three", model="embed-b"))

    before = store.vector_changes(0, "embed-b")
    store.add_vectors("embed-b", [1], embedded(["one"]))
    half = store.vector_changes(before.generation, "embed-b")
    store.add_vectors("embed-b", [2], embedded(["two"]))
    whole = store.vector_changes(half.generation, "embed-b")

    assert [e.number for e in before.added] == [3]
    assert half == Changes(3)
    assert [e.number for e in whole.added] == [1, 2]
    assert [e.number for e in store.keyword_changes(0).added] == [1, 2, 3]
    assert store.keyword_changes(2) == Changes(4)


def test_documents_that_got_their_vectors_at_once_come_in_one_batch(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "BATCH_CHUNKS", 2)
    texts = [f"text {n}" for n in range(5)]
    for text in texts:
        store.publish(new_version(f"{text}.md", text, model="embed-b", dim=8))
    store.add_vectors(MODEL, range(1, 6), embedded(texts))

    assert [e.number for e in store.vector_changes(0, MODEL).added] == [1, 2, 3, 4, 5]


def test_a_document_deleted_before_it_got_its_vectors_is_not_added(store: SqlStore) -> None:
    gone = store.publish(new_version("a.md", "one", model="embed-b"))
    store.delete("a.md")
    store.add_vectors(MODEL, [1], embedded(["one"]))

    assert store.vector_changes(0, MODEL) == Changes(3, removed_versions=(gone.id,))


def test_an_empty_store_has_no_changes(store: SqlStore) -> None:
    assert store.vector_changes(0, MODEL) == Changes(0)
