"""Calibrated floors, as rows by reranker and by what it is asked."""

import datetime as dt

import sqlalchemy as sa

from retrieval.adapters.sql.database import Database
from retrieval.adapters.sql.schema import floors as rows


class SqlFloors:
    """`retrieval.ports.Floors` on a SQL database, of rerankers that are asked by `rerank_query`."""

    def __init__(self, database: Database, rerank_query: str) -> None:
        self._database = database
        self._rerank_query = rerank_query

    def get(self, reranker: str) -> float | None:
        """None where none was calibrated."""
        with self._database.reading() as connection:
            return connection.execute(sa.select(rows.c.floor).where(*self._same(reranker))).scalar_one_or_none()

    def set(self, reranker: str, floor: float, questions: int) -> None:
        """Keeps a floor found on so many questions, in place of the one before."""
        found = {"floor": floor, "questions": questions, "calibrated_at": dt.datetime.now(dt.UTC)}
        with self._database.writing() as connection:
            connection.execute(rows.delete().where(*self._same(reranker)))
            connection.execute(rows.insert().values(reranker=reranker, rerank_query=self._rerank_query, **found))

    def _same(self, reranker: str) -> tuple[sa.ColumnElement[bool], ...]:
        return rows.c.reranker == reranker, rows.c.rerank_query == self._rerank_query
