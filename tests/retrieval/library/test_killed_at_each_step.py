"""A process killed at each step of its work: all of the work is done or nothing, and search agrees with the store."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from retrieval.adapters.sql import SqlStore, open_store
from retrieval.library.ingest import Library
from retrieval.text import terms
from retrieval.types import Filters, SourceFile, Viewer
from tests.retrieval.adapters.other_processes import open_indexes
from tests.retrieval.library.killed_at import Model, Parser, Work, killed_at
from tests.retrieval.library.word_vectors import WordVectors

RULES = [f"Rule {n} asks to ring {n} times." for n in range(6)]
CHANGED = [*RULES[:5], "Rule 5 asks to knock."]


def write(folder: Path, name: str, rules: list[str], *, replaces: str | None = None) -> SourceFile:
    path = folder / name
    path.write_text("".join(f"# Part {n}\n\n{rule}\n\n" for n, rule in enumerate(rules)), "utf-8")
    return SourceFile(name, path, replaces=replaces)


@contextmanager
def opened(folder: Path) -> Iterator[SqlStore]:
    store = open_store(f"sqlite:///{folder / 'test.db'}")
    try:
        yield store
    finally:
        store.close()


def found(folder: Path) -> dict[str, list[str]]:
    """The rules by document, as the store has them. Each index finds just these and no other."""
    with opened(folder) as store:
        held = {version.document: store.passages_of(version.id) for version in store.current()}
        numbers = {passage.number for passages in held.values() for passage in passages}
        allowed = store.readable(Viewer.admin(), Filters())
        searched = open_indexes(store, folder)
        searched.refresh()
        dense = searched.dense(WordVectors.name, WordVectors.dim)
        near = dense.search(WordVectors().embed(["rule"], "query"), 1000, allowed)
        said = searched.lexical.search(terms("rule", "en"), 1000, allowed)
        assert {hit.number for hit in near} == {hit.number for hit in said} == numbers
        return {document: [passage.text for passage in passages] for document, passages in held.items()}


NOTHING: dict[str, list[str]] = {}
OLD, NEW = {"rules.md": RULES}, {"rules.md": CHANGED}


@pytest.mark.parametrize(
    ("point", "after"),
    [("parse", NOTHING), ("embed", NOTHING), ("INSERT INTO chunks", NOTHING), ("COMMIT", NOTHING), ("vectors", OLD)],
)
def test_a_new_document(tmp_path: Path, point: str, after: dict[str, list[str]]) -> None:
    killed_at(point, "ingest", write(tmp_path, "rules.md", RULES), tmp_path)

    assert found(tmp_path) == after


@pytest.mark.parametrize(
    ("work", "point", "after"),
    [
        ("ingest", "embed", OLD),
        ("ingest", "UPDATE versions", OLD),
        ("ingest", "INSERT INTO embeddings", OLD),
        ("replace", "INSERT INTO term_counts", OLD),
        ("replace", "COMMIT", OLD),
        ("ingest", "keywords", NEW),
        ("replace", "vectors", NEW),
        ("delete", "COMMIT", OLD),
        ("delete", "keywords", NOTHING),
        ("delete", "vectors", NOTHING),
    ],
)
def test_a_new_version_and_a_deletion(tmp_path: Path, work: Work, point: str, after: dict[str, list[str]]) -> None:
    with opened(tmp_path) as store:
        Library(store, Model(), Parser()).ingest(write(tmp_path, "rules.md", RULES))
    name, replaces = ("new.md", "rules.md") if work == "replace" else ("rules.md", None)

    killed_at(point, work, write(tmp_path, name, CHANGED, replaces=replaces), tmp_path)

    assert found(tmp_path) == after


@pytest.mark.parametrize(("point", "after"), [("UPDATE embedded", NOTHING), ("COMMIT", NOTHING), ("keywords", OLD)])
def test_a_restoration(tmp_path: Path, point: str, after: dict[str, list[str]]) -> None:
    file = write(tmp_path, "rules.md", RULES)
    with opened(tmp_path) as store:
        library = Library(store, Model(), Parser())
        library.ingest(file)
        library.delete("rules.md")

    killed_at(point, "restore", file, tmp_path)

    assert found(tmp_path) == after
