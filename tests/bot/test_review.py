"""Admins look at what did not hold with `/kb review`, and at what got no answer with `/kb gaps`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

from bot import limits
from bot.review import NOTHING, review_list
from retrieval.adapters.sql import SqlStore
from retrieval.audit import record
from retrieval.types import COMMAND_LINE
from tests.bot.scripted import Scripted
from tests.retrieval.adapters.new_versions import new_version
from tests.retrieval.auditing import answered, asked, checked, evidence, finding, refused_record
from tests.running_workspace import wait_for

SECRET = "The boss earns 9,000."
LONG = "&<!channel> *x* " * 200


@pytest.fixture
def audited(scripted: Scripted) -> Iterator[Scripted]:
    """The bot with nothing in its audit, and an admins' document whose passage is the first."""
    store = cast(SqlStore, scripted.deliveries)
    if not store.current():
        store.publish(replace(new_version("pay.md", SECRET), visibility="admins"))
    yield scripted
    for person in ("U1", COMMAND_LINE):
        scripted.audit.forget_person(person)
    scripted.workspace.control("reset", {})


def doubt(scripted: Scripted, message: str, statement: str, question: str = "what do we earn?") -> None:
    found = checked(finding(statement, 1, "number", "9,500"), removed=[statement])
    outcome = answered(evidence(1, document="pay.md"), checked=found)
    assert scripted.audit.add(record(asked(message, question), outcome))


def listed(scripted: Scripted) -> dict[str, Any]:
    """The message that `/kb review` shows the admin."""
    before = len(shown(scripted))
    scripted.command("U0ADMIN", "review")
    return wait_for(lambda: shown(scripted)[before:])[0]


def shown(scripted: Scripted, user: str = "U0ADMIN") -> list[dict[str, Any]]:
    return [m for m in scripted.workspace.messages("C0GENERAL") if m.get("ephemeral_to") == user]


def press(scripted: Scripted, message: dict[str, Any], item: int, button: str) -> None:
    body = {"channel": "C0GENERAL", "user": "U0ADMIN", "ts": message["ts"], "action_id": button, "value": str(item)}
    assert scripted.workspace.control("actions", body)["ack"] == {}


def test_an_admin_sees_question_statement_reason_and_passage_and_decides_one_after_the_other(audited: Scripted) -> None:
    doubt(audited, "100.0", "The boss earns 9,500.")
    doubt(audited, "101.0", "The boss earns 9,600.", "what <!channel> do we earn?")
    first, second = audited.audit.open_reviews(10)

    message = listed(audited)
    for part in (
        "2 statements to look at",
        "what do we earn?",
        "Left out: “The boss earns 9,500.”",
        "(9,500; ",
        SECRET,
    ):
        assert part in message["plain"], part
    assert "<!channel>" not in str(message["blocks"])

    press(audited, message, first.id, "review_right")
    left = wait_for(lambda: [m for m in shown(audited) if "1 statement to look at" in m["plain"]])[0]
    assert left["ts"] == message["ts"]  # in the place of the list
    assert audited.audit.open_reviews(10) == [second]

    press(audited, left, second.id, "review_wrong")
    wait_for(lambda: [m for m in shown(audited) if m["plain"] == NOTHING])
    assert audited.audit.open_reviews(10) == []


def test_where_everything_held_there_is_nothing_to_review_and_no_gap(audited: Scripted) -> None:
    assert listed(audited)["plain"] == NOTHING
    audited.command("U0ADMIN", "gaps")
    wait_for(lambda: "Every question that I remember got an answer." in audited.private("U0ADMIN"))


@pytest.mark.parametrize("text", ["review", "gaps"])
def test_others_see_neither(audited: Scripted, text: str) -> None:
    doubt(audited, "100.0", "The boss earns 9,500.")
    audited.audit.add(refused_record("101.0", "what does the boss earn?"))

    audited.command("U0ALICE", text)

    (told,) = wait_for(lambda: shown(audited, "U0ALICE"))
    assert told["plain"].startswith("Only admins")


def test_who_is_no_admin_cannot_decide(audited: Scripted) -> None:
    doubt(audited, "100.0", "The boss earns 9,500.")
    (item,) = audited.audit.open_reviews(10)
    body = {"user": {"id": "U0ALICE"}, "actions": [{"action_id": "review_right", "value": str(item.id)}]}
    said: list[str] = []

    audited.bot.desk.on_review(body, lambda text, blocks=(): said.append(text))

    assert said[0].startswith("Only admins")
    assert audited.audit.open_reviews(10) == [item]


def test_a_long_list_stays_within_slacks_limits_and_goes_on_once_the_first_are_decided(audited: Scripted) -> None:
    for n in range(30):
        doubt(audited, f"{100 + n}.0", f"{n} {LONG}", LONG)

    _, blocks = review_list(audited.audit)

    texts = [block["text"]["text"] for block in blocks if block["type"] == "section"]
    assert len(texts) >= 2
    assert len(blocks) <= 50
    assert sum(map(len, texts)) <= limits.MESSAGE_BLOCKS_CHARS - 1000
    assert all(len(text) <= limits.TEXT_OBJECT_CHARS for text in texts)
    assert listed(audited)["blocks"]


def test_gaps_are_told_with_how_often_they_were_asked_and_by_nobody(audited: Scripted) -> None:
    audited.audit.add(refused_record("100.0", "Where is the <!channel> bus stop?"))
    audited.audit.add(refused_record("101.0", "where is the <!channel> bus stop"))
    audited.audit.add(refused_record("102.0", "wifi password"))

    audited.command("U0ADMIN", "gaps")

    (told,) = wait_for(lambda: shown(audited))
    assert told["text"].split("\n") == [
        "*What got no answer, most asked first*",
        "• 2× (last 2026-03-02): where is the &lt;!channel&gt; bus stop",
        "• 1× (last 2026-03-02): wifi password",
    ]
