"""Query extraction by a language model: what it is shown of a thread, and what it is not asked twice."""

import datetime as dt
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from retrieval.errors import ServiceUnavailable
from retrieval.types import Conversation, Filterable, Kind, Message
from retrieval.understand.form import FORMS, Strategy
from retrieval.understand.llm import LlmExtractor
from tests.retrieval.extracting import PARKING, PERMIT, TODAY, WARRANTY, extractor
from tests.retrieval.scripted_chat import ScriptedChat


@pytest.mark.parametrize(("strategy", "max_tokens"), [("q2e", 1000), ("cot", 2000)])
def test_the_model_is_asked_at_temperature_zero_for_the_form_of_the_strategy(
    strategy: Strategy, max_tokens: int
) -> None:
    chat = ScriptedChat.saying(PERMIT)
    extractor(chat, strategy).extract(Conversation(PARKING), Filterable())

    [call] = chat.calls
    assert (call.temperature, call.max_tokens, call.form) == (0.0, max_tokens, FORMS[strategy])
    assert "Today is Sunday, 2026-11-29." in call.system


def test_the_number_of_queries_is_asked_for() -> None:
    chat = ScriptedChat.saying(PERMIT)
    extractor(chat, "multi").extract(Conversation(PARKING), Filterable())

    assert "4 queries" in chat.calls[0].system


def test_a_thread_is_data_in_one_message_and_its_last_message_is_marked() -> None:
    chat = ScriptedChat.saying(PERMIT)
    there = Filterable(("travel/rules.pdf",), ("hr",), dt.date(2020, 5, 1), dt.date(2026, 1, 31))
    extractor(chat).extract(Conversation("does it cover water damage?", WARRANTY), there)

    [call] = chat.calls
    assert "warranty" not in call.system
    code = re.findall(r"[0-9a-f]{12}", call.user)[0]
    assert re.findall(rf"^{code} (.*)$", call.user, re.MULTILINE) == [
        "names of the documents",
        "tags",
        "dates of the documents",
        "message 1 of 3, by a person",
        "message 2 of 3, by the bot",
        "message 3 of 3, by a person: the LAST one",
        "end of the data",
    ]
    for said in ("travel/rules.pdf", "hr", "2020-05-01 to 2026-01-31", "Two years [1].", "does it cover water damage?"):
        assert f"\n{said}\n" in call.user


def test_of_a_long_thread_the_first_message_and_the_last_ones_are_shown() -> None:
    chat = ScriptedChat.saying(PERMIT)
    earlier = [Message("person", "How long is the warranty?")]
    for number in range(60):
        earlier += [Message("person", f"Question {number}. {'word ' * 300}"), Message("bot", f"Reply {number}. Right?")]
    extractor(chat).extract(Conversation("does it cover water damage?", tuple(earlier)), Filterable())

    shown = chat.calls[0].user
    assert len(shown) < 10_000
    assert "How long is the warranty?" in shown
    assert "Question 59." in shown
    assert "Reply 59. Right?" in shown
    assert "Question 20." not in shown
    assert re.search(r"messages 2 to \d+ are left out", shown)


def test_a_long_answer_of_the_bot_keeps_the_offer_at_its_end() -> None:
    chat = ScriptedChat.saying(PERMIT)
    offer = "Would you like to know how to order catering for it?"
    earlier = (Message("person", "How do I book the large room?"), Message("bot", f"{'Use it. ' * 500}{offer}"))
    extractor(chat).extract(Conversation("yes", earlier), Filterable())

    assert offer in chat.calls[0].user
    assert len(chat.calls[0].user) < 2_000


def test_of_many_documents_those_nearest_to_the_thread_are_named() -> None:
    chat = ScriptedChat.saying(PERMIT)
    names = (*(f"notes-{number}.md" for number in range(5_000)), "parking permits.md")
    extractor(chat).extract(Conversation(PARKING), Filterable(names))

    shown = chat.calls[0].user
    assert "parking permits.md" in shown
    assert 1 < len(re.findall(r"notes-\d+\.md", shown)) < 60


def test_what_no_encoding_can_hold_is_not_sent() -> None:
    chat = ScriptedChat.saying(PERMIT)
    extractor(chat).extract(Conversation(PARKING, (Message("person", "broken \ud83d"),)), Filterable())

    assert chat.calls[0].user.encode()


@pytest.mark.parametrize("message", ["hi", "thanks!", "what can you do?", "", "👍", "word " * 2_000])
def test_what_rules_recognise_costs_no_call(message: str) -> None:
    chat = ScriptedChat.saying(PERMIT)

    query = extractor(chat).extract(Conversation(message, WARRANTY), Filterable())

    assert query.kind is not Kind.QUESTION
    assert not chat.calls


def test_the_same_thread_is_not_asked_about_twice() -> None:
    chat = ScriptedChat.saying(PERMIT, PERMIT | {"main_query": "another"})
    reads = extractor(chat)

    first = reads.extract(Conversation(PARKING, WARRANTY), Filterable(("a.md",)))
    again = reads.extract(Conversation(PARKING, WARRANTY), Filterable(("a.md",)))

    assert first == again
    assert len(chat.calls) == 1


def test_another_thread_other_documents_and_another_day_are_asked_about_anew() -> None:
    chat = ScriptedChat.saying(PERMIT)
    days = [TODAY]
    reads = LlmExtractor(chat, strategy="q2e", query_count=3, today=lambda: days[-1])

    reads.extract(Conversation(PARKING), Filterable())
    reads.extract(Conversation(PARKING, WARRANTY), Filterable())
    reads.extract(Conversation(PARKING), Filterable(("a.md",)))
    days.append(TODAY + dt.timedelta(days=1))
    reads.extract(Conversation(PARKING), Filterable())

    assert len(chat.calls) == 4


def test_a_failure_is_not_remembered() -> None:
    chat = ScriptedChat.saying(ServiceUnavailable("down"), PERMIT)
    reads = extractor(chat)

    with pytest.raises(ServiceUnavailable):
        reads.extract(Conversation(PARKING), Filterable())

    assert reads.extract(Conversation(PARKING), Filterable()).main_query == "parking permit cost"


def test_the_memory_is_bounded() -> None:
    chat = ScriptedChat.saying(PERMIT)
    reads = extractor(chat)
    for number in range(301):
        reads.extract(Conversation(f"Where is room {number}?"), Filterable())

    reads.extract(Conversation("Where is room 300?"), Filterable())
    reads.extract(Conversation("Where is room 0?"), Filterable())

    assert len(chat.calls) == 302


def test_many_threads_at_once_get_each_their_own_query() -> None:
    chat = ScriptedChat.saying(PERMIT | {"main_query": "room"})
    reads = extractor(chat)

    def ask(number: int) -> str:
        return reads.extract(Conversation(f"Where is room {number % 50}?"), Filterable()).main_query

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(400)))

    assert found == [f"room {number % 50}" for number in range(400)]
