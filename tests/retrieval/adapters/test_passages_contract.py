"""What `Passages` promises to recall."""

import datetime as dt
from dataclasses import replace

import pytest

from retrieval.adapters.sql import SqlStore
from retrieval.types import Filters, Viewer
from tests.retrieval.adapters.new_versions import new_version

EVERYTHING = Filters()


def _names(store: SqlStore, viewer: Viewer, filters: Filters) -> set[str]:
    ids = store.readable(viewer, filters)
    return {version.document for version in store.current() if version.id in ids}


def test_a_viewer_reads_only_documents_with_one_of_their_labels(store: SqlStore) -> None:
    store.publish(new_version("open.md", "x"))
    store.publish(replace(new_version("closed.md", "x"), visibility="admins"))
    store.publish(replace(new_version("sales.md", "x"), visibility="group:sales"))

    assert _names(store, Viewer(), EVERYTHING) == {"open.md"}
    assert _names(store, Viewer.admin(), EVERYTHING) == {"open.md", "closed.md"}
    assert _names(store, Viewer(frozenset({"group:sales"})), EVERYTHING) == {"sales.md"}
    assert _names(store, Viewer(frozenset()), EVERYTHING) == set()


def test_a_version_with_a_narrower_label_hides_the_wider_one_before(store: SqlStore) -> None:
    store.publish(new_version("a.md", "for all"))
    store.publish(replace(new_version("a.md", "for few"), visibility="admins"))

    assert store.readable(Viewer(), EVERYTHING) == frozenset()


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(documents=("old.md", "none.md")), {"old.md"}),
        (Filters(documents=("old.md", "new.md")), {"old.md", "new.md"}),
        (Filters(tags=("hr",)), {"old.md", "undated.md"}),
        (Filters(tags=("hr", "it")), {"old.md", "new.md", "undated.md"}),
        (Filters(since=dt.date(2024, 1, 1)), {"new.md"}),
        (Filters(until=dt.date(2020, 5, 1)), {"old.md"}),
        (Filters(since=dt.date(2020, 5, 1), until=dt.date(2024, 6, 30)), {"old.md", "new.md"}),
        (Filters(documents=("old.md", "new.md"), tags=("it",)), {"new.md"}),
        (Filters(tags=("no such tag",)), set()),
    ],
)
def test_filters_admit_what_meets_all_of_them(store: SqlStore, filters: Filters, expected: set[str]) -> None:
    store.publish(replace(new_version("old.md", "x"), tags=("hr",), date=dt.date(2020, 5, 1)))
    store.publish(replace(new_version("new.md", "x"), tags=("it",), date=dt.date(2024, 6, 30)))
    store.publish(replace(new_version("undated.md", "x"), tags=("hr", "hr")))

    assert _names(store, Viewer(), filters) == expected


def test_a_filter_never_opens_what_the_viewer_may_not_see(store: SqlStore) -> None:
    store.publish(replace(new_version("closed.md", "x"), visibility="admins", tags=("hr",)))

    assert store.readable(Viewer(), Filters(documents=("closed.md",), tags=("hr",))) == frozenset()


def test_a_passage_carries_all_that_a_citation_needs(store: SqlStore) -> None:
    published = store.publish(replace(new_version("leave.md", "Fifteen days.", "Ask."), date=dt.date(2025, 1, 2)))

    found = store.passages([2, 99])

    assert list(found) == [2]
    passage = found[2]
    assert (passage.number, passage.chunk_id, passage.text) == (2, "leave.md#1", "Ask.")
    assert (passage.document, passage.title, passage.version) == ("leave.md", "leave", 1)
    assert (passage.version_id, passage.section, passage.page) == (published.id, ("Part", "No. 1"), 2)
    assert passage.date == dt.date(2025, 1, 2)


def test_thousands_of_numbers_are_looked_up_at_once(store: SqlStore) -> None:
    store.publish(new_version("a.md", "x"))

    assert list(store.passages(range(50_000))) == [1]
    assert store.passages([]) == {}


def test_document_frequencies_count_current_chunks_once_each(store: SqlStore) -> None:
    store.publish(new_version("a.md", "parking parking permit", "visitor parking", "canteen"))
    store.publish(new_version("b.md", "parking"))

    frequencies, total = store.document_frequencies({"parking", "permit", "nowhere"})

    assert frequencies == {"parking": 3, "permit": 1}
    assert total == 4


def test_document_frequencies_leave_superseded_and_deleted_chunks_out(store: SqlStore) -> None:
    store.publish(new_version("a.md", "parking", "parking"))
    store.publish(new_version("a.md", "bicycles"))
    store.publish(new_version("b.md", "parking"))
    store.publish(new_version("c.md", "parking"))
    store.delete("c.md")

    assert store.document_frequencies(["parking", "bicycles"])[0]["parking"] == 1
    assert store.document_frequencies(["parking"])[1] == 2


def test_document_frequencies_see_title_and_section(store: SqlStore) -> None:
    store.publish(new_version("lighthouse.md", "nothing else"))

    assert store.document_frequencies(["lighthouse"]) == ({"lighthouse": 1}, 1)


def test_an_empty_store_has_no_frequencies(store: SqlStore) -> None:
    assert store.document_frequencies(["parking"]) == ({}, 0)
    assert store.document_frequencies([]) == ({}, 0)
    assert store.readable(Viewer.admin(), EVERYTHING) == frozenset()
