"""Opening the store: new, old, newer, broken, and what it says when it cannot."""

import contextlib
import logging
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.schema import CreateIndex, CreateTable

from retrieval import text
from retrieval.adapters.sql import SqlStore, open_store
from retrieval.adapters.sql.database import Database
from retrieval.adapters.sql.migrations import STEPS, prepare
from retrieval.adapters.sql.schema import metadata, state, version_tags
from retrieval.errors import ConfigurationError
from retrieval.types import Filters, StoredVectors, Viewer
from tests.retrieval.adapters.new_versions import MODEL, embedded, new_version, said
from tests.retrieval.auditing import DAY, refused_record

AUDIT = ("audit_reviews", "audit_gaps", "audit")
"""What the third step makes, so that each can be dropped before what it refers to."""


def _url(folder: Path) -> str:
    return f"sqlite:///{folder / 'footnote.db'}"


def _sql(folder: Path, statement: str) -> list[Any]:
    with contextlib.closing(sqlite3.connect(folder / "footnote.db")) as connection, connection:
        return connection.execute(statement).fetchall()


def test_a_store_makes_the_folders_that_it_needs(tmp_path: Path) -> None:
    open_store(_url(tmp_path / "new" / "place")).close()

    assert (tmp_path / "new" / "place" / "footnote.db").is_file()


def test_a_store_opened_again_holds_what_was_published(tmp_path: Path) -> None:
    first = open_store(_url(tmp_path))
    published = first.publish(new_version("a.md", "one"))
    first.close()

    second = open_store(_url(tmp_path))

    assert second.current() == [published]
    assert second.generation() == 1
    second.close()


def test_readers_and_a_writer_do_not_wait_for_each_other(tmp_path: Path) -> None:
    store = open_store(_url(tmp_path))
    other = Database(_url(tmp_path))

    with other.reading() as reading:
        before = reading.execute(sa.select(state.c.generation)).scalar_one()
        store.publish(new_version("a.md", "one"))
        during = reading.execute(sa.select(state.c.generation)).scalar_one()

    assert (before, during, store.generation()) == (0, 0, 1)
    other.close()
    store.close()


def test_rows_that_belong_to_no_version_are_refused(tmp_path: Path) -> None:
    database = Database(_url(tmp_path))
    prepare(database)

    with pytest.raises(IntegrityError, match="FOREIGN KEY"), database.writing() as connection:
        connection.execute(version_tags.insert().values(version_id=7, tag="hr"))
    database.close()


def test_a_document_cannot_have_two_current_versions(tmp_path: Path) -> None:
    store = open_store(_url(tmp_path))
    store.publish(new_version("a.md", "one"))
    store.publish(new_version("a.md", "two"))
    store.close()

    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        _sql(tmp_path, "UPDATE versions SET superseded_generation = NULL")


def test_a_database_newer_than_the_code_is_left_alone(tmp_path: Path) -> None:
    open_store(_url(tmp_path)).close()
    _sql(tmp_path, "UPDATE state SET schema_version = 99")

    with pytest.raises(ConfigurationError, match=r"newer Footnote \(schema version 99, this one knows \d+\)"):
        open_store(_url(tmp_path))

    assert _sql(tmp_path, "SELECT schema_version FROM state") == [(99,)]


def _add_colour(connection: Connection) -> None:
    connection.execute(sa.text("ALTER TABLE versions ADD COLUMN colour TEXT"))


def _add_smell(connection: Connection) -> None:
    connection.execute(sa.text("ALTER TABLE versions ADD COLUMN smell TEXT"))


def _fail(connection: Connection) -> None:
    connection.execute(sa.text("ALTER TABLE versions ADD COLUMN half TEXT"))
    raise RuntimeError("a step that fails")


def _columns(folder: Path) -> set[str]:
    return {row[1] for row in _sql(folder, "PRAGMA table_info(versions)")}


def test_steps_are_taken_once_each_in_order(tmp_path: Path) -> None:
    database = Database(_url(tmp_path))
    prepare(database, steps=())
    prepare(database, steps=(_add_colour,))
    prepare(database, steps=(_add_colour, _add_smell))
    prepare(database, steps=(_add_colour, _add_smell))
    database.close()

    assert {"colour", "smell"} <= _columns(tmp_path)
    assert _sql(tmp_path, "SELECT schema_version FROM state") == [(3,)]


def test_a_new_database_is_made_at_the_newest_version(tmp_path: Path) -> None:
    database = Database(_url(tmp_path))
    prepare(database, steps=(_fail,))
    database.close()

    assert _sql(tmp_path, "SELECT schema_version FROM state") == [(2,)]


def test_a_step_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    database = Database(_url(tmp_path))
    prepare(database, steps=())

    with pytest.raises(RuntimeError):
        prepare(database, steps=(_add_colour, _fail))

    database.close()
    assert not {"colour", "half"} & _columns(tmp_path)
    assert _sql(tmp_path, "SELECT schema_version FROM state") == [(1,)]


