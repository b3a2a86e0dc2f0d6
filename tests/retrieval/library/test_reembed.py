"""Documents embedded anew: all of them, as ingest would have, once, whatever comes between."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from retrieval.adapters.rapid_ocr import RapidOcr
from retrieval.adapters.sql import SqlStore, open_store
from retrieval.errors import RequestRefused, ServiceUnavailable
from retrieval.library.ingest import Library
from retrieval.library.parse import Reader
from retrieval.library.reembed import Reembedding
from retrieval.types import ReembedReport, SourceFile, Vectors
from tests.retrieval.adapters.new_versions import MODEL, new_version
from tests.retrieval.library.ingesting import NoPdf
from tests.retrieval.library.word_vectors import WordVectors

ROOT = Path(__file__).parents[3]
NEW = WordVectors.name


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'test.db'}"


@pytest.fixture
def store(url: str) -> Iterator[SqlStore]:
    opened = open_store(url)
    yield opened
    opened.close()


class OtherVectors(WordVectors):
    """The model that was configured before."""

    name = "other-words-64"

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        return super().embed(texts, kind)[:, ::-1]


class Refusing(WordVectors):
    """Does not take texts that hold a certain word, nor any list with one of them."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self._word = word

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        if any(self._word in text for text in texts):
            raise RequestRefused("EMBEDDING: too long")
        return super().embed(texts, kind)


class Interrupted(WordVectors):
    """Does something else before the batch of that place."""

    def __init__(self, place: int, then: Callable[[], None]) -> None:
        super().__init__()
        self._place = place
        self._then = then

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        if len(self.batches) == self._place:
            self._then()
        return super().embed(texts, kind)


def rules(count: int) -> list[str]:
    return [f"Rule {n} of the house." for n in range(count)]


def vectors(store: SqlStore, model: str = NEW) -> dict[str, list[float]]:
    """By text, of all documents that are embedded by the model."""
    entries = store.vector_changes(0, model).added
    passages = store.passages([entry.number for entry in entries])
    return {passages[entry.number].text: entry.vector.tolist() for entry in entries}


