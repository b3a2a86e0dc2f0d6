"""Files to published versions, with the real store and the real parsers."""

import datetime as dt
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from retrieval.adapters.mineru_parser import MinerUParser
from retrieval.adapters.rapid_ocr import RapidOcr
from retrieval.adapters.sql import SqlStore
from retrieval.errors import DocumentNotFound, ServiceUnavailable
from retrieval.library.ingest import Library
from retrieval.library.parse import Reader
from retrieval.library.sources import documents_in
from retrieval.types import Chunk, Filters, ParsedDocument, SourceFile, Vectors, Viewer, embedded_text
from tests.model_servers.server import Answer, Request, Response
from tests.retrieval.adapters.openai_embedders import embedded, embedding_server, served_embeddings, texts_of
from tests.retrieval.library.documents import CASES, SAMPLES
from tests.retrieval.library.word_vectors import WordVectors

TOO_LONG = "input length exceeds the context length"


@pytest.fixture
def library(store: SqlStore) -> Library:
    return Library(store, WordVectors(), Reader(MinerUParser(), RapidOcr()))


@pytest.fixture
def upload(tmp_path: Path) -> Callable[[str, str], SourceFile]:
    def write(name: str, text: str) -> SourceFile:
        path = tmp_path / "uploads" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        return SourceFile(name, path)

    return write


def stored_text(store: SqlStore) -> str:
    """All text that a person may find."""
    readable = store.readable(Viewer.admin(), Filters())
    entries = store.vector_changes(0, WordVectors.name).added
    passages = store.passages([entry.number for entry in entries if entry.version_id in readable])
    return "\n".join(passage.text for passage in passages.values())


