"""What `Documents` promises to the library."""

import datetime as dt
import threading
from dataclasses import replace

import numpy as np
import pytest
import sqlalchemy as sa

from retrieval.adapters.sql import SqlStore
from retrieval.adapters.sql.schema import chunks, embedded_versions, embeddings, term_counts, version_tags, versions
from retrieval.errors import DocumentNotFound, DocumentRefused, RefusalCause
from retrieval.types import Filters, NewVersion, Viewer
from tests.retrieval.adapters.new_versions import MODEL, embedded, new_version


def test_a_published_version_is_told_back_as_it_came(store: SqlStore) -> None:
    version = replace(
        new_version("hr/leave.md", "Fifteen days.", "Ask early."),
        visibility="admins",
        tags=("hr", "leave"),
        date=dt.date(2025, 3, 1),
        pages=4,
        warnings=("a picture without text",),
    )
    before = dt.datetime.now(dt.UTC)

    published = store.publish(version)

    assert store.current() == [published]
    assert (published.document, published.version, published.title) == ("hr/leave.md", 1, "hr/leave")
    assert (published.sha256, published.chunks, published.pages) == (version.sha256, 2, 4)
    assert (published.visibility, published.tags) == ("admins", ("hr", "leave"))
    assert published.date == dt.date(2025, 3, 1)
    assert before <= published.ingested_at <= dt.datetime.now(dt.UTC)
    assert published.current
    assert published.embedding_model == MODEL


def test_another_content_under_the_same_key_is_the_next_version(store: SqlStore) -> None:
    first = store.publish(new_version("leave.md", "Fifteen days."))
    second = store.publish(new_version("leave.md", "Twenty days."))

    assert (first.version, second.version) == (1, 2)
    assert store.current() == [second]
    assert store.readable(Viewer(), Filters()) == {second.id}


def test_a_superseded_version_keeps_its_passages(store: SqlStore) -> None:
    store.publish(new_version("leave.md", "Fifteen days."))
    store.publish(new_version("leave.md", "Twenty days."))

    assert {p.text: p.version for p in store.passages([1, 2]).values()} == {"Fifteen days.": 1, "Twenty days.": 2}


def test_each_publication_and_deletion_is_one_step_of_the_generation(store: SqlStore) -> None:
    seen = [store.generation()]
    store.publish(new_version("a.md", "one"))
    seen.append(store.generation())
    store.publish(new_version("a.md", "two"))
    seen.append(store.generation())
    store.delete("a.md")
    seen.append(store.generation())

    assert seen == [0, 1, 2, 3]


def test_current_versions_are_found_by_name_and_by_content(store: SqlStore) -> None:
    b = store.publish(new_version("b.md", "the same text"))
    a = store.publish(new_version("a.md", "the same text"))
    c = store.publish(new_version("c.md", "another text"))

    assert store.current() == [a, b, c]
    assert store.current(document="b.md") == [b]
    assert store.current(sha256=a.sha256) == [a, b]
    assert store.current(document="c.md", sha256=a.sha256) == []


def test_a_deleted_document_is_gone_at_once_in_all_its_versions(store: SqlStore) -> None:
    store.publish(new_version("a.md", "old"))
    newest = store.publish(new_version("a.md", "new"))
    kept = store.publish(new_version("b.md", "kept"))

    deleted = store.delete("a.md")

    assert deleted == replace(newest, current=False, removed_at=deleted.removed_at)
    assert deleted.removed_at
    assert store.current() == [kept]
    assert store.readable(Viewer(), Filters()) == {kept.id}
    assert [p.text for p in store.passages([1, 2, 3]).values()] == ["kept"]


def indexed(store: SqlStore, since: int = 0) -> list[list[tuple[int, ...]]]:
    """Passages that an index of either kind takes in after a generation, and versions that it drops."""
    batches = (store.keyword_changes(since), store.vector_changes(since, MODEL))
    return [[tuple(entry.number for entry in batch.added), batch.removed_versions] for batch in batches]


def test_a_restored_document_is_back_in_all_its_versions_and_in_every_index(store: SqlStore) -> None:
    store.publish(new_version("a.md", "old"))
    store.publish(new_version("a.md", "new", "parking"))
    before = (store.current(), store.versions("a.md"))
    store.delete("a.md")
    assert [(version.document, version.version) for version in store.deleted()] == [("a.md", 2)]
    deleted_at = store.generation()

    restored = store.restore("a.md")

    assert [restored] == store.current()
    assert (store.current(), store.versions("a.md")) == before
    assert store.deleted() == []
    assert indexed(store, since=deleted_at) == [[(1, 2, 3), ()], [(1, 2, 3), ()]]
    assert indexed(store) == [[(1, 2, 3), ()], [(1, 2, 3), ()]]
    assert store.document_frequencies(["parking"]) == ({"parking": 1}, 2)


