"""Query extraction by a language model: what is made of its answer."""

from typing import Any

import pytest

from retrieval.errors import ModelOutputInvalid
from retrieval.types import ExtractedQuery, Kind
from retrieval.understand.form import Strategy
from tests.retrieval.extracting import PARKING, PERMIT, WARRANTY, extracted


def test_a_filled_in_form_becomes_a_query() -> None:
    query = extracted(PERMIT | {"criteria": ["for visitors"], "ranking": "newest"})

    assert query.main_query == "parking permit cost"
    assert query.explanation == PERMIT["main_query_explanation"]
    assert query.key_phrases == ("parking permit", "cost")
    assert query.criteria == ("for visitors",)
    assert (query.ranking, query.language, query.standalone, query.kind) == ("newest", "en", True, Kind.QUESTION)


def test_the_words_of_a_message_that_stands_alone_are_searched_for_last() -> None:
    query = extracted(PERMIT, f"Hi, could you tell me: {PARKING[0].lower()}{PARKING[1:]} Thanks!")

    assert query.expansions == ("price of a parking permit", "fee for parking", "how much is a parking permit?")


def test_the_words_of_a_follow_up_are_never_searched_for() -> None:
    asked = PERMIT | {"main_query": "warranty for water damage", "standalone": False, "expansions": []}

    query = extracted(asked, "does it cover water damage?", *WARRANTY)

    assert (query.main_query, query.expansions, query.standalone) == ("warranty for water damage", (), False)


@pytest.mark.parametrize("standalone", [True, False])
def test_a_message_that_leans_on_its_thread_is_a_follow_up_whatever_the_model_says(standalone: bool) -> None:
    asked = PERMIT | {"main_query": "warranty for interns", "standalone": standalone, "expansions": []}

    assert extracted(asked, "And for interns?", *WARRANTY).expansions == ()


def test_a_first_message_stands_alone_whatever_the_model_says() -> None:
    assert extracted(PERMIT | {"standalone": False}).standalone


def test_expansions_are_few_and_repeat_neither_each_other_nor_the_query() -> None:
    other = [f"permit {word}" for word in ("rate", "tariff", "charge", "levy", "dues", "toll", "bill", "sum")]
    repeats = ["Parking permit cost", "cost of parking permit", *other, *other]

    query = extracted(PERMIT | {"expansions": repeats})

    assert query.expansions == (*other[:7], PARKING)


@pytest.mark.parametrize(
    ("strategy", "fields", "expansions"),
    [
        ("q2d", {"passage": "A permit is paid by the month."}, ("A permit is paid by the month.", PARKING)),
        (
            "cot",
            {"reasoning": "It may be a fee. It may be free.", "terms": ["parking fee"]},
            ("It may be a fee. It may be free.", "parking fee", PARKING),
        ),
        ("multi", {"queries": ["monthly parking", "visitor parking"]}, ("monthly parking", "visitor parking", PARKING)),
        ("none", {}, (PARKING,)),
    ],
)
def test_each_strategy_widens_in_its_way(
    strategy: Strategy, fields: dict[str, Any], expansions: tuple[str, ...]
) -> None:
    query = extracted(PERMIT | fields, strategy=strategy)

    assert query.main_query == "parking permit cost"
    assert query.expansions == expansions
    assert query.explanation == ""


def test_several_questions_become_parts() -> None:
    asks = ["Where is the Lyon office?", "When does the Lyon office open?"]

    query = extracted(
        PERMIT | {"main_query": "Lyon office, place and opening hours", "sub_questions": asks},
        "Where is the Lyon office, and when does it open?",
    )

    assert [part.main_query for part in query.parts] == asks
    assert all(part.language == "en" and not part.parts for part in query.parts)


def test_of_more_than_eight_questions_none_is_lost() -> None:
    things = ("lockers", "bikes", "badges", "parking", "visitors", "dogs", "keys", "desks", "chairs", "lamps")
    asks = [f"What about {thing}?" for thing in things]

    parts = extracted(PERMIT | {"sub_questions": asks}, " ".join(asks)).parts

    assert len(parts) == 8
    assert parts[7].main_query == "What about desks? What about chairs? What about lamps?"


@pytest.mark.parametrize("asks", [[], ["What does it cost?"], ["What does it cost?", "what does it cost"], "What?"])
def test_a_single_question_has_no_parts(asks: Any) -> None:
    assert extracted(PERMIT | {"sub_questions": asks}).parts == ()


@pytest.mark.parametrize("answer", ["Let me see.", {}, {"main_query": ""}, {"main_query": "string"},
                                    {"main_query": {"type": "string"}}, {"expansions": ["parking fee"]}])  # fmt: skip
def test_an_answer_without_a_query_is_invalid(answer: dict[str, Any] | str) -> None:
    with pytest.raises(ModelOutputInvalid):
        extracted(answer)


@pytest.mark.parametrize(
    "changes",
    [
        {"main_query_explanation": None, "filters": None, "ranking": None, "expansions": "price of parking permit"},
        {"main_query": ["parking permit cost"], "filters": [], "expansions": [None, 7, "price of parking permit"]},
        {"filters": {"visibility": "all", "doc_id": "*", "documents": "*"}, "colour": "red", "criteria": {"a": 1}},
    ],
)
def test_odd_shapes_are_read_with_patience(changes: dict[str, Any]) -> None:
    query = extracted(PERMIT | changes)

    assert query.main_query == "parking permit cost"
    assert query.filters == ExtractedQuery("", "en").filters
    assert set(query.expansions) <= {"price of parking permit", *PERMIT["expansions"], PARKING}
