"""What tests do in processes of their own: publish beside others, get killed, run out of disk."""

import logging
import multiprocessing
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from multiprocessing.synchronize import Barrier
from pathlib import Path

from retrieval.adapters.faiss_index import FaissIndex
from retrieval.adapters.sql import SqlStore, open_store
from retrieval.adapters.tantivy_index import TantivyIndex
from retrieval.search.indexes import SearchIndexes
from retrieval.text import language
from tests.retrieval.adapters.new_versions import DIM, MODEL, new_version

language("What is loaded for this is loaded once, before other processes are forked from this one.")


def process_context() -> ForkServerContext:
    """Processes that start quickly: they are forked from one that has imported this module."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def open_indexes(store: SqlStore, folder: Path) -> SearchIndexes:
    """As a bot has them: those of MODEL are in use."""
    return SearchIndexes(store, TantivyIndex(folder / "keywords"), partial(FaissIndex.of_model, folder / "dense"))


def catch_up(indexes: SearchIndexes) -> None:
    """Both indexes, as each question does."""
    indexes.refresh()
    indexes.dense(MODEL, DIM)


def numbered_version(number: int) -> tuple[str, tuple[str, ...]]:
    """Name and texts of the numbered test document; each text holds a word that only this document has."""
    return f"doc{number % 4}.md", tuple(f"edition{number} part {part}" for part in range(10))


def publish_documents(url: str, folder: Path, documents: list[str], start: Barrier) -> None:
    """Opens the store and publishes, each document followed by catching the indexes up."""
    start.wait()
    store = open_store(url)
    indexes = open_indexes(store, folder)
    for document in documents:
        store.publish(new_version(document, f"text of {document}"))
        catch_up(indexes)
    store.close()


def publish_until_killed(url: str, folder: Path, first: int, progress: Connection) -> None:
    """Publishes the numbered documents from `first` on, and tells each number when it is published."""
    store = open_store(url)
    indexes = open_indexes(store, folder)
    for number in count(first):
        name, texts = numbered_version(number)
        store.publish(new_version(name, *texts))
        progress.send(number)
        catch_up(indexes)
        if number % 7 == 6:
            store.delete(name)
            catch_up(indexes)


@contextmanager
def full_disk(file_bytes: int) -> Iterator[list[str]]:
    """No file may grow beyond so many bytes meanwhile. Gives the warnings that are logged."""
    warnings: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: warnings.append(record.getMessage())  # type: ignore[method-assign]  # shorter than a class
    logging.getLogger("retrieval").addHandler(handler)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    unlimited = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, unlimited))
    try:
        yield warnings
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (unlimited, unlimited))
        logging.getLogger("retrieval").removeHandler(handler)
