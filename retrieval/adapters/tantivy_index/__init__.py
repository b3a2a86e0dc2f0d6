"""Terms to best passages by BM25, with Tantivy: one index on disk that all processes share."""

import logging
import threading
from collections.abc import Sequence
from pathlib import Path

from filelock import FileLock, Timeout

from retrieval.adapters.tantivy_index.folders import open_newest
from retrieval.adapters.tantivy_index.snapshot import ERRORS, Snapshot
from retrieval.errors import ServiceUnavailable
from retrieval.types import Changes, Hit, KeywordEntry

__all__ = ["TantivyIndex"]

log = logging.getLogger(__name__)

_LOCK_TIMEOUT_S = 60


class TantivyIndex:
    """`retrieval.ports.LexicalIndex` on Tantivy.

    Where the directory cannot be written, the index lives in memory, to be filled from the store.
    """

    def __init__(self, directory: Path) -> None:
        """Opens the index in `directory`, or begins an empty one at generation 0 when there is none, it is
        damaged, or it holds terms of another scheme."""
        self._directory = directory
        self._lock = FileLock(directory / "lock", timeout=_LOCK_TIMEOUT_S)  # before _swapping, where both
        self._swapping = threading.Lock()
        self._writing = threading.Lock()
        self._served = self._opened()

    @property
    def generation(self) -> int:
        """Where the index stands, with what other processes have committed until now."""
        return self._latest().generation

    def __len__(self) -> int:
        """How many passages it holds, superseded ones included."""
        return len(self._latest())

    def search(self, terms: Sequence[str], k: int, allowed: frozenset[int] | None) -> list[Hit]:
        """Up to k hits with BM25 scores above 0, best first, among the allowed version ids (None: all). A
        repeated term counts more. No terms: no hits.

        Raises ServiceUnavailable when the index turns out to be damaged; the next update makes it again.
        """
        if not terms or k <= 0 or allowed == frozenset():
            return []
        served = self._served
        try:
            return served.search(terms, k, allowed)
        except ERRORS as error:
            log.exception("keyword index %s cannot be searched and will be made again", served.folder)
            self._serve(self._opened(damaged=served.folder))
            raise ServiceUnavailable("The keyword index is damaged and is being made again.") from error

    def update(self, changes: Changes[KeywordEntry]) -> None:
        """Take in changes, all or nothing; searches meanwhile see the state before.

        Waits for another process that writes. When that one has brought the index as far, nothing is left to
        do; when it has begun a new index, the changes do not fit and are left out: see `generation`.
        """
        with self._writing:
            known = self._served
            if known.folder is None:
                self._serve(known.changed(changes))
                return
            try:
                with self._lock:
                    served = self._latest()
                    if changes.anew or known.generation <= served.generation < changes.generation:
                        self._serve(served.changed(changes))
            except (*ERRORS, Timeout) as error:
                self._serve(self._in_memory(error))

    def _latest(self) -> Snapshot:
        """What is served, after a look whether another process has committed."""
        with self._swapping:
            if not self._served.outdated:
                return self._served
            try:
                self._served = self._served.reloaded()
                return self._served
            except ERRORS as error:
                log.warning("keyword index %s is gone or damaged: %s", self._served.folder, error)
        self._serve(self._opened())
        return self._served

    def _serve(self, snapshot: Snapshot) -> None:
        with self._swapping:
            self._served = snapshot

    def _opened(self, *, damaged: Path | None = None) -> Snapshot:
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            with self._lock:
                return open_newest(self._directory, damaged=damaged)
        except (*ERRORS, Timeout) as error:
            return self._in_memory(error)

    def _in_memory(self, error: Exception) -> Snapshot:
        log.warning("keyword index %s cannot be written, it is kept in memory: %s", self._directory, error)
        return Snapshot.open(None)
