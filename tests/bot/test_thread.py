"""Slack messages of a thread become a conversation."""

from typing import Any

import pytest

from bot.thread import conversation, heard, is_spoken, without_sources
from retrieval.types import Message, ThreadMessage

BOT = "UBOT0001"


def said(ts: str, text: str, *, by_bot: bool = False, thread: str = "1.0") -> ThreadMessage:
    return ThreadMessage("C1", ts, thread, BOT if by_bot else "U1", text, by_bot=by_bot)


def test_a_thread_read_again_keeps_the_bots_answers_without_their_marks() -> None:
    thread = [
        {"user": "U1", "text": "<@UBOT0001> how long is the warranty?", "ts": "1.0"},
        {"user": BOT, "bot_id": "B1", "text": "Two years *[1]*.", "ts": "2.0", "thread_ts": "1.0"},
        {"user": "U1", "text": "<@UBOT0001> does it cover water damage?", "ts": "3.0", "thread_ts": "1.0"},
    ]
    known = [heard(message, "C1", BOT) for message in thread]

    found = conversation(known[-1], known)

    assert found.question == "does it cover water damage?"
    assert found.earlier == (Message("person", "how long is the warranty?"), Message("bot", "Two years."))


def test_quoted_lines_stand_before_the_question_not_in_it() -> None:
    current = heard(
        {"user": "U1", "ts": "5.0", "text": "&gt; The deposit is 300 euros.\nis that still correct for lockers?"},
        "D1",
        BOT,
    )

    found = conversation(current, [])

    assert found.question == "is that still correct for lockers?"
    assert found.earlier == (Message("person", "The deposit is 300 euros."),)


def test_a_message_that_only_quotes_is_the_question() -> None:
    assert conversation(said("5.0", "> where do I park?"), []).question == "where do I park?"


def test_what_people_say_later_is_left_out_but_an_answer_given_meanwhile_counts() -> None:
    current = said("3.0", "and for interns?")
    known = [
        said("2.0", "how many days of leave?"),
        current,
        said("4.0", "lunch?"),
        said("5.0", "26 days.", by_bot=True),
    ]

    assert conversation(current, known).earlier == (
        Message("person", "how many days of leave?"),
        Message("bot", "26 days."),
    )


def test_messages_are_ordered_as_numbers_not_as_text() -> None:
    current = said("10.000001", "third")
    known = [said("9.5", "first"), said("10.000000", "second"), current]

    assert [message.text for message in conversation(current, known).earlier] == ["first", "second"]


def test_replies_without_words_are_no_part_of_the_conversation() -> None:
    current = said("3.0", "again?")

    assert conversation(current, [said("2.0", "", by_bot=True), current]).earlier == ()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("Gates open at six [1][2]. At *eight* on Sundays [3].", "Gates open at six. At *eight* on Sundays."),
        ("Two years.[1]\n\n[1] warranty.md (v1), Terms\n[2] faq.md (v1)", "Two years."),
        ("年假为十五天[1]。", "年假为十五天。"),
    ],
)
def test_an_answer_is_remembered_without_marks_and_sources(answer: str, words: str) -> None:
    assert without_sources(answer) == words


@pytest.mark.parametrize("subtype", [None, "thread_broadcast", "file_share", "me_message"])
def test_what_a_person_says_counts(subtype: str | None) -> None:
    event: dict[str, Any] = {"user": "U1", "ts": "1.0", "text": "where do I park?", "subtype": subtype}

    assert is_spoken(event)


@pytest.mark.parametrize(
    "event",
    [
        {"user": "U1", "subtype": "channel_join", "text": "<@U1> has joined the channel"},
        {"user": "U1", "subtype": "channel_topic", "text": "set the channel topic: x"},
        {"user": "U1", "subtype": "pinned_item", "text": "pinned a message"},
        {"subtype": "message_changed", "hidden": True, "message": {"user": "U1", "text": "hi"}},
        {"subtype": "message_deleted", "hidden": True},
        {"user": "UBOT0002", "bot_id": "B2", "text": "thanks!"},
        {"subtype": "bot_message", "bot_id": "B2", "text": "build failed"},
    ],
)
def test_what_nobody_says_is_ignored(event: dict[str, Any]) -> None:
    assert not is_spoken({"ts": "1.0", **event})
