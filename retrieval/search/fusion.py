"""Dense and lexical hits to one ranking: score fusion by alpha.

    fused = alpha * dense + (1 - alpha) * confidence * lexical

Both sides are stretched to [0, 1] between the best and the worst of the question's hits. `confidence` is how much
of what the query's terms could score at most the best lexical hit did score: keywords that know next to nothing
about a question (a Spanish one on English text that shares one name) have next to no say instead of a full one.
"""

from collections.abc import Sequence

from retrieval.types import Hit

_SURE = 0.4
"""Share of the ceiling from which keywords have their full say: a passage rarely holds every term, each at
the saturated frequency that the ceiling assumes."""


def fuse(dense: Sequence[Hit], lexical: Sequence[Hit], *, alpha: float, lexical_ceiling: float) -> dict[int, float]:
    """Fused score in [0, 1] by passage number, best first. A passage that a side did not return counts 0 there.

    `lexical_ceiling` is the BM25 score of a passage in which every query term is saturated.
    """
    near, said = _stretched(dense), _stretched(lexical)
    best = max((hit.score for hit in lexical), default=0.0)
    confidence = min(best / (_SURE * lexical_ceiling), 1.0) if lexical_ceiling > 0 else 0.0
    fused = {
        number: alpha * near.get(number, 0.0) + (1 - alpha) * confidence * said.get(number, 0.0)
        for number in {**near, **said}
    }
    return dict(sorted(fused.items(), key=lambda pair: (-pair[1], pair[0])))


def _stretched(hits: Sequence[Hit]) -> dict[int, float]:
    """The best hit at 1, the worst just above 0: being returned at all beats not being returned."""
    if not hits:
        return {}
    low, high = min(hit.score for hit in hits), max(hit.score for hit in hits)
    if high <= low:
        return {hit.number: 1.0 for hit in hits}
    return {hit.number: 0.02 + 0.98 * (hit.score - low) / (high - low) for hit in hits}
