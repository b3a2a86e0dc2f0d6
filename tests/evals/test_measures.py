"""The measures against values worked out by hand."""

import math
from collections.abc import Sequence

import pytest

from evals.measures.answers import best_completeness, completeness, holds, share_from
from evals.measures.citations import Statement, citation_scores
from evals.measures.latency import percentile_ms
from evals.measures.ranking import first_rank, hit_at, ndcg_at, recall_at, reciprocal_rank
from evals.measures.refusals import RefusalPoint, ScoreSets, auc, best_point, curve, whole_curve

RANKING = ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("k", "relevant", "recall"), [(2, "ac", 0.5), (3, "ac", 1.0), (1, "c", 0.0), (4, "az", 0.5), (9, "abcd", 1.0)]
)
def test_recall_is_the_share_of_all_relevant_items_among_the_first(k: int, relevant: str, recall: float) -> None:
    assert recall_at(k, RANKING, relevant) == recall


def test_one_relevant_item_among_the_first_is_a_hit() -> None:
    assert [hit_at(k, RANKING, "cd") for k in (1, 2, 3, 4)] == [False, False, True, True]


@pytest.mark.parametrize(("relevant", "rank", "reciprocal"), [("a", 1, 1.0), ("dc", 3, 1 / 3), ("z", None, 0.0)])
def test_the_first_relevant_item_makes_the_rank(relevant: str, rank: int | None, reciprocal: float) -> None:
    assert first_rank(RANKING, relevant) == rank
    assert reciprocal_rank(RANKING, relevant) == reciprocal


def test_ndcg_discounts_by_the_logarithm_of_the_rank() -> None:
    ideal = 1 + 1 / math.log2(3)

    assert ndcg_at(10, RANKING, "ab") == 1.0
    assert ndcg_at(10, RANKING, "bd") == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / ideal)
    assert ndcg_at(3, RANKING, "bd") == pytest.approx((1 / math.log2(3)) / ideal)
    assert ndcg_at(1, RANKING, "abc") == 1.0
    assert ndcg_at(10, ["a", "a", "b"], "ab") == 1.0


def test_nothing_relevant_cannot_be_measured() -> None:
    for measure in (recall_at, hit_at, ndcg_at):
        with pytest.raises(ValueError, match="nothing is relevant"):
            measure(5, RANKING, ())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The limit is 30 km/h [1].", "30 km/h"),
        ("Full-time employees have **26 days**[1][2].", "26 Days"),
        ("they have 26[1] days", "26 days"),
        ("最高时速是30公里[1]。", "30公里"),
        ("最高时速是３０公里。", "30公里"),  # full-width digits
        ("the `` season '' -- seven", "the “season” — seven"),
    ],
)
def test_words_are_held_whatever_stands_between_them(text: str, words: str) -> None:
    assert holds(text, words)


def test_other_words_are_not_held() -> None:
    assert not holds("It is 26 days.", "28 days")


def test_completeness_is_the_share_of_the_parts_of_the_right_answer() -> None:
    assert completeness("26 days, 28 after five years", ["26 days", "28", "ten years"]) == pytest.approx(2 / 3)
    assert best_completeness("26 days", [["ten", "eleven"], ["26 days", "ten"]]) == 0.5
    with pytest.raises(ValueError, match="parts"):
        completeness("26 days", [])


def test_statements_are_from_a_source_when_they_stand_in_it_word_for_word() -> None:
    assert share_from(["It opens at 7:00.", "It is red."], ["The store: it opens at 7:00, daily.", "Blue."]) == 0.5


def supports(statement: str, texts: Sequence[str]) -> bool:
    """A judge that wants every word of the statement in the texts."""
    words = set(" ".join(texts).split())
    return set(statement.split()) <= words


def test_citation_recall_takes_all_that_a_statement_cites_together() -> None:
    scores = citation_scores([Statement("a b", ("a", "b")), Statement("c", ("a",)), Statement("a")], supports)

    assert scores.recall == pytest.approx(1 / 3)
    assert scores.precision == pytest.approx(2 / 3)
    assert scores.unsupported == ("c", "a")


def test_an_idle_citation_costs_precision_and_not_recall() -> None:
    idle = citation_scores([Statement("a", ("a", "x"))], supports)
    doubled = citation_scores([Statement("a", ("a", "a c"))], supports)
    needed = citation_scores([Statement("a b c", ("a b", "b c", "c"))], supports)

    assert (idle.recall, idle.precision) == (1.0, 0.5)
    assert (doubled.recall, doubled.precision) == (1.0, 1.0)  # each supports it alone
    assert needed.recall == 1.0
    assert needed.precision == pytest.approx(1 / 3)  # of "b c" and "c", either will do


def test_a_number_of_no_passage_supports_nothing() -> None:
    scores = citation_scores([Statement("a", ("a", None))], supports)

    assert (scores.recall, scores.precision) == (0.0, 0.0)


SCORES = ScoreSets(answerable=(0.9, 0.8, 0.7, 0.3), unanswerable=(0.6, 0.4, 0.2, 0.8))


def test_a_floor_refuses_what_scores_below_it() -> None:
    assert curve(SCORES, [0.0, 0.5, 0.8, 1.0]) == [
        RefusalPoint(0.0, 0.0, 0.0),
        RefusalPoint(0.5, 0.25, 0.5),
        RefusalPoint(0.8, 0.5, 0.75),
        RefusalPoint(1.0, 1.0, 1.0),
    ]


def test_the_area_under_the_curve_is_the_share_of_pairs_in_the_right_order() -> None:
    # 0.9 beats all 4; 0.8 beats 3 and ties with one; 0.7 beats 3; 0.3 beats 1
    assert auc(SCORES) == (4 + 3.5 + 3 + 1) / 16


@pytest.mark.parametrize(
    ("most_false", "false_refusals", "refused"),
    [(0.0, 0.0, 0.25), (0.25, 0.25, 0.75), (0.5, 0.25, 0.75), (0.75, 0.75, 1.0), (1.0, 0.75, 1.0)],
)
def test_the_best_floor_refuses_most_within_the_bound(most_false: float, false_refusals: float, refused: float) -> None:
    best = best_point(SCORES, most_false)

    assert (best.false_refusals, best.refused) == (false_refusals, refused)


def test_the_best_floor_lies_midway_between_scores() -> None:
    assert best_point(SCORES, 0.25).floor == pytest.approx(0.65)
    assert [point.floor for point in whole_curve(ScoreSets((0.75,), (0.25,)))] == [0.0, 0.5, 1.0]


def test_one_kind_of_question_alone_has_no_curve() -> None:
    with pytest.raises(ValueError, match="both"):
        ScoreSets((0.5,), ())


def test_percentiles_lie_between_neighbouring_times() -> None:
    assert percentile_ms([10, 20, 30, 40], 50) == 25
    assert percentile_ms([10, 20, 30, 40], 95) == pytest.approx(38.5)