def test_a_new_document_is_stored_with_all_that_is_known_of_it(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    path.write_text("---\ntitle: House rules\ndate: 2026-03-02\n---\n# Door\n\nRing twice.\n", "utf-8")
    report = library.ingest(SourceFile("a/rules.md", path, "admins", ("hr",)))
    assert (report.status, report.document, report.chunks, report.reason) == ("new", "a/rules.md", 1, None)
    (version,) = library.list()
    assert (version.title, version.version, version.visibility, version.tags) == ("House rules", 1, "admins", ("hr",))
    assert version.date == dt.date(2026, 3, 2)


def test_a_given_date_wins_over_the_one_in_the_file(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    path.write_text("---\ndate: 2026-03-02\n---\nRing twice.\n", "utf-8")
    library.ingest(SourceFile("rules.md", path, date=dt.date(2025, 1, 1)))
    assert library.list()[0].date == dt.date(2025, 1, 1)


def test_the_same_bytes_again_change_nothing_and_are_not_embedded(
    store: SqlStore, upload: Callable[[str, str], SourceFile]
) -> None:
    model = WordVectors()
    library = Library(store, model, Reader(MinerUParser(), RapidOcr()))
    file = upload("rules.md", "---\ndate: 2026-03-02\n---\nRing twice.")
    library.ingest(file)
    generation = store.generation()
    assert library.ingest(file).status == "unchanged"
    assert store.generation() == generation
    assert len(model.batches) == 1


def test_other_attributes_make_a_new_version(library: Library, upload: Callable[[str, str], SourceFile]) -> None:
    file = upload("rules.md", "Ring twice.")
    library.ingest(file)
    report = library.ingest(SourceFile(file.document, file.path, "admins"))
    assert report.status == "new_version"
    assert [(version.version, version.visibility) for version in library.list()] == [(2, "admins")]


def test_new_content_under_a_name_replaces_the_old_in_recall(
    library: Library, store: SqlStore, upload: Callable[[str, str], SourceFile]
) -> None:
    library.ingest(upload("locker.md", "The deposit is 300 euros."))
    report = library.ingest(upload("locker.md", "The deposit is 450 euros."))
    assert report.status == "new_version"
    assert [version.version for version in library.list()] == [2]
    assert "300 euros" not in stored_text(store)
    assert "450 euros" in stored_text(store)


def test_a_shorter_version_leaves_nothing_of_the_longer_one(
    library: Library, store: SqlStore, upload: Callable[[str, str], SourceFile]
) -> None:
    sections = [f"# Section {n}\n\nRule number {n} of the house.\n" for n in range(5)]
    library.ingest(upload("rules.md", "\n".join([*sections, "# Last\n\nPay in cash only.\n"])))
    library.ingest(upload("rules.md", "\n".join(sections[:2])))
    assert "Pay in cash only" not in stored_text(store)
    assert library.list()[0].chunks == 2


def test_the_same_bytes_under_another_name_are_told(library: Library, upload: Callable[[str, str], SourceFile]) -> None:
    library.ingest(upload("a.md", "Ring twice."))
    report = library.ingest(upload("b.md", "Ring twice."))
    assert report.status == "new"
    assert report.warnings == ("The same content is already in the knowledge base as “a.md”.",)


def test_a_bad_file_stops_no_other_and_each_has_its_reason(library: Library) -> None:
    names = ["H00_plain.pdf", "H05_truncated.pdf", "A20_empty.txt", "A17_crlf.md"]
    reports = [library.ingest(SourceFile(name, CASES / name)) for name in names]
    assert [(report.document, report.status, report.reason) for report in reports] == [
        ("H00_plain.pdf", "new", None),
        ("H05_truncated.pdf", "failed", "corrupt"),
        ("A20_empty.txt", "failed", "empty"),
        ("A17_crlf.md", "new", None),
    ]
    assert all(report.message and report.file.endswith(report.document) for report in reports)
    assert [version.document for version in library.list()] == ["A17_crlf.md", "H00_plain.pdf"]


def test_a_failed_upload_leaves_the_version_before(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    path.write_text("Ring twice.", "utf-8")
    library.ingest(SourceFile("rules.md", path))
    path.write_bytes(b"\x00\x01\x02" * 50)
    assert library.ingest(SourceFile("rules.md", path)).reason == "binary"
    assert [version.version for version in library.list()] == [1]


def test_a_deleted_document_is_gone_and_can_come_back(
    library: Library, store: SqlStore, upload: Callable[[str, str], SourceFile]
) -> None:
    file = upload("rules.md", "Ring twice.")
    library.ingest(file)
    assert library.delete("rules.md").document == "rules.md"
    assert library.list() == []
    assert library.ingest(file).status == "new"
    assert stored_text(store) == "Ring twice."
    with pytest.raises(DocumentNotFound):
        library.delete("other.md")


def test_passages_are_embedded_in_batches_under_their_headings_with_progress(store: SqlStore, tmp_path: Path) -> None:
    model, told = WordVectors(), list[str]()
    path = tmp_path / "long.md"
    path.write_text("\n".join(f"# Rule {n}\n\nRing {n} times.\n" for n in range(400)), "utf-8")
    library = Library(store, model, Reader(MinerUParser(), RapidOcr()))
    report = library.ingest(SourceFile("long.md", path), progress=told.append)
    assert report.chunks == 400
    assert model.batches == [192, 192, 16]
    assert told == ["long.md: reading", *(f"long.md: {done} of 400 passages" for done in (0, 192, 384))]
    assert embedded_text("Title", Chunk("x", "Ring.", ("A", "B"))) == "A > B\nRing."
    assert embedded_text("Title", Chunk("x", "Ring.")) == "Title\nRing."


class Unreachable(WordVectors):
    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        raise ServiceUnavailable("the embedding server at http://127.0.0.1:18000 does not answer")


class NotNumbers(WordVectors):
    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        return super().embed(texts, kind) * np.float32(np.nan)


@pytest.mark.parametrize("model", [Unreachable(), NotNumbers()])
def test_without_usable_vectors_nothing_is_stored(
    store: SqlStore, model: WordVectors, upload: Callable[[str, str], SourceFile]
) -> None:
    report = Library(store, model, Reader(MinerUParser(), RapidOcr())).ingest(upload("rules.md", "Ring twice."))
    assert (report.status, report.reason) == ("failed", "embedding_failed")
    assert store.generation() == 0


def test_a_passage_that_the_embedding_server_refuses_fails_its_document_alone(
    store: SqlStore, upload: Callable[[str, str], SourceFile]
) -> None:
    def strict(request: Request) -> Answer:
        refused = any("Ring 40 times." in text for text in texts_of(request))
        return Response(400, {"error": {"message": TOO_LONG}}) if refused else embedded(request)

    long = "\n".join(f"# Rule {n}\n\nRing {n} times.\n" for n in range(96))
    with embedding_server(strict) as server, served_embeddings(server) as model:
        library = Library(store, model, Reader(MinerUParser(), RapidOcr()))
        files = [upload("before.md", "Knock."), upload("long.md", long), upload("after.md", "Wait.")]
        reports = [library.ingest(file) for file in files]

    assert [report.status for report in reports] == ["new", "failed", "new"]
    assert reports[1].reason == "embedding_failed"
    assert TOO_LONG in (reports[1].message or "")
    assert "Ring 40 times." in (reports[1].message or "")
    assert [version.document for version in library.list()] == ["after.md", "before.md"]


class Faulty:
    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        raise IndexError("list index out of range")


def test_a_fault_of_ours_is_one_failed_file_with_an_incident(
    store: SqlStore, upload: Callable[[str, str], SourceFile], caplog: pytest.LogCaptureFixture
) -> None:
    report = Library(store, WordVectors(), Faulty()).ingest(upload("rules.md", "Ring twice."))
    assert report.status == "failed"
    assert "list index" not in report.message
    incident = report.message.rpartition("incident ")[2].rstrip(").")
    assert incident in caplog.text


class Rewriting(Reader):
    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        document = super().parse(file, progress=progress)
        file.path.write_text("Ring thrice.", "utf-8")
        return document


def test_a_file_that_changes_while_it_is_read_is_not_stored_under_the_wrong_hash(
    store: SqlStore, upload: Callable[[str, str], SourceFile]
) -> None:
    report = Library(store, WordVectors(), Rewriting(MinerUParser(), RapidOcr())).ingest(
        upload("rules.md", "Ring twice.")
    )
    assert (report.status, report.reason) == ("failed", "unreadable")
    assert store.generation() == 0


def test_the_samples_are_all_taken_in(library: Library) -> None:
    reports = [library.ingest(file) for file in documents_in(SAMPLES)]
    assert len(reports) >= 8
    assert all(report.status == "new" and not report.warnings for report in reports)
    pages = {report.document: report.pages for report in reports if report.pages}
    assert pages == {"heron-3-service-manual.pdf": 5}
