"""Which of several editions of a text is quoted."""

import datetime as dt

import pytest

from evals.knowledge_base import knowledge_base
from retrieval.answer.editions import Edition, editions
from retrieval.types import Answer, Conversation, ExtractedQuery, Filters, Past, Viewer

RULES = ["Leave rules (2013-12-11).md", "Leave rules (2024-11-10).md", "Leave rules.md", "Report 2023.pdf"]


@pytest.mark.parametrize(
    ("question", "as_of", "meant"),
    [
        ("How long is leave?", None, RULES[1]),
        ("How long was leave in 2013?", None, RULES[0]),
        ("How long was leave then?", dt.date(2020, 5, 1), RULES[0]),
        ("How long was leave then?", dt.date(1999, 5, 1), RULES[1]),
    ],
)
def test_the_edition_that_was_asked_for_is_meant_or_else_the_newest(
    question: str, as_of: dt.date | None, meant: str
) -> None:
    query = ExtractedQuery(question, "en", filters=Filters(past=Past(as_of=as_of)))

    assert editions(RULES, query) == {name: Edition("Leave rules.md", name == meant) for name in RULES[:2]}


def test_what_two_editions_say_in_their_own_way_is_quoted_from_the_one_that_is_meant() -> None:
    documents = {
        "Leave rules (2013).md": "# Leave\n\nParental leave lasts twelve weeks.\n\nA form is filled in on paper.",
        "Leave rules (2024).md": "# Leave\n\nParental leave lasts twenty weeks.",
    }
    with knowledge_base(documents) as footnote:
        replies = [
            footnote.pipeline.ask(Conversation(question), Viewer()).reply
            for question in (
                "How many weeks does parental leave last?",
                "How many weeks did parental leave last in 2013?",
            )
        ]

    assert [isinstance(reply, Answer) for reply in replies] == [True, True]
    assert ["twenty" in reply.text for reply in replies] == [True, False]
    assert ["twelve" in reply.text for reply in replies] == [False, True]
