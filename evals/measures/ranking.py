"""How well a ranking finds what is relevant: each item either is relevant or is not."""

import math
from collections.abc import Collection, Sequence


def first_rank(ranking: Sequence[str], relevant: Collection[str]) -> int | None:
    """Where the first relevant item stands, from 1; None where none does."""
    return next((place for place, item in enumerate(ranking, start=1) if item in relevant), None)


def recall_at(k: int, ranking: Sequence[str], relevant: Collection[str]) -> float:
    """Share of all relevant items that stand among the first k. Raises ValueError when nothing is relevant."""
    return len(set(ranking[:k]) & _some(relevant)) / len(set(relevant))


def hit_at(k: int, ranking: Sequence[str], relevant: Collection[str]) -> bool:
    """Whether any relevant item stands among the first k: Accuracy@k, hit rate, when averaged over questions."""
    return not _some(relevant).isdisjoint(ranking[:k])


def reciprocal_rank(ranking: Sequence[str], relevant: Collection[str]) -> float:
    """1 / rank of the first relevant item, 0 where there is none: MRR, when averaged over questions."""
    rank = first_rank(ranking, _some(relevant))
    return 1 / rank if rank else 0.0


def ndcg_at(k: int, ranking: Sequence[str], relevant: Collection[str]) -> float:
    """Normalised discounted cumulative gain of the first k, gain 1 for each relevant item (Järvelin and Kekäläinen,
    2002): sum of 1 / log2(rank + 1), over the same sum were all relevant items first. An item that is repeated counts
    once."""
    wanted = _some(relevant)
    places = [place for place, item in enumerate(dict.fromkeys(ranking), start=1) if item in wanted and place <= k]
    return _gain(places) / _gain(range(1, min(k, len(wanted)) + 1))


def _gain(places: Collection[int]) -> float:
    return sum(1 / math.log2(place + 1) for place in places)


def _some(relevant: Collection[str]) -> set[str]:
    if not relevant:
        raise ValueError("a ranking cannot be measured where nothing is relevant")
    return set(relevant)