def test_another_scheme_of_terms_counts_all_keywords_again(tmp_path: Path) -> None:
    store = open_store(_url(tmp_path))
    store.publish(new_version("a.md", "parking permit"))
    expected = store.document_frequencies(["parking", "permit"])
    entries = store.keyword_changes(0).added
    store.close()
    _sql(tmp_path, f"UPDATE state SET terms_scheme = {text.SCHEME - 1}")
    _sql(tmp_path, "UPDATE term_counts SET term = 'old-' || term")
    _sql(tmp_path, "UPDATE chunks SET terms = 'old'")

    again = open_store(_url(tmp_path))

    assert again.document_frequencies(["parking", "permit"]) == expected
    assert [e.terms for e in again.keyword_changes(0).added] == [e.terms for e in entries]
    assert _sql(tmp_path, "SELECT terms_scheme FROM state") == [(text.SCHEME,)]
    again.close()


def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "footnote.db").write_text("These are my holiday notes. " * 50)

    with pytest.raises(ConfigurationError, match=r"footnote\.db does not answer: file is not a database"):
        open_store(_url(tmp_path))

    assert (tmp_path / "footnote.db").read_text().startswith("These are my holiday notes.")


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(ConfigurationError, match=r"file.* cannot be used for the store"):
        open_store(_url(tmp_path / "file" / "below"))
    with pytest.raises(ConfigurationError, match="unable to open database file"):
        open_store(f"sqlite:///{tmp_path}")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("nonsense", "not a database URL"),
        ("mysql://u:secret@localhost/x", "mysql is not supported"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
    ],
)
def test_a_url_that_cannot_work_is_a_configuration_error(url: str, why: str) -> None:
    with pytest.raises(ConfigurationError, match=f"DATABASE_URL: .*{why}") as refusal:
        open_store(url)

    assert "secret" not in str(refusal.value)


def test_every_statement_is_correct_for_postgresql(tmp_path: Path) -> None:
    store = open_store(_url(tmp_path))
    statements: list[sa.ClauseElement] = []

    def _keep(_connection: object, statement: sa.ClauseElement, *_rest: object) -> None:
        statements.append(statement)

    event.listen(sa.Engine, "before_execute", _keep)
    try:
        store.publish(new_version("a.md", "one"))
        store.publish(new_version("a.md", "two"))
        store.keyword_changes(0)
        store.vector_changes(0, MODEL)
        store.coverage()
        store.example(MODEL)
        store.adopt("embed-b", 8)
        store.lacking("embed-b")
        store.add_vectors("embed-b", [2], embedded(["two"], 8))
        store.adopt("embed-b", 4)
        store.readable(Viewer(), Filters(documents=("a.md",), tags=("x",)))
        store.passages([1])
        store.document_frequencies(["one"])
        store.record(said("1.0"))
        store.finish(said("1.0"), said("2.0", by_bot=True))
        store.thread("C1", "100.0")
        store.unfinished()
        store.audit.add(refused_record("1.0", "where is the key?"))
        store.audit.find("C1", "1.0")
        store.audit.newest(5, DAY)
        list(store.audit.all(DAY))
        store.audit.passages([1], Viewer())
        store.audit.gaps(5)
        store.audit.open_reviews(5)
        store.audit.decide(1, "right", "U1")
        store.audit.forget(DAY)
        store.audit.forget_person("U1")
        store.delete("a.md")
    finally:
        event.remove(sa.Engine, "before_execute", _keep)
    store.close()

    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]  # SQLAlchemy leaves it untyped
    compiled = [str(statement.compile(dialect=dialect)) for statement in statements]
    tables = [str(CreateTable(table).compile(dialect=dialect)) for table in metadata.sorted_tables]
    indexes = [
        str(CreateIndex(index).compile(dialect=dialect)) for table in metadata.sorted_tables for index in table.indexes
    ]
    assert len(compiled) > 30
    assert any("number BIGSERIAL" in table for table in tables)
    assert any("UNIQUE INDEX one_current_version" in i and "WHERE" in i for i in indexes)


def test_opening_says_nothing_where_all_is_well(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="retrieval"):
        open_store(_url(tmp_path)).close()
        open_store(_url(tmp_path)).close()

    assert caplog.records == []


def test_the_first_released_schema_becomes_the_one_an_empty_database_gets(tmp_path: Path) -> None:
    database = Database(_url(tmp_path))
    prepare(database, steps=())
    _to_the_fourth_schema(tmp_path)
    for table in ("outbox", "feedback", "embedded_versions", *AUDIT):
        _sql(tmp_path, f"DROP TABLE {table}")
    _sql(tmp_path, "ALTER TABLE messages DROP COLUMN attempts")
    _sql(tmp_path, "INSERT INTO messages VALUES ('C1', '1.0', '1.0', 'U1', 'hi', 0, 'accepted', '2026-01-01')")

    prepare(database)
    database.close()

    store = open_store(_url(tmp_path))
    (message,) = store.unfinished()
    assert store.begin(message) == 1
    store.keep(message, {"parts": []})
    assert store.kept(message) == {"parts": []}
    assert store.ratings() == []
    store.close()


