"""`footnote kb reembed` after the embedding model has changed, beside a bot that answers meanwhile."""

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.adapters.embedded_models import SentenceEncoder
from retrieval.adapters.rapid_ocr import RapidOcr
from retrieval.adapters.sql import SqlStore, open_store
from retrieval.build import Footnote, build
from retrieval.library.ingest import Library
from retrieval.library.parse import Reader
from retrieval.ports import EmbeddingModel
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Conversation, Missing, SourceFile, Viewer
from tests.command_line import COMMAND, environment, footnote
from tests.model_servers.scripted import ScriptedEmbedding, ScriptedModels
from tests.retrieval.library.ingesting import NoPdf
from tests.retrieval.library.word_vectors import WordVectors

LOCKERS = "# Lockers\n\nThe locker deposit is 300 euros.\n"
IN_CHINESE = "储物柜押金是多少？"
PARTS = 200


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents, one of them long."""
    made = tmp_path / "documents"
    made.mkdir()
    (made / "lockers.md").write_text(LOCKERS, "utf-8")
    parts = "\n\n".join(f"## Part {n}\n\nRule {n} of the house is kept by all." for n in range(PARTS))
    (made / "rules.md").write_text(f"# Rules\n\n{parts}\n", "utf-8")
    return made


@pytest.fixture
def data_dir(tmp_path: Path, folder: Path) -> Path:
    """A knowledge base whose documents were embedded by a model that is no longer configured."""
    return take_in(folder, tmp_path / "data", WordVectors())


def take_in(folder: Path, data_dir: Path, model: EmbeddingModel) -> Path:
    with store_of(data_dir) as store:
        library = Library(store, model, Reader(NoPdf(), RapidOcr()))
        for path in sorted(folder.iterdir()):
            assert library.ingest(SourceFile(path.name, path)).status == "new"
    return data_dir


@contextlib.contextmanager
def store_of(data_dir: Path) -> Iterator[SqlStore]:
    with contextlib.closing(open_store(f"sqlite:///{data_dir / 'footnote.db'}")) as store:
        yield store


@contextlib.contextmanager
def running(data_dir: Path, **settings: str) -> Iterator[Footnote]:
    """What a bot answers by that was started before."""
    with contextlib.closing(
        build(load(RetrievalSettings, {"_env_file": None, "data_dir": data_dir, **settings}))
    ) as it:
        yield it


def test_a_running_bot_answers_meanwhile_says_so_and_changes_over_when_it_is_done(data_dir: Path) -> None:
    with running(data_dir) as bot:
        before = bot.pipeline.ask(Conversation("How much is the locker deposit?"), Viewer())
        done = footnote("kb", "reembed", "--json", data_dir=data_dir)
        after = bot.pipeline.ask(Conversation(IN_CHINESE), Viewer())

    assert "300" in before.reply.text
    assert before.missing == (Missing.VECTORS, Missing.EMBEDDING)
    assert "not all documents are embedded anew" in before.caveat
    assert done.code == 0, done.err
    assert done.lines == [{"model": SentenceEncoder.name, "passages": PARTS + 1, "documents": 2, "refused": []}]
    assert after.evidence[0].passage.document == "lockers.md"
    assert after.missing == ()
    again = footnote("kb", "reembed", data_dir=data_dir)
    assert (again.code, again.out) == (0, f"Nothing to do: all passages have vectors of {SentenceEncoder.name}.\n")


def test_killed_in_the_middle_it_does_the_rest_the_next_time(data_dir: Path) -> None:
    with store_of(data_dir) as store:
        with subprocess.Popen(
            [*COMMAND, "kb", "reembed"],
            env=environment(data_dir),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            while len(store.lacking(SentenceEncoder.name)) > PARTS:
                assert process.poll() is None
                time.sleep(0.01)
            process.kill()
        left = len(store.lacking(SentenceEncoder.name))

        done = footnote("kb", "reembed", "--json", data_dir=data_dir)

        assert [line["passages"] for line in done.lines] == [left]
        whole = store.coverage().whole(SentenceEncoder.name)
        assert whole
        assert whole.passages == PARTS + 1


def test_a_served_model_takes_over_from_the_embedded_one_but_for_a_passage_that_it_refuses(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "rules.md").write_text("# Rules\n\n" + "Keep the doors of the house shut at night. " * 9, "utf-8")
    data_dir = take_in(folder, tmp_path / "data", SentenceEncoder())
    with ScriptedModels(embedding=ScriptedEmbedding(max_chars=300)) as models:
        env = {"EMBEDDING_BASE_URL": models.embedding_url}
        settings = load(
            RetrievalSettings, {"_env_file": None, "data_dir": data_dir, "embedding_base_url": models.embedding_url}
        )
        with contextlib.closing(build(settings)) as bot:
            before = bot.pipeline.ask(Conversation(IN_CHINESE), Viewer())
            refused = footnote("kb", "reembed", "--json", data_dir=data_dir, env=env)
            models.embedding.max_chars = None
            mended = footnote("kb", "reembed", data_dir=data_dir, env=env)
            after = bot.pipeline.ask(Conversation("How much is the locker deposit?"), Viewer())
            models.embedding.fail("refused")
            out = footnote("kb", "reembed", data_dir=data_dir, env=env)

    assert (before.evidence[0].passage.document, before.missing) == ("lockers.md", (Missing.VECTORS,))
    (report,) = refused.lines
    assert refused.code == 1
    assert (report["model"], report["passages"], report["documents"]) == ("Qwen3-Embedding-0.6B", 1, 1)
    assert [(each["document"], each["section"]) for each in report["refused"]] == [("rules.md", "Rules")]
    about, advice = refused.err.splitlines()
    assert about.startswith("footnote: rules.md: EMBEDDING: too much for the server at once")
    assert "1 passage without a vector, found by keywords alone: do as said above" in advice
    assert (mended.code, mended.out) == (0, "Embedded 1 passage of 1 document with Qwen3-Embedding-0.6B.\n")
    assert (after.evidence[0].passage.document, after.missing) == ("lockers.md", ())
    assert (out.code, out.out, len(out.err.splitlines())) == (1, "", 1)
