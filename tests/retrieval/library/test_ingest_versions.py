"""The same, a new version, a new document: what is told, what is embedded again, what a replaced document keeps."""

import dataclasses
import datetime as dt
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from retrieval.adapters.sql import SqlStore
from retrieval.errors import ServiceUnavailable
from retrieval.library.ingest import Library
from retrieval.library.markdown import read_markdown
from retrieval.text import terms
from retrieval.types import (
    Filters,
    IngestReport,
    ParsedDocument,
    SectionChanges,
    SourceFile,
    Vectors,
    Viewer,
)
from tests.retrieval.adapters.other_processes import open_indexes
from tests.retrieval.library.word_vectors import WordVectors

Write = Callable[..., SourceFile]


class MarkdownParser:
    """The reader of Markdown, in this process."""

    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        return read_markdown(file.path.read_text("utf-8"), Path(file.document).stem)


@pytest.fixture
def model() -> WordVectors:
    return WordVectors()


@pytest.fixture
def library(store: SqlStore, model: WordVectors) -> Library:
    return Library(store, model, MarkdownParser())


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, text: str, **said: object) -> SourceFile:
        path = tmp_path / "files" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        return dataclasses.replace(SourceFile(name, path), **said)  # type: ignore[arg-type]  # fields of SourceFile

    return written


def handbook(*, title: str = "Handbook", leave: str = "You have 25 days.", **sections: str) -> str:
    more = "".join(f"\n## {name}\n\n{text}\n" for name, text in sections.items())
    return f"# {title}\n\nFor all.\n\n## Leave\n\n{leave}\n{more}"


def test_a_new_version_says_which_sections_it_adds_removes_and_changes(library: Library, write: Write) -> None:
    library.ingest(write("h.md", handbook(Lockers="Free.", Travel="By train.")))

    report = library.ingest(write("h.md", handbook(leave="You have 26 days.", Travel="By train.", Pets="Dogs only.")))

    assert report.status == "new_version"
    assert report.changes == SectionChanges(added=("Pets",), removed=("Lockers",), changed=("Leave",))
    assert report.message == (
        "“h.md” was taken in: 4 passages, version 2. Changed: Leave. Added: Pets. Removed: Lockers."
    )
    assert json.loads(json.dumps(dataclasses.asdict(report)))["changes"]["added"] == ["Pets"]


def test_another_title_is_no_change_of_every_section(library: Library, write: Write) -> None:
    library.ingest(write("h.md", handbook(title="Handbook 2025")))

    report = library.ingest(write("h.md", handbook(title="Handbook 2026", leave="You have 26 days.")))

    assert report.changes == SectionChanges(changed=("Leave",))


def test_of_many_changed_sections_the_first_are_named(library: Library, write: Write) -> None:
    library.ingest(write("h.md", handbook()))

    report = library.ingest(write("h.md", handbook(**{f"Rule {n}": "Ring." for n in range(9)})))

    assert report.changes
    assert len(report.changes.added) == 9
    assert report.message.endswith("Added: Rule 0, Rule 1, Rule 2 and 6 more sections.")


def test_a_new_document_and_an_unchanged_one_have_no_changes(library: Library, write: Write) -> None:
    reports = [library.ingest(write("h.md", handbook())) for _ in range(2)]

    assert [(report.status, report.changes) for report in reports] == [("new", None), ("unchanged", None)]


def test_only_changed_passages_are_embedded_again(
    library: Library, store: SqlStore, model: WordVectors, write: Write
) -> None:
    rules = {f"Rule {n}": f"Ring {n} times." for n in range(30)}
    library.ingest(write("h.md", handbook(**rules)))
    model.batches.clear()

    report = library.ingest(write("h.md", handbook(leave="You have 26 days.", **rules | {"Rule 7": "Ring never."})))

    assert report.chunks == 32
    assert model.batches == [2]
    (current,) = store.current()
    stored = store.vectors_of(current.id, model.name)
    for passage in store.passages_of(current.id):
        fresh = model.embed([" > ".join(passage.section) + "\n" + passage.text], "passage")[0]
        assert np.allclose(stored[passage.number], fresh, atol=1e-6)


def test_other_attributes_alone_embed_nothing(library: Library, model: WordVectors, write: Write) -> None:
    library.ingest(write("h.md", handbook()))
    model.batches.clear()

    report = library.ingest(write("h.md", handbook(), visibility="admins", owner="U0ADMIN"))

    assert (report.status, report.changes, model.batches) == ("new_version", SectionChanges(), [])
    assert report.message.endswith("Its text is the same.")
    assert [(version.visibility, version.owner) for version in library.list()] == [("admins", "U0ADMIN")]


def test_a_passage_under_another_section_is_embedded_again(library: Library, model: WordVectors, write: Write) -> None:
    library.ingest(write("h.md", handbook(Lockers="Ask at the desk.")))
    model.batches.clear()

    library.ingest(write("h.md", handbook(Bicycles="Ask at the desk.")))

    assert model.batches == [1]


class AnotherModel(WordVectors):
    name = "another"

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        return -super().embed(texts, kind)


def test_vectors_of_another_model_are_not_used(library: Library, store: SqlStore, write: Write) -> None:
    library.ingest(write("h.md", handbook()))
    another = AnotherModel()

    Library(store, another, MarkdownParser()).ingest(write("h.md", handbook(leave="You have 26 days.")))

    assert another.batches == [2]


class Down(WordVectors):
    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        raise ServiceUnavailable("the embedding server does not answer")


def test_what_cannot_be_embedded_leaves_the_version_before_with_its_vectors(
    library: Library, store: SqlStore, write: Write
) -> None:
    library.ingest(write("h.md", handbook()))
    generation = store.generation()

    report = Library(store, Down(), MarkdownParser()).ingest(write("h.md", handbook(leave="You have 26 days.")))

    assert (report.status, report.reason) == ("failed", "embedding_failed")
    assert store.generation() == generation


