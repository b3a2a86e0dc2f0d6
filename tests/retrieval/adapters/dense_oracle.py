"""Brute force over plain arrays: what any `DenseIndex` must agree with."""

from dataclasses import dataclass, field

import numpy as np

from retrieval.types import Changes, Hit, VectorEntry, Vectors


@dataclass
class BruteForce:
    """Keeps entries by number and compares with each of them."""

    entries: dict[int, VectorEntry] = field(default_factory=dict)

    def update(self, changes: Changes[VectorEntry]) -> None:
        if changes.anew:
            self.entries.clear()
        kept = {n: e for n, e in self.entries.items() if e.version_id not in changes.removed_versions}
        self.entries = kept | {entry.number: entry for entry in changes.added}

    def scores(self, vector: Vectors, allowed: frozenset[int] | None) -> dict[int, float]:
        """Cosine by number, of all entries that are allowed."""
        return {
            n: float(e.vector @ vector[0] / (np.linalg.norm(e.vector) * np.linalg.norm(vector[0])))
            for n, e in self.entries.items()
            if allowed is None or e.version_id in allowed
        }

    def assert_agrees(self, hits: list[Hit], vector: Vectors, k: int, allowed: frozenset[int] | None) -> None:
        """The right number of hits, each with its own cosine, none twice, best first, none better left out."""
        scores = self.scores(vector, allowed)
        best = sorted(scores.values(), reverse=True)[:k]
        np.testing.assert_allclose([hit.score for hit in hits], best, atol=1e-5)
        np.testing.assert_allclose([hit.score for hit in hits], [scores[hit.number] for hit in hits], atol=1e-5)
        assert len({hit.number for hit in hits}) == len(hits)
