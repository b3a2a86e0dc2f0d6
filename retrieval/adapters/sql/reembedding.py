"""Vectors of several models: who has them, who lacks them, and adding them to documents that are there already.

Vectors of earlier models are kept, so that setting a model back costs nothing, and go when another model takes their
name. At 512 numbers they are 2 KB a passage.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from retrieval.adapters.sql import vectors
from retrieval.adapters.sql.database import Database
from retrieval.adapters.sql.documents import next_generation
from retrieval.adapters.sql.passages import PASSAGE, passage_of
from retrieval.adapters.sql.schema import (
    IS_CURRENT,
    chunks,
    embedded_versions,
    embedding_models,
    embeddings,
    versions,
)
from retrieval.types import Coverage, Passage, StoredVectors, Vectors


class SqlVectors:
    """`retrieval.ports.VectorCatalogue` and `VectorStore` on a SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def coverage(self) -> Coverage:
        """Counted in passages of documents that are embedded as a whole; some 5 ms at 10,000 documents a model."""
        passages = sa.func.sum(versions.c.chunks)
        by_model = (
            sa.select(embedding_models.c.name, embedding_models.c.dim, passages.label("passages"))
            .join_from(embedding_models, embedded_versions, embedded_versions.c.model_id == embedding_models.c.id)
            .join(versions, versions.c.id == embedded_versions.c.version_id)
            .where(IS_CURRENT)
            .group_by(embedding_models.c.id, embedding_models.c.name, embedding_models.c.dim)
            .order_by(passages.desc(), embedding_models.c.id.desc())
        )
        with self._database.reading() as connection:
            total = connection.execute(sa.select(sa.func.coalesce(passages, 0)).where(IS_CURRENT)).scalar_one()
            rows = connection.execute(by_model)
            return Coverage(int(total), tuple(StoredVectors(row.name, row.dim, int(row.passages)) for row in rows))

    def example(self, embedding_model: str) -> tuple[Passage, NDArray[np.float32]] | None:
        """The oldest current passage that has a vector of the model, and that vector of shape (dim,)."""
        wanted = (
            PASSAGE.join(embeddings, embeddings.c.number == chunks.c.number)
            .join(embedding_models, embedding_models.c.id == embeddings.c.model_id)
            .add_columns(embeddings.c.vector)
            .where(IS_CURRENT, embedding_models.c.name == embedding_model)
            .order_by(embeddings.c.number)
            .limit(1)
        )
        with self._database.reading() as connection:
            row = connection.execute(wanted).one_or_none()
        return None if row is None else (passage_of(row), vectors.from_bytes(row.vector))

    def adopt(self, embedding_model: str, dim: int) -> None:
        """Makes it the model of the current versions that have vectors of it already. Drops its vectors first when
        they have another width."""
        with self._database.writing() as connection:
            next_generation(connection)
            _drop_of_other_width(connection, embedding_model, dim)
            model = vectors.model_id(connection, embedding_model, dim, "the knowledge base")
            _make_model_of(connection, embedding_model, IS_CURRENT & versions.c.id.in_(_embedded(model)))

    def lacking(self, embedding_model: str) -> list[int]:
        """Numbers of the current chunks that have no vector of the model, in order; 0.1 s for 100,000."""
        model = sa.select(embedding_models.c.id).where(embedding_models.c.name == embedding_model).scalar_subquery()
        wanted = (
            sa.select(chunks.c.number)
            .join(versions, versions.c.id == chunks.c.version_id)
            .where(IS_CURRENT, ~_has_vector(chunks, model))
            .order_by(chunks.c.number)
        )
        with self._database.reading() as connection:
            return list(connection.execute(wanted).scalars())

    def add_vectors(self, embedding_model: str, numbers: Sequence[int], rows: Vectors) -> None:
        """Adds vectors to as many chunks, a few hundred at most; versions that are complete by that become the
        model's own. Raises DocumentRefused for vectors that cannot be used."""
        whose = f"{len(numbers)} passages"
        rows = vectors.checked(rows, len(numbers), whose)
        with self._database.writing() as connection:
            generation = next_generation(connection)
            model = vectors.model_id(connection, embedding_model, rows.shape[1], whose)
            known = _embedded_chunks(connection, model, numbers)
            fresh = [place for place, number in enumerate(numbers) if number not in known]
            vectors.insert(connection, model, [numbers[place] for place in fresh], rows[fresh])
            whole = connection.execute(_newly_whole(model, numbers)).scalars().all()
            vectors.mark_embedded(connection, model, whole, generation)
            _make_model_of(connection, embedding_model, versions.c.id.in_(whole))


def _drop_of_other_width(connection: Connection, name: str, dim: int) -> None:
    of_that_name = embedding_models.c.name == name
    known = connection.execute(sa.select(embedding_models).where(of_that_name)).one_or_none()
    if known is None or known.dim == dim:
        return
    for table in (embedded_versions, embeddings):
        connection.execute(table.delete().where(table.c.model_id == known.id))
    connection.execute(embedding_models.update().where(of_that_name).values(dim=dim))


def _make_model_of(connection: Connection, name: str, which: sa.ColumnElement[bool]) -> None:
    connection.execute(versions.update().where(which).values(embedding_model=name))


def _embedded(model: int) -> sa.Select[int]:
    return sa.select(embedded_versions.c.version_id).where(embedded_versions.c.model_id == model)


def _embedded_chunks(connection: Connection, model: int, numbers: Sequence[int]) -> set[int]:
    wanted = sa.select(embeddings.c.number).where(embeddings.c.model_id == model, embeddings.c.number.in_(numbers))
    return set(connection.execute(wanted).scalars())


def _newly_whole(model: int, numbers: Sequence[int]) -> sa.Select[int]:
    """Of the versions of these chunks those whose every chunk has a vector by now, for the first time."""
    part = chunks.alias()
    lacks_one = sa.exists().where(part.c.version_id == versions.c.id, ~_has_vector(part, model))
    touched = sa.select(chunks.c.version_id).where(chunks.c.number.in_(numbers))
    return sa.select(versions.c.id).where(
        versions.c.id.in_(touched), versions.c.id.not_in(_embedded(model)), ~lacks_one
    )


def _has_vector(of: sa.FromClause, model: int | sa.ScalarSelect[Any]) -> sa.Exists:
    return sa.exists().where(embeddings.c.model_id == model, embeddings.c.number == of.c.number)
