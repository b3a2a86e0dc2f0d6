"""Terms to their weight: how much each tells of a passage that holds it."""

import math
from collections.abc import Iterable

from retrieval.ports import Passages

SATURATION = 2.2
"""k1 + 1 of BM25 at the customary k1 of 1.2: the most that a term's frequency multiplies its weight."""


def inverse_document_frequencies(passages: Passages, terms: Iterable[str]) -> dict[str, float]:
    """Weight above 0 by term, after Robertson and Spärck Jones, as BM25 uses it: log(1 + (N - df + .5) / (df + .5))."""
    wanted = set(terms)
    frequencies, total = passages.document_frequencies(wanted)
    return {
        term: math.log1p((total - frequencies.get(term, 0) + 0.5) / (frequencies.get(term, 0) + 0.5)) for term in wanted
    }


def coverage(weights: dict[str, float], terms: Iterable[str]) -> float:
    """Share in [0, 1] of the weights that the given terms cover; 0 where there is no weight at all."""
    total = sum(weights.values())
    return sum(weights[term] for term in weights.keys() & set(terms)) / total if total else 0.0
