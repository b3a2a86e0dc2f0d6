"""Follow-ups that break software of this kind, from the thread in Slack to the query and the passages found."""

from collections.abc import Iterator
from typing import Any

import pytest
import regex

from bot.thread import conversation, heard
from evals.knowledge_base import knowledge_base
from retrieval.build import Footnote
from retrieval.types import Conversation, ExtractedQuery, Filterable, Kind, Message, Viewer
from retrieval.understand.rules import RuleBasedExtractor

_BOT = "UBOT0001"


def rewritten(question: str, *said: str) -> str:
    """Of a thread in which a person and the bot take turns."""
    earlier = tuple(Message("bot" if number % 2 else "person", text) for number, text in enumerate(said))
    return extract(Conversation(question, earlier)).main_query


def rewritten_in_slack(*messages: dict[str, Any]) -> str:
    """The last message of a thread, as Slack sends it."""
    known = [heard(message, "C1", _BOT) for message in messages]
    return extract(conversation(known[-1], known)).main_query


def extract(asked: Conversation) -> ExtractedQuery:
    return RuleBasedExtractor().extract(asked, Filterable())


def test_a_short_follow_up_takes_over_the_product_and_not_the_part() -> None:
    query = rewritten(
        "And a yearly inspection?",
        "How much does it cost to replace the battery of the Model K scooter?",
        "It costs 120 euros.",
    )

    assert regex.search("(?i)model k", query)
    assert "inspection" in query
    assert "battery" not in query


@pytest.mark.parametrize(("exchanges", "called"), [(0, False), (1, True), (2, True)])
def test_the_first_follow_up_is_rewritten_like_any_other(exchanges: int, called: bool) -> None:
    said = ["How many days of annual leave do I get?", "26 days.", "And for part-time employees?", "13 days."]

    query = rewritten("And for interns?", *said[: 2 * exchanges])

    assert ("leave" in query) is called


def test_the_newest_question_does_not_drown_in_the_thread() -> None:
    query = rewritten(
        "What about the Porto office, when was it opened?", "When was the Lyon office opened?", "In 2015."
    )

    assert "Porto" in query
    assert not regex.search("(?i)you are a|lyon", query)
    assert len(query) <= 200


def test_after_a_restart_the_bots_own_answers_are_part_of_the_thread() -> None:
    query = rewritten_in_slack(
        {"user": "U1", "text": f"<@{_BOT}> how long is the warranty?", "ts": "1.0"},
        {"user": _BOT, "bot_id": "B1", "text": "Two years *[1]*.", "ts": "2.0"},
        {"user": "U1", "text": f"<@{_BOT}> does it cover water damage?", "ts": "3.0"},
    )

    assert query == "does it cover water damage? warranty"


def test_called_into_a_running_thread_it_takes_up_the_question_above() -> None:
    query = rewritten_in_slack(
        {"user": "U1", "text": "Does anyone know how many days we keep door logs?", "ts": "1.0"},
        {"user": "U2", "text": "no idea, lunch at 12?", "ts": "2.0"},
        {"user": "U2", "text": f"<@{_BOT}> can you answer that?", "ts": "3.0"},
    )

    assert "door" in query
    assert regex.search("logs?|days", query)
    assert "lunch" not in query


def test_quoted_lines_are_what_the_question_is_about() -> None:
    query = rewritten_in_slack(
        {"user": "U1", "text": "&gt; The deposit is 300 euros.\nis that still correct for lockers?", "ts": "1.0"}
    )

    assert query == "is that still correct for lockers? deposit 300 euros"


_OFFERED = (
    Message("person", "How do I book the large meeting room?"),
    Message("bot", "Use the room calendar. Would you like to know how to order catering for it?"),
)


@pytest.fixture(scope="module")
def office() -> Iterator[Footnote]:
    documents = {
        "rooms.md": "The large meeting room is booked in the room calendar.",
        "catering.md": "Catering for meetings is ordered from the canteen two days ahead.",
        **{f"{n}.md": f"Car {n} is parked in bay {n} and washed in week {n}." for n in range(10, 30)},
    }
    with knowledge_base(documents) as footnote:
        yield footnote


def test_a_yes_to_an_offer_asks_what_was_offered() -> None:
    query = extract(Conversation("Yes please!", _OFFERED))

    assert query.main_query.startswith("how to order catering for it?")
    assert "room" in query.main_query


def test_a_yes_to_an_offer_finds_the_answer_and_what_the_offer_was_about(office: Footnote) -> None:
    evidence = office.pipeline.ask(Conversation("yes", _OFFERED), Viewer()).evidence

    assert {"catering.md", "rooms.md"} <= {item.passage.document for item in evidence}


@pytest.mark.parametrize(
    ("message", "kind"), [("hello", Kind.GREETING), ("thanks!", Kind.SMALL_TALK), ("no", Kind.SMALL_TALK)]
)
def test_only_a_yes_accepts_an_offer(message: str, kind: Kind) -> None:
    assert extract(Conversation(message, _OFFERED)).kind is kind


@pytest.mark.parametrize("answer", ["Use the room calendar.", "Is it large? Yes, it holds 30 people."])
def test_a_yes_to_nothing_is_small_talk(answer: str) -> None:
    assert extract(Conversation("yes", (_OFFERED[0], Message("bot", answer)))).kind is Kind.SMALL_TALK
