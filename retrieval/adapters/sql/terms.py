"""Chunks to their search terms, and to the counts of chunks that each term stands in."""

from collections import Counter
from collections.abc import Iterable, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from retrieval import text
from retrieval.adapters.sql.schema import chunks, clean, term_counts, versions
from retrieval.types import Chunk, Passage


def chunk_terms(title: str, chunk: Chunk) -> list[str]:
    """Terms of a chunk read under its title and section path."""
    passage = Passage(
        number=0, chunk_id=chunk.id, text=chunk.text, document="", title=title, version=0, version_id=0,
        section=chunk.section,
    )  # fmt: skip
    return text.terms(clean(f"{passage.heading}\n{chunk.text}"))


def insert_counts(connection: Connection, version_id: int, terms_by_chunk: Iterable[Sequence[str]]) -> None:
    """Keeps in how many chunks of the version each term stands."""
    counts = Counter(term for terms in terms_by_chunk for term in set(terms))
    rows = [{"version_id": version_id, "term": term, "chunks": count} for term, count in counts.items()]
    if rows:
        connection.execute(term_counts.insert(), rows)


def count_terms_again(connection: Connection) -> None:
    """Cuts every chunk into terms anew, for a change of `retrieval.text.SCHEME`."""
    connection.execute(term_counts.delete())
    titles = connection.execute(sa.select(versions.c.id, versions.c.title)).all()
    for version_id, title in titles:
        _count_version_again(connection, version_id, title)


def _count_version_again(connection: Connection, version_id: int, title: str) -> None:
    rows = connection.execute(sa.select(chunks).where(chunks.c.version_id == version_id)).all()
    found = {row.number: chunk_terms(title, Chunk(row.chunk_id, row.text, tuple(row.section))) for row in rows}
    change = chunks.update().where(chunks.c.number == sa.bindparam("row")).values(terms=sa.bindparam("joined"))
    if found:
        connection.execute(change, [{"row": n, "joined": " ".join(terms)} for n, terms in found.items()])
    insert_counts(connection, version_id, found.values())
