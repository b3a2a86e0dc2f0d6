"""Texts to an embedding server in as few calls as it allows, several at once, learnt from what it refuses."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from retrieval.adapters.openai_models.at_once import all_at_once
from retrieval.errors import RequestRefused
from retrieval.types import Vectors

_MOST_TEXTS = 32
"""As many as a laptop embeds well within the read timeout; TEI allows no more."""

_LISTS_AT_ONCE = 3
_SINGLES_AT_ONCE = 24


class ListsRefused(Exception):
    """The server takes one text a call."""


class Batches:
    """Asks for many texts by `ask`, which is for as many as one call may hold.

    `ask` raises RequestRefused where the texts are the trouble and ListsRefused where their being many is. Thread-safe.
    """

    def __init__(self, ask: Callable[[Sequence[str]], Vectors]) -> None:
        self._ask = ask
        self._texts_a_call = _MOST_TEXTS
        self._tried = False

    def rows(self, texts: Sequence[str]) -> Vectors:
        """One row a text. Raises what `ask` raises, RequestRefused only for a single text refused when alone."""
        try:
            return self._rows(texts)
        except ListsRefused:
            self._texts_a_call, self._tried = 1, True
            return self._rows(texts)

    def _rows(self, texts: Sequence[str]) -> Vectors:
        ahead: list[Vectors] = []
        if not self._tried and len(texts) > 1:  # one call shows what the server takes before a crowd follows
            ahead = [self._halving(texts[: self._texts_a_call])]
            texts = texts[len(ahead[0]) :]
            self._tried = True
        size = self._texts_a_call
        batches = [texts[start : start + size] for start in range(0, len(texts), size)]
        return np.concatenate([*ahead, *self._at_once(batches)])

    def _at_once(self, batches: Sequence[Sequence[str]]) -> list[Vectors]:
        if len(batches) < 2:
            return [self._halving(batch) for batch in batches]
        workers = _SINGLES_AT_ONCE if len(batches[0]) == 1 else _LISTS_AT_ONCE
        outcomes = all_at_once([partial(self._rows_or_refusal, batch) for batch in batches], workers)
        return [self._settled(batch, outcome) for batch, outcome in zip(batches, outcomes, strict=True)]

    def _rows_or_refusal(self, batch: Sequence[str]) -> Vectors | RequestRefused:
        try:
            return self._halving(batch)
        except RequestRefused as refused:
            return refused

    def _settled(self, batch: Sequence[str], outcome: Vectors | RequestRefused) -> Vectors:
        if not isinstance(outcome, RequestRefused):
            return outcome
        if len(batch) > 1:
            raise outcome
        return self._ask(batch)  # a server that batches by itself refuses good texts for a bad neighbour: now alone

    def _halving(self, texts: Sequence[str]) -> Vectors:
        try:
            return self._ask(texts)
        except RequestRefused:
            if len(texts) == 1:
                raise
        half = (len(texts) + 1) // 2
        rows = np.concatenate([self._halving(texts[:half]), self._halving(texts[half:])])
        self._texts_a_call = min(self._texts_a_call, half)  # no text was the trouble: there were too many
        return rows
