"""Changes to commits of a Tantivy index, and a commit to what searches see."""

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import tantivy
from tantivy import Document, Occur, Query

from retrieval.types import Changes, Hit, KeywordEntry

ERRORS = (OSError, ValueError, RuntimeError)
"""What Tantivy raises for damaged files, full disks and held locks alike."""

_WRITER_BYTES = 50_000_000


@contextlib.contextmanager
def _panics_as_errors() -> Iterator[None]:
    """A panic inside Tantivy, which damaged files can cause, would otherwise pass every `except Exception`."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # has no importable name
            raise RuntimeError(f"Tantivy panicked: {error}") from error
        raise


def _schema() -> tantivy.Schema:
    """Integers are signed: on unsigned ones, deleting by term deletes nothing and says nothing."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    builder.add_integer_field("number", indexed=True, fast=True)
    builder.add_integer_field("version", indexed=True, fast=True)
    builder.add_integer_field("generation", indexed=True, fast=True)
    return builder.build()


_SCHEMA = _schema()
_MARK = Query.exists_query("generation")
"""The one document that carries the generation: written in the commit that reaches it, so never ahead of it."""


@dataclass(frozen=True)
class Snapshot:
    """One commit of an index. `folder` is None in memory; `stamp` tells whether the folder has moved on."""

    folder: Path | None
    index: tantivy.Index
    searcher: tantivy.Searcher
    generation: int
    stamp: tuple[int, int] | None

    @classmethod
    @_panics_as_errors()
    def open(cls, folder: Path | None) -> "Snapshot":
        """Raises one of ERRORS when the folder's files are damaged or of another schema."""
        index = tantivy.Index(_SCHEMA, path=None if folder is None else str(folder))
        index.config_reader("manual")
        return cls._of(folder, index)

    @classmethod
    def _of(cls, folder: Path | None, index: tantivy.Index) -> "Snapshot":
        stamp = _stamp(folder)  # before reading: what is committed in between is then seen next time
        index.reload()
        searcher = index.searcher()
        found = searcher.search(_MARK, limit=1, count=False).hits
        marks = searcher.fast_field_values("generation", [address for _, address in found])
        return cls(folder, index, searcher, int(marks[0] or 0) if marks else 0, stamp)

    @_panics_as_errors()
    def reloaded(self) -> "Snapshot":
        """The newest commit of the same index. Raises one of ERRORS."""
        return self._of(self.folder, self.index)

    @property
    def outdated(self) -> bool:
        return self.stamp != _stamp(self.folder)

    def __len__(self) -> int:
        return self.searcher.num_docs - (1 if self.generation else 0)

    @_panics_as_errors()
    def search(self, terms: Sequence[str], k: int, allowed: frozenset[int] | None) -> list[Hit]:
        """Raises one of ERRORS when the files are damaged."""
        found = self.searcher.search(_query(terms, allowed), limit=k, count=False).hits
        numbers = self.searcher.fast_field_values("number", [address for _, address in found])
        hits = [Hit(int(n), float(s)) for n, (s, _) in zip(numbers, found, strict=True) if n is not None]
        return sorted(hits, key=lambda hit: (-hit.score, hit.number))

    @_panics_as_errors()
    def changed(self, changes: Changes[KeywordEntry]) -> "Snapshot":
        """Commits the changes and shows the commit. Raises one of ERRORS, with the commit before untouched."""
        writer = self.index.writer(_WRITER_BYTES, 1)
        try:
            _fill(writer, changes)
            writer.commit()
        except ERRORS:
            with contextlib.suppress(*ERRORS):
                writer.rollback()
            raise
        writer.wait_merging_threads()
        return self.reloaded()


def _stamp(folder: Path | None) -> tuple[int, int] | None:
    """Changes with each commit, whichever process makes it."""
    try:
        status = None if folder is None else (folder / "meta.json").stat()
    except OSError:
        return None
    return status and (status.st_mtime_ns, status.st_ino)


def _fill(writer: tantivy.IndexWriter, changes: Changes[KeywordEntry]) -> None:
    if changes.anew:
        writer.delete_all_documents()
    for version in changes.removed_versions:
        writer.delete_documents_by_term("version", version)
    for entry in changes.added:
        writer.delete_documents_by_term("number", entry.number)
        document = Document()
        document.add_text("terms", " ".join(entry.terms))
        document.add_integer("number", entry.number)
        document.add_integer("version", entry.version_id)
        writer.add_document(document)
    writer.delete_documents_by_query(_MARK)
    mark = Document()
    mark.add_integer("generation", changes.generation)
    writer.add_document(mark)


def _query(terms: Sequence[str], allowed: frozenset[int] | None) -> Query:
    """Built from terms, never parsed from text: nothing in a term is an operator."""
    wanted = Query.boolean_query(
        [(Occur.Should, Query.boost_query(_term(term), float(n))) for term, n in Counter(terms).items()]
    )
    if allowed is None:
        return wanted
    admitted = Query.term_set_query(_SCHEMA, "version", sorted(allowed))
    return Query.boolean_query([(Occur.Must, wanted), (Occur.Must, Query.const_score_query(admitted, 0.0))])


def _term(term: str) -> Query:
    return Query.term_query(_SCHEMA, "terms", term, index_option="freq")
