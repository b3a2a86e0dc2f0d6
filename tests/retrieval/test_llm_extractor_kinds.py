"""Query extraction by a language model: kinds of messages, rankings and languages."""

import pytest

from retrieval.types import Kind, Message
from tests.retrieval.extracting import PERMIT, extracted


def test_yes_to_an_offer_of_the_bot_is_a_question() -> None:
    offer = Message("bot", "Use the room calendar [1]. Would you like to know how to order catering for it?")
    asked = PERMIT | {"main_query": "ordering catering for the large meeting room", "standalone": False}

    query = extracted(asked, "yes", Message("person", "How do I book the large meeting room?"), offer)

    assert query.kind is Kind.QUESTION
    assert query.main_query == "ordering catering for the large meeting room"
    assert "yes" not in query.expansions


@pytest.mark.parametrize(
    ("told", "kind"),
    [("small_talk", Kind.SMALL_TALK), ("Small talk", Kind.SMALL_TALK), ("greeting", Kind.SMALL_TALK),
     ("help", Kind.HELP), ("question", Kind.QUESTION), ("whatever", Kind.QUESTION), (None, Kind.QUESTION)],
)  # fmt: skip
def test_kinds_are_understood_in_other_words(told: str | None, kind: Kind) -> None:
    assert extracted(PERMIT | {"kind": told}, "you all had a lovely weekend I hope").kind is kind


@pytest.mark.parametrize(
    ("told", "ranking"),
    [("most recent", "newest"), ("latest first", "newest"), ("oldest", "oldest"), ("", "relevance"),
     (None, "relevance"), ("by price", "relevance")],
)  # fmt: skip
def test_rankings_are_understood_in_other_words(told: str | None, ranking: str) -> None:
    without = {key: value for key, value in PERMIT.items() if key != "ranking"}

    assert extracted(PERMIT | {"ranking": told}).ranking == ranking
    assert extracted(without | {"ranking_criteria": told}).ranking == ranking


def test_an_unclear_message_gets_one_question_back_in_plain_words() -> None:
    asks = "Do you mean <https://evil.example|annual> leave\nor [parental] leave, @channel? See www.evil.example/x"

    query = extracted(PERMIT | {"kind": "unclear", "main_query": "", "clarification": asks}, "How long is leave here")

    assert query.kind is Kind.UNCLEAR
    assert query.clarification == "Do you mean leave or parental leave, channel?"


def test_a_question_back_is_not_endless() -> None:
    query = extracted(PERMIT | {"kind": "unclear", "clarification": "annual or parental leave? " * 40}, "leave here")

    assert 100 < len(query.clarification) <= 301


@pytest.mark.parametrize(
    ("clarification", "earlier"),
    [
        ("", ()),
        ("?!", ()),
        ("Do you mean the 20 days or the 30 days?", ()),
        ("Which of the two?", (Message("person", "leave"), Message("bot", "Do you mean annual or parental leave?"))),
    ],
    ids=["none", "no words", "figures from memory", "asked back already"],
)
def test_an_unclear_message_is_searched_for_where_it_cannot_be_asked_back(
    clarification: str, earlier: tuple[Message, ...]
) -> None:
    unclear = PERMIT | {"kind": "unclear", "clarification": clarification}

    assert extracted(unclear, "the leave for new parents", *earlier).kind is Kind.QUESTION
    assert extracted(unclear | {"main_query": ""}, "the leave for new parents", *earlier).main_query


@pytest.mark.parametrize(
    ("question", "told", "lang"),
    [
        ("Quantos dias de férias tenho por ano?", "en", "pt"),
        ("NP-405?", "pt-BR", "pt"),
        ("NP-405?", "Klingon", "en"),
        ("NP-405?", None, "en"),
    ],
)
def test_the_language_is_the_codes_where_it_is_sure_else_the_models(question: str, told: str | None, lang: str) -> None:
    assert extracted(PERMIT | {"main_query": question, "language": told}, question).language == lang