def test_a_file_can_be_the_next_version_of_a_document_of_another_name(
    library: Library, model: WordVectors, write: Write
) -> None:
    library.ingest(write("handbook.md", handbook(), visibility="admins", tags=("hr",)))
    model.batches.clear()
    file = write("handbook-2026.md", handbook(leave="You have 26 days."), replaces="handbook.md")

    report = library.ingest(file)

    assert (report.status, report.document, report.file) == ("new_version", "handbook.md", str(file.path))
    assert report.message.startswith("“handbook-2026.md” as “handbook.md” was taken in: 2 passages, version 2.")
    assert model.batches == [1]
    (version,) = library.list()
    assert (version.document, version.version, version.visibility, version.tags) == (
        "handbook.md",
        2,
        "admins",
        ("hr",),
    )
    assert library.ingest(file).status == "unchanged"


def test_what_replaces_nothing_is_refused_with_what_may_be_meant(library: Library, write: Write) -> None:
    library.ingest(write("handbook.md", handbook()))

    report = library.ingest(write("new.md", handbook(), replaces="handbok.md"))

    assert (report.status, report.reason) == ("failed", "no_such_document")
    assert "“new.md” has nothing to replace" in report.message
    assert "Did you mean handbook.md?" in report.message


def test_a_file_of_an_earlier_date_than_the_current_version_is_told(library: Library, write: Write) -> None:
    library.ingest(write("h.md", "---\ndate: 2026-03-01\n---\n# Rules\n\nRing twice.\n"))

    report = library.ingest(write("h.md", "---\ndate: 2025-03-01\n---\n# Rules\n\nRing once.\n"))

    assert report.warnings == (
        "It is dated 2025-03-01, earlier than version 1 of 2026-03-01, which it now stands in for: "
        "check that it is no old copy.",
    )
    assert library.ingest(write("h.md", "---\ndate: 2027-03-01\n---\n# Rules\n\nRing.\n")).warnings == ()


def test_a_document_has_the_date_that_its_text_or_name_tells(library: Library, write: Write) -> None:
    library.ingest(write("a 2024-11-10.md", "# Rules\n\nRing twice.\n"))
    library.ingest(write("b 2024-11-10.md", "# Rules\n\nEffective from 1 March 2026. Ring once.\n"))
    library.ingest(write("c 2024-11-10.md", "# Rules\n\nRing.\n", date=dt.date(2022, 2, 2)))

    assert [str(version.date) for version in library.list()] == ["2024-11-10", "2026-03-01", "2022-02-02"]


def test_a_preview_tells_what_would_happen_and_writes_nothing(
    library: Library, store: SqlStore, model: WordVectors, write: Write
) -> None:
    library.ingest(write("h.md", handbook(Lockers="Free.")))
    library.ingest(write("same.md", "# Same\n\nAs ever.\n"))
    generation = store.generation()
    model.batches.clear()

    def previewed(file: SourceFile) -> IngestReport:
        return library.preview(file)

    changed = previewed(write("h.md", handbook(leave="You have 26 days.", Lockers="Free.")))
    new, same = previewed(write("new.md", "# New\n\nText.\n")), previewed(write("same.md", "# Same\n\nAs ever.\n"))
    refused = previewed(write("empty.md", "\n"))

    assert [report.status for report in (changed, new, same, refused)] == ["new_version", "new", "unchanged", "failed"]
    assert changed.message == "“h.md” would be taken in: 3 passages, 1 to embed. Changed: Leave."
    assert (changed.changes, changed.chunks) == (SectionChanges(changed=("Leave",)), 3)
    assert new.message == "“new.md” would be taken in: 1 passage, 1 to embed."
    assert refused.reason == "no_text"
    assert (store.generation(), model.batches) == (generation, [])
    assert [version.document for version in library.list()] == ["h.md", "same.md"]


def test_a_deleted_document_comes_back_with_its_versions(library: Library, write: Write) -> None:
    for days in (25, 26):
        library.ingest(write("h.md", handbook(leave=f"You have {days} days.")))
    library.delete("h.md")
    assert [(version.document, version.version) for version in library.deleted()] == [("h.md", 2)]

    assert library.restore("h.md").version == 2

    first, second = library.versions("h.md")
    assert "You have 25 days." in [passage.text for passage in library.passages(first)]
    assert "You have 26 days." in [passage.text for passage in library.passages(second)]
    assert library.deleted() == []


def test_a_question_asked_meanwhile_finds_a_deleted_document_whole_or_not_at_all(
    library: Library, store: SqlStore, model: WordVectors, write: Write, tmp_path: Path
) -> None:
    rules = {f"Rule {n}": f"Ring {n} times." for n in range(8)}
    library.ingest(write("h.md", handbook(**rules)))
    indexes = open_indexes(store, tmp_path)
    query = model.embed(["ring"], "query")

    def found() -> int:
        indexes.refresh()
        dense = indexes.dense(model.name, model.dim)
        allowed = store.readable(Viewer(), Filters())
        hits = [*indexes.lexical.search(terms("ring", "en"), 100, allowed), *dense.search(query, 100, allowed)]
        return len(store.passages({hit.number for hit in hits}))

    with ThreadPoolExecutor(2) as pool:
        asking = [pool.submit(lambda: {found() for _ in range(30)}) for _ in range(2)]
        while not all(one.done() for one in asking):
            library.delete("h.md")
            assert found() == 0
            library.restore("h.md")
            assert found() == 10

    assert set[int]().union(*(one.result() for one in asking)) <= {0, 10}
