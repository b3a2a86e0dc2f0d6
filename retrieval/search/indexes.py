"""The store's changes to search indexes that stand where the store stands."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeVar

from retrieval.ports import ChangeLog, DenseIndex, LexicalIndex
from retrieval.types import Changes

Entry = TypeVar("Entry")


class _Index(Protocol[Entry]):
    @property
    def generation(self) -> int: ...

    def update(self, changes: Changes[Entry]) -> None: ...


class SearchIndexes:
    """The indexes behind recall: one for keywords, and one for the vectors of each model that is asked for.

    Those are opened when they are first asked for: what the model is may be known only once its server answers, and
    until all documents are embedded by it, another one is searched. They stay open.
    """

    def __init__(self, log: ChangeLog, lexical: LexicalIndex, open_dense: Callable[[str, int], DenseIndex]) -> None:
        """`open_dense`: from a model's name and width to the index of its vectors."""
        self.lexical = lexical
        self._log = log
        self._open_dense = open_dense
        self._dense: dict[tuple[str, int], tuple[DenseIndex, threading.Lock]] = {}
        self._opening = threading.Lock()
        self._filling_lexical = threading.Lock()

    def refresh(self) -> None:
        """Takes what any process has published or deleted until now into the keyword index; cheap when that is
        nothing.

        Threads that come meanwhile wait, and find it done. Raises ServiceUnavailable when the store does not answer.
        """
        self._catch_up(self.lexical, self._log.keyword_changes, self._filling_lexical)

    def dense(self, model: str, dim: int) -> DenseIndex:
        """The index of a model's vectors, brought up to date in the same way."""
        with self._opening:
            if (model, dim) not in self._dense:
                self._dense[model, dim] = self._open_dense(model, dim), threading.Lock()
            index, filling = self._dense[model, dim]
        self._catch_up(index, partial(self._log.vector_changes, embedding_model=model), filling)
        return index

    def _catch_up(
        self, index: _Index[Entry], changes_since: Callable[[int], Changes[Entry]], filling: threading.Lock
    ) -> None:
        """Batch by batch. An index ahead of the store was made from another one."""
        if index.generation == self._log.generation():
            return
        with filling:
            while index.generation != self._log.generation():
                index.update(changes_since(index.generation))