def test_of_several_deletions_the_last_is_taken_back(store: SqlStore) -> None:
    for text in ("first", "second"):
        store.publish(new_version("a.md", text))
        store.delete("a.md")

    assert store.restore("a.md").version == 2
    assert [version.version for version in store.versions("a.md")] == [2]


def test_what_is_there_and_what_was_never_deleted_cannot_be_restored(store: SqlStore) -> None:
    store.publish(new_version("a.md", "deleted"))
    store.delete("a.md")
    store.publish(new_version("a.md", "again"))

    assert store.deleted() == []
    with pytest.raises(DocumentNotFound, match=r"a\.md is in the knowledge base; there is nothing to restore"):
        store.restore("a.md")
    with pytest.raises(DocumentNotFound, match=r"No document b\.md was deleted within the last 30 days"):
        store.restore("b.md")
    assert [p.text for p in store.passages([1, 2]).values()] == ["again"]


def age_deletions(url: str, by: dt.timedelta) -> None:
    """As if they had been made that much earlier."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        for version_id, at in connection.execute(sa.select(versions.c.id, versions.c.removed_at)).all():
            moved = at and at - by
            connection.execute(versions.update().where(versions.c.id == version_id).values(removed_at=moved))
    engine.dispose()


def counted_rows(url: str) -> dict[str, int]:
    engine = sa.create_engine(url)
    tables = (versions, version_tags, chunks, embeddings, embedded_versions, term_counts)
    with engine.connect() as connection:
        found = {t.name: connection.execute(sa.select(sa.func.count()).select_from(t)).scalar_one() for t in tables}
    engine.dispose()
    return found


def test_the_next_write_after_30_days_drops_a_deleted_document_for_good(store: SqlStore, store_url: str) -> None:
    store.publish(replace(new_version("a.md", "secret", "more"), tags=("hr",)))
    store.publish(new_version("a.md", "secret too"))
    store.publish(new_version("b.md", "kept"))
    store.delete("a.md")
    age_deletions(store_url, dt.timedelta(days=29))
    store.publish(new_version("c.md", "kept as well"))
    assert [version.document for version in store.deleted()] == ["a.md"]

    age_deletions(store_url, dt.timedelta(days=2))
    assert store.deleted() == []
    with pytest.raises(DocumentNotFound):
        store.restore("a.md")
    store.publish(new_version("d.md", "kept too"))

    assert counted_rows(store_url) == {
        "versions": 3, "version_tags": 0, "chunks": 3, "embeddings": 3, "embedded_versions": 3, "term_counts": 13,
    }  # fmt: skip
    assert {p.text for p in store.passages(range(20)).values()} == {"kept", "kept as well", "kept too"}
    assert store.publish(new_version("a.md", "anew")).version == 1


def test_a_deleted_document_can_come_again_as_a_later_version(store: SqlStore) -> None:
    store.publish(new_version("a.md", "text"))
    store.delete("a.md")

    again = store.publish(new_version("a.md", "text"))

    assert (again.version, again.current) == (2, True)
    assert store.current() == [again]


def test_numbers_of_passages_and_versions_are_never_used_twice(store: SqlStore) -> None:
    first = store.publish(new_version("a.md", "x", "y"))
    store.delete("a.md")
    second = store.publish(new_version("a.md", "x", "y"))

    assert second.id > first.id
    assert sorted(store.passages(range(100))) == [3, 4]


def test_versions_passages_and_vectors_of_a_document_are_told_back(store: SqlStore) -> None:
    first = store.publish(new_version("a.md", "old one", "old two"))
    second = store.publish(new_version("a.md", "new one"))

    assert [v.version for v in store.versions("a.md")] == [1, 2]
    assert [v.current for v in store.versions("a.md")] == [False, True]
    assert [p.text for p in store.passages_of(first.id)] == ["old one", "old two"]
    assert [p.text for p in store.passages_of(second.id)] == ["new one"]
    found = store.vectors_of(first.id, MODEL)
    assert np.allclose([found[1], found[2]], embedded(["old one", "old two"]))
    assert store.vectors_of(first.id, "another model") == {}
    with pytest.raises(DocumentNotFound, match=r"Did you mean a\.md"):
        store.versions("A.md")


def test_deleting_what_is_not_there_names_similar_documents(store: SqlStore) -> None:
    store.publish(new_version("policies/Travel.md", "text"))
    store.publish(new_version("handbook.md", "text"))

    with pytest.raises(DocumentNotFound, match=r"no document travel\.md .*Did you mean policies/Travel\.md\?"):
        store.delete("travel.md")
    with pytest.raises(DocumentNotFound, match=r"Did you mean handbook\.md\?"):
        store.delete("handbok.md")
    with pytest.raises(DocumentNotFound, match=r"no document zzz in the knowledge base\.$"):
        store.delete("zzz")


@pytest.mark.parametrize(
    ("vectors", "why"),
    [
        ([[1.0, 0.0], [0.0, 0.0]], "passage 2 is zero"),
        ([[float("nan"), 0.0], [1.0, 0.0]], "passage 1 is zero or not a number"),
        ([[float("inf"), 0.0], [1.0, 0.0]], "passage 1 is zero or not a number"),
        ([[1e300, 1e300], [1.0, 0.0]], "passage 1 is zero or not a number"),
        ([[1.0, 0.0]], r"2 were expected, and what came has the shape \(1, 2\)"),
        ([1.0, 0.0], r"shape \(2,\)"),
        ([[1.0, 0.0], []], "differ in width"),
        ([[], []], r"shape \(2, 0\)"),
        ([["a", "b"], ["c", "d"]], "not numbers"),
        ([], "2 were expected"),
    ],
)
def test_unusable_vectors_refuse_the_document_and_write_nothing(store: SqlStore, vectors: object, why: str) -> None:
    version = replace(new_version("a.md", "x", "y"), vectors=vectors)  # type: ignore[arg-type]  # what a broken model gives

    with pytest.raises(DocumentRefused, match=why) as refusal:
        store.publish(version)

    assert refusal.value.cause == RefusalCause.EMBEDDING_FAILED
    assert store.current() == []
    assert store.generation() == 0


def test_vectors_of_another_width_than_the_models_earlier_ones_are_refused(store: SqlStore) -> None:
    store.publish(new_version("a.md", "x", dim=16))

    with pytest.raises(DocumentRefused, match=r"vectors of 8 numbers.* earlier ones of 16"):
        store.publish(new_version("b.md", "y", dim=8))

    assert [v.document for v in store.current()] == ["a.md"]
    assert store.generation() == 1


def test_another_model_may_have_another_width(store: SqlStore) -> None:
    store.publish(new_version("a.md", "x", model="embed-a", dim=16))
    store.publish(new_version("b.md", "y", model="embed-b", dim=8))

    assert len(store.current()) == 2


def test_vectors_of_any_length_and_number_type_are_stored_as_unit_float32(store: SqlStore) -> None:
    rows = np.array([[10.0, 1.0], [1.0, 1.0]], dtype=np.float64)
    store.publish(replace(new_version("a.md", "long", "close"), vectors=rows))  # type: ignore[arg-type]  # float64 on purpose

    stored = np.stack([entry.vector for entry in store.vector_changes(0, MODEL).added])

    assert stored.dtype == np.float32
    assert stored @ np.array([1, 1], np.float32) / np.sqrt(2) == pytest.approx([0.774, 1.0], abs=0.001)


def test_a_document_without_passages_is_refused(store: SqlStore) -> None:
    empty = new_version("a.md")

    with pytest.raises(DocumentRefused, match="no text") as refusal:
        store.publish(empty)

    assert refusal.value.cause == RefusalCause.NO_TEXT
    assert store.generation() == 0


def test_text_that_databases_refuse_is_cleaned_instead(store: SqlStore) -> None:
    store.publish(new_version("a.md", "before\0after \ud83d."))

    assert store.passages([1])[1].text == "beforeafter ?."


def test_many_threads_publish_without_losing_a_document(store: SqlStore) -> None:
    def publish(document: str, texts: tuple[str, ...]) -> None:
        store.publish(new_version(document, *texts))

    wanted: list[NewVersion] = [new_version(f"{n}.md", f"text {n}", f"more {n}") for n in range(8)]
    threads = [threading.Thread(target=publish, args=(v.document, tuple(c.text for c in v.chunks))) for v in wanted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {v.document: v.chunks for v in store.current()} == {f"{n}.md": 2 for n in range(8)}
    assert store.generation() == 8


def test_many_threads_publish_versions_of_one_document_one_after_the_other(store: SqlStore) -> None:
    threads = [threading.Thread(target=lambda n=n: store.publish(new_version("a.md", f"text {n}"))) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    [current] = store.current()
    assert current.version == 6