def test_documents_of_the_second_schema_keep_the_vectors_they_have(tmp_path: Path) -> None:
    store = open_store(_url(tmp_path))
    store.publish(new_version("a.md", "one", "two"))
    store.publish(new_version("b.md", "three", model="embed-b", dim=8))
    store.publish(new_version("a.md", "four"))
    store.publish(new_version("c.md", "gone"))
    store.delete("c.md")
    before = _what_indexes_hold(store)
    store.close()
    _to_the_fourth_schema(tmp_path)
    for table in ("embedded_versions", *AUDIT):
        _sql(tmp_path, f"DROP TABLE {table}")
    _sql(tmp_path, "UPDATE state SET schema_version = 2")

    again = open_store(_url(tmp_path))

    assert _what_indexes_hold(again) == before
    assert [(stored.model, stored.passages) for stored in again.coverage().models] == [("embed-b", 1), (MODEL, 1)]
    again.add_vectors(MODEL, [3], embedded(["three"]))
    assert again.coverage().whole(MODEL) == StoredVectors(MODEL, 16, 2)
    assert _sql(tmp_path, "SELECT schema_version FROM state") == [(1 + len(STEPS),)]
    again.close()


def test_a_store_of_the_third_schema_keeps_what_it_holds_and_gets_the_tables_of_a_new_one(tmp_path: Path) -> None:
    open_store(_url(tmp_path / "new")).close()
    store = open_store(_url(tmp_path))
    store.publish(new_version("a.md", "one"))
    store.record(said("1.0"))
    before = store.current()
    store.close()
    _to_the_fourth_schema(tmp_path)
    for table in AUDIT:
        _sql(tmp_path, f"DROP TABLE {table}")
    _sql(tmp_path, "UPDATE state SET schema_version = 3")

    again = open_store(_url(tmp_path))

    assert (again.current(), again.unfinished()) == (before, [said("1.0")])
    assert again.audit.add(refused_record("1.0", "where is the key?"))
    assert [gap.question for gap in again.audit.gaps(10)] == ["where is the key?"]
    for table in AUDIT:
        for about in ("table_info", "index_list", "foreign_key_list"):
            made, new = (_sql(folder, f"PRAGMA {about}({table})") for folder in (tmp_path, tmp_path / "new"))
            assert _shape(made) == _shape(new)
    again.close()


def test_documents_of_the_fourth_schema_count_pages_and_belong_to_nobody(tmp_path: Path) -> None:
    open_store(_url(tmp_path / "new")).close()
    store = open_store(_url(tmp_path))
    store.publish(new_version("a.md", "one"))
    before = store.current()
    store.close()
    _to_the_fourth_schema(tmp_path)
    _sql(tmp_path, "UPDATE state SET schema_version = 4")

    again = open_store(_url(tmp_path))

    assert again.current() == before
    assert [(version.page_unit, version.owner) for version in before] == [("page", None)]
    for table in ("versions", "chunks", "floors"):
        made, new = (_sql(folder, f"PRAGMA table_info({table})") for folder in (tmp_path, tmp_path / "new"))
        assert sorted(_shape([row[1:2] for row in made])) == sorted(_shape([row[1:2] for row in new]))
    again.close()


def test_deletions_of_the_fifth_schema_can_be_taken_back_from_now_on(tmp_path: Path) -> None:
    store = open_store(_url(tmp_path))
    store.publish(new_version("a.md", "one"))
    store.delete("a.md")
    store.close()
    _sql(tmp_path, "DROP INDEX ix_embeddings_number")
    _sql(tmp_path, "UPDATE versions SET removed_at = NULL")
    _sql(tmp_path, "UPDATE state SET schema_version = 5")

    again = open_store(_url(tmp_path))

    assert [version.document for version in again.deleted()] == ["a.md"]
    assert again.restore("a.md").current
    assert "ix_embeddings_number" in [row[1] for row in _sql(tmp_path, "PRAGMA index_list(embeddings)")]
    again.close()


def _to_the_fourth_schema(folder: Path) -> None:
    _sql(folder, "DROP INDEX ix_embeddings_number")
    _sql(folder, "DROP TABLE floors")
    _sql(folder, "ALTER TABLE chunks DROP COLUMN confidence")
    for column in ("page_unit", "owner", "removed_at"):
        _sql(folder, f"ALTER TABLE versions DROP COLUMN {column}")


def _shape(rows: list[Any]) -> list[str]:
    """Without places, which indexes have by age, and in the names that a new database has for types."""
    types = {"BIGINT": "INTEGER", "TIMESTAMP WITH TIME ZONE": "DATETIME"}
    return sorted(str([types.get(str(value), value) for value in row[1:]]) for row in rows)


def _what_indexes_hold(store: SqlStore) -> list[Any]:
    by_model = [store.vector_changes(0, model) for model in (MODEL, "embed-b")]
    return [[(batch.generation, [entry.number for entry in batch.added], batch.removed_versions) for batch in by_model]]
