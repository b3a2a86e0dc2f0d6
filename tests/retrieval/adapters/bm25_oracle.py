"""BM25 as its paper has it, over plain lists of terms: what any `LexicalIndex` must rank like."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

_K1, _B = 1.2, 0.75


def bm25(corpus: Mapping[int, Sequence[str]], query: Sequence[str]) -> dict[int, float]:
    """Score by number, of the texts that hold at least one term; a repeated term of the query counts again."""
    average = sum(map(len, corpus.values())) / len(corpus)
    found_in = Counter(term for terms in corpus.values() for term in set(terms))
    scores: dict[int, float] = {}
    for number, terms in corpus.items():
        counts = Counter(terms)
        room = _K1 * (1 - _B + _B * len(terms) / average)
        for term in query:
            if counts[term]:
                rarity = math.log(1 + (len(corpus) - found_in[term] + 0.5) / (found_in[term] + 0.5))
                scores[number] = scores.get(number, 0) + rarity * counts[term] * (_K1 + 1) / (counts[term] + room)
    return scores
