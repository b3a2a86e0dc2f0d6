"""A process that works on a knowledge base and is killed when it comes to a certain point."""

import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal
from unittest import mock

import sqlalchemy as sa

from retrieval.adapters import tantivy_index
from retrieval.adapters.sql import open_store
from retrieval.library.ingest import Library
from retrieval.library.markdown import read_markdown
from retrieval.types import ParsedDocument, SourceFile, Vectors
from tests.retrieval.adapters.other_processes import open_indexes, process_context
from tests.retrieval.library.word_vectors import WordVectors

Work = Literal["ingest", "replace", "delete", "restore"]


class Parser:
    def __init__(self, at_parsing: Callable[[], None] = lambda: None) -> None:
        self._at_parsing = at_parsing

    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        self._at_parsing()
        return read_markdown(file.path.read_text("utf-8"), file.document)


class Model(WordVectors):
    def __init__(self, at_embedding: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self._at_embedding = at_embedding

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        self._at_embedding()
        return super().embed(texts, kind)


def killed_at(point: str, work: Work, file: SourceFile, folder: Path) -> None:
    """Lets a process do the work on the knowledge base in the folder, and be killed at that point: "parse", "embed",
    "COMMIT" or how another SQL statement begins, "keywords" or "vectors" for the index of them."""
    process = process_context().Process(target=_work, args=(point, work, file, folder))
    process.start()
    process.join(120)
    assert process.exitcode == -signal.SIGKILL, f"never came to {point}"


def _work(point: str, work: Work, file: SourceFile, folder: Path) -> None:
    def die_at(reached: str) -> None:
        if reached.startswith(point):
            os.kill(os.getpid(), signal.SIGKILL)

    store = open_store(f"sqlite:///{folder / 'test.db'}")
    searched = open_indexes(store, folder)
    searched.refresh()
    searched.dense(WordVectors.name, WordVectors.dim)
    sa.event.listen(sa.Engine, "before_cursor_execute", lambda _c, _cursor, statement, *_: die_at(statement))
    sa.event.listen(sa.Engine, "commit", lambda connection: die_at(_commit(connection)))
    library = Library(store, Model(lambda: die_at("embed")), Parser(lambda: die_at("parse")))
    if work in ("ingest", "replace"):
        library.ingest(file)
    elif work == "delete":
        library.delete(file.document)
    else:
        library.restore(file.document)
    with mock.patch(f"{tantivy_index.__name__}.snapshot._fill", side_effect=lambda *_: die_at("keywords")):
        if point == "keywords":
            searched.refresh()
    with mock.patch.object(Path, "replace", side_effect=lambda *_: die_at("vectors")):
        searched.dense(WordVectors.name, WordVectors.dim)


def _commit(connection: Any) -> str:
    """Only of writers: readers end their transactions too."""
    return "COMMIT" if connection.get_execution_options().get("writing") else ""
