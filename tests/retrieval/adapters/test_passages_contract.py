"""What `Passages` promises to recall."""

import datetime as dt
from dataclasses import replace

import pytest
import sqlalchemy as sa

from retrieval.adapters.sql import SqlStore
from retrieval.adapters.sql.schema import versions
from retrieval.types import Filters, Past, Viewer
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


@pytest.fixture
def travel(store: SqlStore) -> SqlStore:
    """A policy of three versions, of 2022, 2024 and 2026, beside a document without a date."""
    for year in (2022, 2024, 2026):
        store.publish(replace(new_version("travel.md", f"in {year}"), date=dt.date(year, 3, 1), tags=("hr",)))
    store.publish(new_version("menu.md", "soup"))
    return store


def _read(store: SqlStore, filters: Filters, viewer: Viewer | None = None) -> list[str]:
    ids = store.readable(viewer or Viewer(), filters)
    return [p.text for p in store.passages(range(20)).values() if p.version_id in ids]


@pytest.mark.parametrize(
    ("past", "expected"),
    [
        (Past(version=1), ["in 2022", "in 2026", "soup"]),
        (Past(version=1, alone=True), ["in 2022", "soup"]),
        (Past(version=-1, alone=True), ["in 2024", "soup"]),
        (Past(version=3, alone=True), ["in 2026", "soup"]),
        (Past(version=7, alone=True), ["in 2026", "soup"]),
        (Past(version=-3, alone=True), ["in 2026", "soup"]),
        (Past(as_of=dt.date(2023, 12, 31)), ["in 2022", "in 2026", "soup"]),
        (Past(as_of=dt.date(2024, 3, 1), alone=True), ["in 2024", "soup"]),
        (Past(as_of=dt.date(2024, 2, 29), alone=True), ["in 2022", "soup"]),
        (Past(as_of=dt.date(2021, 1, 1), alone=True), ["in 2026", "soup"]),
        (Past(as_of=dt.date(2026, 12, 31)), ["in 2026", "soup"]),
    ],
)
def test_a_wish_for_the_past_brings_one_superseded_version_beside_the_current_or_instead(
    travel: SqlStore, past: Past, expected: list[str]
) -> None:
    assert _read(travel, Filters(past=past)) == expected


def test_without_a_wish_for_the_past_only_current_versions_are_read(travel: SqlStore) -> None:
    assert _read(travel, Filters(since=dt.date(2022, 1, 1), until=dt.date(2024, 12, 31))) == []
    assert _read(travel, EVERYTHING) == ["in 2026", "soup"]


def test_dates_that_only_a_superseded_version_meets_keep_no_current_one_out(travel: SqlStore) -> None:
    in_2024 = Filters(since=dt.date(2024, 1, 1), until=dt.date(2024, 12, 31), past=Past(as_of=dt.date(2024, 12, 31)))

    assert _read(travel, in_2024) == ["in 2024", "in 2026", "soup"]
    assert _read(travel, replace(in_2024, documents=("menu.md",))) == []
    assert _read(travel, replace(in_2024, tags=("hr",))) == ["in 2024", "in 2026"]


def test_a_version_without_a_date_was_in_force_from_when_it_came(store: SqlStore, store_url: str) -> None:
    store.publish(new_version("a.md", "old"))
    engine = sa.create_engine(store_url)
    with engine.begin() as connection:
        connection.execute(versions.update().values(ingested_at=dt.datetime(2023, 5, 1, tzinfo=dt.UTC)))
    engine.dispose()
    store.publish(new_version("a.md", "new"))

    assert _read(store, Filters(past=Past(as_of=dt.date(2023, 4, 30)))) == ["new"]
    assert _read(store, Filters(past=Past(as_of=dt.date(2023, 5, 1)))) == ["old", "new"]


def test_the_past_of_a_deleted_document_is_gone_with_it(travel: SqlStore) -> None:
    travel.delete("travel.md")

    assert _read(travel, Filters(past=Past(version=1))) == ["soup"]


def test_earlier_versions_are_seen_only_by_those_who_see_them_and_the_current_one(store: SqlStore) -> None:
    store.publish(new_version("pay.md", "for all then"))
    store.publish(replace(new_version("pay.md", "for few now"), visibility="admins"))
    store.publish(replace(new_version("rules.md", "for few then"), visibility="admins"))
    store.publish(new_version("rules.md", "for all now"))
    first = Filters(past=Past(version=1))

    assert _read(store, first) == ["for all now"]
    assert _read(store, first, Viewer.admin()) == ["for all then", "for few now", "for few then", "for all now"]


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