def test_all_passages_get_the_vectors_that_ingest_would_have_given_them(store: SqlStore, tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text("# Rules\n\nRing twice.\n\n## Doors\n\nShut them.\n", "utf-8")
    (tmp_path / "plain.txt").write_text("Lunch is at noon.\n", "utf-8")
    for name in ("rules.md", "plain.txt"):
        Library(store, OtherVectors(), Reader(NoPdf(), RapidOcr())).ingest(SourceFile(name, tmp_path / name))
    fresh = open_store(f"sqlite:///{tmp_path / 'fresh.db'}")
    for name in ("rules.md", "plain.txt"):
        Library(fresh, WordVectors(), Reader(NoPdf(), RapidOcr())).ingest(SourceFile(name, tmp_path / name))

    report = Reembedding(store, WordVectors()).run()

    assert report == ReembedReport(NEW, passages=3, documents=2)
    assert vectors(store) == vectors(fresh)
    fresh.close()


def test_a_file_that_has_not_changed_is_still_unchanged_afterwards(store: SqlStore, tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text("# Rules\n\nRing twice.\n", "utf-8")
    file = SourceFile("rules.md", tmp_path / "rules.md")
    Library(store, OtherVectors(), Reader(NoPdf(), RapidOcr())).ingest(file)

    Reembedding(store, WordVectors()).run()

    assert Library(store, WordVectors(), Reader(NoPdf(), RapidOcr())).ingest(file).status == "unchanged"
    Reembedding(store, OtherVectors()).run()
    assert Library(store, OtherVectors(), Reader(NoPdf(), RapidOcr())).ingest(file).status == "unchanged"


def test_where_nothing_is_lacking_nothing_is_done(store: SqlStore) -> None:
    store.publish(new_version("a.md", *rules(3)))
    Reembedding(store, WordVectors()).run()
    model = WordVectors()

    assert Reembedding(store, model).run() == ReembedReport(NEW, 0, 0)
    assert model.batches == []
    assert store.current()[0].embedding_model == NEW


def test_progress_is_told_and_superseded_and_deleted_documents_are_left_alone(store: SqlStore) -> None:
    store.publish(new_version("a.md", "before"))
    store.publish(new_version("a.md", *rules(100)))
    store.publish(new_version("gone.md", "gone"))
    store.delete("gone.md")
    told: list[str] = []
    model = WordVectors()

    Reembedding(store, model).run(progress=told.append)

    assert told == ["0 of 100 passages", "64 of 100 passages"]
    assert model.batches == [64, 36]
    assert set(vectors(store)) == set(rules(100))


def test_after_an_outage_what_was_done_is_kept_and_only_the_rest_is_done(store: SqlStore) -> None:
    store.publish(new_version("a.md", *rules(150)))

    def fail() -> None:
        raise ServiceUnavailable("EMBEDDING: the server fails (500); see its log")

    with pytest.raises(ServiceUnavailable, match=r"see its log\. 64 passages were embedded and are kept"):
        Reembedding(store, Interrupted(1, fail)).run()
    assert vectors(store) == {}  # a document counts when it is complete
    model = WordVectors()

    assert Reembedding(store, model).run() == ReembedReport(NEW, 86, 1)
    assert model.batches == [64, 22]
    assert set(vectors(store)) == set(rules(150))


@pytest.mark.parametrize("batches_before", range(4))
def test_killed_at_any_batch_it_goes_on_from_there(store: SqlStore, url: str, batches_before: int) -> None:
    for n in range(4):
        store.publish(new_version(f"{n}.md", *(f"Rule {i} of house {n}." for i in range(60))))
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.retrieval.library.reembedding", url],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert process.stdin
    assert process.stdout
    with process.stdin as leave, process.stdout as told:
        for _ in range(batches_before):
            assert told.readline()
            leave.write(b"\n")
            leave.flush()
        assert told.readline()  # the batches before are stored, and it is at the next one
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    kept = min(64 * batches_before, 240)
    assert len(store.lacking(NEW)) == 240 - kept
    assert len(vectors(store)) == kept // 60 * 60
    model = WordVectors()

    report = Reembedding(store, model).run()

    assert report.passages == sum(model.batches) == 240 - kept
    assert len(vectors(store)) == 240


def test_a_text_that_is_refused_is_named_and_the_others_are_embedded(store: SqlStore) -> None:
    store.publish(new_version("a.md", *rules(70)))
    store.publish(new_version("b.md", "Ring twice."))

    report = Reembedding(store, Refusing("Rule 66 ")).run()

    assert (report.passages, report.documents) == (70, 2)
    assert [(refused.passage.text, refused.why) for refused in report.refused] == [
        ("Rule 66 of the house.", "EMBEDDING: too long")
    ]
    assert store.lacking(NEW) == [67]
    assert [version.embedding_model for version in store.current()] == [MODEL, NEW]
    assert Reembedding(store, WordVectors()).run() == ReembedReport(NEW, 1, 1)


def test_a_server_that_refuses_everything_is_an_outage_and_no_list_of_texts(store: SqlStore) -> None:
    store.publish(new_version("a.md", *rules(70)))

    with pytest.raises(ServiceUnavailable, match="too long"):
        Reembedding(store, Refusing("")).run()


def test_documents_published_meanwhile_are_embedded_too_and_deleted_ones_are_not(store: SqlStore) -> None:
    store.publish(new_version("a.md", *rules(100)))
    store.publish(new_version("gone.md", *rules(5)))

    def publish() -> None:
        store.publish(new_version("late.md", "late"))
        store.delete("gone.md")

    report = Reembedding(store, Interrupted(1, publish)).run()

    assert store.lacking(NEW) == []
    assert {"late"} | set(rules(100)) == set(vectors(store))
    assert report.passages >= 101


def test_two_at_once_do_no_harm(store: SqlStore, url: str) -> None:
    store.publish(new_version("a.md", *rules(200)))
    other = open_store(url)

    report = Reembedding(store, Interrupted(1, lambda: _run_quietly(other))).run()

    assert len(vectors(store)) == 200
    assert report.documents == 1
    other.close()


def _run_quietly(store: SqlStore) -> None:
    Reembedding(store, WordVectors()).run()


def test_vectors_of_another_width_under_the_same_name_give_way(store: SqlStore) -> None:
    store.publish(new_version("a.md", "one", model=NEW, dim=16))

    assert Reembedding(store, WordVectors()).run() == ReembedReport(NEW, 1, 1)
    assert [len(row) for row in vectors(store).values()] == [64]
    store.publish(new_version("b.md", "two", model=NEW, dim=64))


def test_vectors_that_cannot_be_used_are_not_stored(store: SqlStore) -> None:
    class Broken(WordVectors):
        def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
            return np.full((len(texts), self.dim), np.nan, np.float32)

    store.publish(new_version("a.md", "one"))

    with pytest.raises(ServiceUnavailable, match="unusable vectors"):
        Reembedding(store, Broken()).run()
    assert len(store.lacking(NEW)) == 1
