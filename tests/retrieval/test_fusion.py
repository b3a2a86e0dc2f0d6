"""Score fusion."""

from hypothesis import given
from hypothesis import strategies as st

from retrieval.search.fusion import fuse
from retrieval.types import Hit


def ranked(scores: dict[int, float]) -> list[Hit]:
    return [Hit(number, score) for number, score in scores.items()]


def test_a_passage_good_on_both_sides_comes_first_and_scales_do_not_matter() -> None:
    dense = ranked({1: 0.43, 2: 0.41, 3: 0.30})
    lexical = ranked({3: 25.9, 1: 11.2, 9: 8.4})

    order = list(fuse(dense, lexical, alpha=0.5, lexical_ceiling=40))

    assert order[:2] == [1, 3]
    assert order.index(2) < order.index(9)


def test_the_only_exact_keyword_hit_survives_deep_lists() -> None:
    dense = ranked({n: 0.6 - n / 1000 for n in range(1, 41)})
    lexical = ranked({99: 20.0, **{n: 4 + n / 100 for n in range(40, 1, -1)}})

    assert 99 in list(fuse(dense, lexical, alpha=0.5, lexical_ceiling=30))[:20]


def test_keywords_that_know_next_to_nothing_have_next_to_no_say() -> None:
    dense = ranked({1: 0.6, 2: 0.5, 3: 0.3})
    stray = ranked({3: 0.9, 2: 0.4})

    assert list(fuse(dense, stray, alpha=0.5, lexical_ceiling=60)) == [1, 2, 3]


def test_one_silent_side_leaves_the_ranking_to_the_other() -> None:
    hits = ranked({5: 0.9, 4: 0.5, 3: 0.1})

    assert list(fuse(hits, [], alpha=0.5, lexical_ceiling=0)) == [5, 4, 3]
    assert list(fuse([], hits, alpha=0.5, lexical_ceiling=1)) == [5, 4, 3]
    assert fuse([], [], alpha=0.5, lexical_ceiling=1) == {}


_scores = st.dictionaries(st.integers(1, 50), st.floats(0, 100, allow_subnormal=False), max_size=30)


@given(_scores, _scores, st.floats(0, 1))
def test_fused_scores_stay_in_range_best_first_and_no_hit_is_lost(
    dense: dict[int, float], lexical: dict[int, float], alpha: float
) -> None:
    fused = fuse(ranked(dense), ranked(lexical), alpha=alpha, lexical_ceiling=80)

    assert set(fused) == set(dense) | set(lexical)
    assert all(0 <= score <= 1 for score in fused.values())
    assert list(fused.values()) == sorted(fused.values(), reverse=True)
