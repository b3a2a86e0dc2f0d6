"""Wishes about documents, tags and days: filters where metadata can decide them, criteria where it cannot."""

import datetime as dt
from typing import Any

import pytest

from retrieval.types import Conversation, ExtractedQuery, Filterable, Filters, Message, Past
from retrieval.understand.llm import LlmExtractor
from tests.retrieval.scripted_chat import ScriptedChat

TODAY = dt.date(2026, 11, 29)
DATED = Filterable((), (), dt.date(2019, 1, 1), TODAY)
THERE = Filterable(
    ("hr/Travel Policy 2026.pdf", "hr/leave.md", "it/guide-en.md", "it/guide-de.md", "a/README.md", "b/README.md"),
    ("Human Resources", "IT"),
)


def extracted(filters: Any, question: str, there: Filterable = THERE, *earlier: Message) -> ExtractedQuery:
    chat = ScriptedChat.saying({"main_query": "travel rules", "filters": filters})
    reads = LlmExtractor(chat, strategy="q2e", query_count=3, today=lambda: TODAY)
    return reads.extract(Conversation(question, earlier), there)


@pytest.mark.parametrize(
    "name",
    [
        "hr/Travel Policy 2026.pdf",
        "HR/travel policy 2026.PDF",
        "Travel Policy 2026.pdf",
        "travel policy 2026",
        "travel policy",
        "Policy 2026",
        "Travel Polcy 2026",
    ],
)
def test_a_document_is_found_by_path_name_words_or_with_a_slip(name: str) -> None:
    query = extracted({"documents": [name]}, "What does the travel policy 2026 say on hotels?")

    assert query.filters.documents == ("hr/Travel Policy 2026.pdf",)
    assert query.criteria == ()


@pytest.mark.parametrize("name", ["guide", "README.md", "the annual report", "guide-fr"])
def test_a_document_that_is_not_there_or_could_be_two_becomes_a_criterion(name: str) -> None:
    query = extracted({"documents": [name]}, f"What does {name} say on leave and guide readme?")

    assert query.filters.documents == ()
    assert query.criteria == (f"from the document {name}",)


def test_a_document_that_nobody_mentioned_is_no_filter() -> None:
    query = extracted({"documents": ["hr/leave.md"]}, "How are hotels paid?")

    assert query.filters == Filters()
    assert query.criteria == ("from the document hr/leave.md",)


def test_a_document_that_the_bot_mentioned_may_be_meant() -> None:
    earlier = (Message("person", "How are days counted?"), Message("bot", "See the guide in leave.md [1]."))

    query = extracted({"documents": ["leave.md"]}, "What else does it say?", THERE, *earlier)

    assert query.filters.documents == ("hr/leave.md",)


def test_tags_are_found_likewise() -> None:
    query = extracted({"tags": ["human resources", "finance"]}, "What do human resources and finance say?")

    assert query.filters.tags == ("Human Resources",)
    assert query.criteria == ("about finance",)


@pytest.mark.parametrize("name", ["*", "all", "any", "", "n/a", None, "all documents"])
def test_all_documents_are_no_filter_and_no_wish(name: Any) -> None:
    query = extracted({"documents": [name], "tags": [name]}, "What do all documents say on travel?")

    assert (query.filters, query.criteria) == (Filters(), ())


@pytest.mark.parametrize(
    ("question", "since", "until", "found"),
    [
        ("changes last month", "2026-10-01", "2026-10-31", (dt.date(2026, 10, 1), dt.date(2026, 10, 31))),
        ("changes this year", "2026-01-01", "", (dt.date(2026, 1, 1), None)),
        ("changes last year", "2025-01-01", "2025-12-31", (dt.date(2025, 1, 1), dt.date(2025, 12, 31))),
        ("changes in the last five years", "2021-11-29", "", (dt.date(2021, 11, 29), None)),
        ("changes in 2019", "2019", "2019", (dt.date(2019, 1, 1), dt.date(2019, 12, 31))),
        ("changes in February 2024", "2024-02", "2024-02", (dt.date(2024, 2, 1), dt.date(2024, 2, 29))),
        ("changes until May 2024", None, "2024-05-31T00:00:00", (None, dt.date(2024, 5, 31))),
    ],
)
def test_days_that_the_thread_bears_out_are_a_filter(
    question: str, since: str | None, until: str, found: tuple[dt.date | None, dt.date | None]
) -> None:
    query = extracted({"since": since, "until": until}, question, DATED)

    assert (query.filters.since, query.filters.until) == found
    assert query.criteria == ()


@pytest.mark.parametrize(
    ("question", "since", "until"),
    [
        ("changes last month", "2023-10-01", "2023-10-31"),
        ("What did we decide in June?", "2026-06-01", "2026-06-30"),
        ("changes this year", "2026-12-31", "2026-01-01"),
        ("changes soon", "2031-01-01", ""),
        ("changes", "1492-01-01", ""),
        ("changes on the 31st", "2026-02-31", ""),
    ],
)
def test_days_that_it_does_not_leave_the_askers_words_as_a_wish(question: str, since: str, until: str) -> None:
    query = extracted({"since": since, "until": until}, question, DATED)

    assert query.filters == Filters()
    assert query.criteria == (question,)


def test_days_in_words_are_a_wish() -> None:
    query = extracted({"since": "last month", "until": ""}, "changes last month", DATED)

    assert (query.filters, query.criteria) == (Filters(), ("dated last month",))


def test_days_are_a_wish_where_documents_have_no_dates() -> None:
    query = extracted({"since": "2024-02-01", "until": "2024-02-29"}, "changes in February 2024", Filterable())

    assert query.filters == Filters(past=Past(as_of=dt.date(2024, 2, 29)))
    assert query.criteria == ("dated 2024-02-01 or later", "dated 2024-02-29 or earlier")


def test_parts_of_a_message_have_its_filters_and_wishes() -> None:
    answer = {
        "main_query": "hotels and meals",
        "filters": {"documents": ["leave.md"]},
        "criteria": ["with an example"],
        "ranking": "newest",
        "sub_questions": ["What about hotels?", "What about meals?"],
    }
    reads = LlmExtractor(ScriptedChat.saying(answer), strategy="q2e", query_count=3)

    query = reads.extract(Conversation("In leave.md, what about hotels and what about meals?"), THERE)

    for part in query.parts:
        assert (part.filters, part.criteria, part.ranking) == (query.filters, query.criteria, "newest")
    assert query.filters.documents == ("hr/leave.md",)
