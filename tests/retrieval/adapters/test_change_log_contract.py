"""What `ChangeLog` promises to the search indexes."""

import numpy as np
import pytest

from retrieval.adapters.sql import SqlStore, changes
from retrieval.errors import ServiceUnavailable
from retrieval.types import Changes
from tests.retrieval.adapters.new_versions import MODEL, embedded, new_version


def _all_changes(store: SqlStore, since: int = 0) -> list[Changes]:
    batches = []
    while since != store.generation():
        batches.append(store.changes_since(since, MODEL))
        since = batches[-1].generation
    return batches


def test_entries_carry_numbers_versions_terms_and_vectors(store: SqlStore) -> None:
    a = store.publish(new_version("a.md", "Parking permits", "Canteen"))
    b = store.publish(new_version("b.md", "EX-4021/b"))

    found = store.changes_since(0, MODEL)

    assert (found.generation, found.removed_versions, found.anew) == (2, (), False)
    assert [(e.number, e.version_id) for e in found.added] == [(1, a.id), (2, a.id), (3, b.id)]
    assert np.stack([e.vector for e in found.added]) == pytest.approx(
        embedded(["Parking permits", "Canteen", "EX-4021/b"]), abs=1e-6
    )
    assert {"parking", "part"} <= set(found.added[0].terms)
    assert "ex-4021/b" in found.added[2].terms


def test_only_what_is_new_is_told(store: SqlStore) -> None:
    store.publish(new_version("a.md", "one"))
    store.publish(new_version("b.md", "two"))

    assert [e.number for e in store.changes_since(1, MODEL).added] == [2]
    assert store.changes_since(2, MODEL) == Changes(2)


def test_a_superseded_version_stays_in_the_indexes(store: SqlStore) -> None:
    store.publish(new_version("a.md", "one"))
    store.publish(new_version("a.md", "two"))

    assert store.changes_since(1, MODEL).removed_versions == ()
    assert [e.number for e in store.changes_since(0, MODEL).added] == [1, 2]


def test_a_deletion_removes_all_versions_of_the_document(store: SqlStore) -> None:
    first = store.publish(new_version("a.md", "one"))
    second = store.publish(new_version("a.md", "two"))
    store.delete("a.md")

    assert set(store.changes_since(2, MODEL).removed_versions) == {first.id, second.id}


def test_what_came_and_went_meanwhile_is_removed_and_not_added(store: SqlStore) -> None:
    store.publish(new_version("stays.md", "one"))
    gone = store.publish(new_version("goes.md", "two"))
    store.delete("goes.md")

    found = store.changes_since(1, MODEL)

    assert (found.generation, found.added, found.removed_versions) == (3, (), (gone.id,))
    from_the_start = store.changes_since(0, MODEL)
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

    found = store.changes_since(50, MODEL)

    assert found.anew
    assert found.generation == 1
    assert [e.number for e in found.added] == [1]


def test_current_documents_without_vectors_of_the_model_are_an_outage_not_an_absence(store: SqlStore) -> None:
    store.publish(new_version("a.md", "one", model="embed-a"))
    store.publish(new_version("b.md", "two", model="embed-b"))

    with pytest.raises(ServiceUnavailable, match=r"a\.md.* embedded with embed-a.* is embed-b now.*Ingest them again"):
        store.changes_since(0, "embed-b")


def test_documents_ingested_again_with_the_new_model_are_told(store: SqlStore) -> None:
    store.publish(new_version("a.md", "one", model="embed-a"))
    store.publish(new_version("a.md", "one", model="embed-b"))

    found = store.changes_since(0, "embed-b")

    assert (found.generation, [e.number for e in found.added]) == (2, [2])


def test_an_empty_store_has_no_changes(store: SqlStore) -> None:
    assert store.changes_since(0, MODEL) == Changes(0)
