"""The store's changes to search indexes that stand where the store stands."""

import threading

from retrieval.ports import ChangeLog, DenseIndex, LexicalIndex


class SearchIndexes:
    """The two indexes behind recall, caught up with the store."""

    def __init__(self, log: ChangeLog, dense: DenseIndex, lexical: LexicalIndex, embedding_model_name: str) -> None:
        self.dense = dense
        self.lexical = lexical
        self._log = log
        self._embedding_model_name = embedding_model_name
        self._catching_up = threading.Lock()

    def refresh(self) -> None:
        """Takes in what any process has published or deleted until now; cheap when that is nothing.

        Threads that come meanwhile wait, and find it done. Raises ServiceUnavailable when the store does not
        answer or holds documents without vectors of the embedding model.
        """
        if not self._behind():
            return
        with self._catching_up:
            while behind := self._behind():
                self._take_in_next(behind)

    def _behind(self) -> list[DenseIndex | LexicalIndex]:
        """Those that stand elsewhere: an index ahead of the store was made from another one."""
        newest = self._log.generation()
        return [index for index in (self.dense, self.lexical) if index.generation != newest]

    def _take_in_next(self, behind: list[DenseIndex | LexicalIndex]) -> None:
        """One batch for the indexes that stand where the first of them stands."""
        since = behind[0].generation
        changes = self._log.changes_since(since, self._embedding_model_name)
        for index in behind:
            if index.generation == since:
                index.update(changes)
