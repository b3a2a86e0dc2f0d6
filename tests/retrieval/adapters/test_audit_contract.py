"""What `Audit` promises: one record a message, found again, counted, decided and forgotten."""

import datetime as dt
import threading
from dataclasses import replace
from typing import Any

import pytest

from retrieval.adapters.sql import SqlStore
from retrieval.audit import record
from retrieval.types import AuditRecord, Feedback, Verdict, Viewer
from tests.retrieval.adapters.new_versions import new_version, said
from tests.retrieval.auditing import DAY, answered, asked, checked, evidence, finding, refused_record

EVERYONE = Viewer()


def plain(message: str, **fields: Any) -> AuditRecord:
    return record(asked(message, **fields), answered(evidence(1)))


def doubtful(message: str, *statements: str) -> AuditRecord:
    findings = [finding(statement, 1, "number", "27") for statement in statements]
    return record(asked(message), answered(evidence(1), checked=checked(*findings, removed=statements)))


def ids(records: list[AuditRecord]) -> list[str]:
    return [kept.message for kept in records]


def test_a_record_is_found_by_its_message_and_by_its_number(store: SqlStore) -> None:
    made = replace(plain("100.0", question="年假 <&> 🏖"), reply_message="101.0")

    assert store.audit.add(made)

    kept = store.audit.find("C1", "100.0")
    assert kept
    assert kept.id > 0
    assert replace(kept, id=0) == made
    assert store.audit.get(kept.id) == kept
    assert store.audit.find("C2", "100.0") is None
    assert store.audit.get(kept.id + 1) is None


def test_the_first_record_of_a_message_stays(store: SqlStore) -> None:
    assert store.audit.add(refused_record("100.0", "where is the key?"))
    assert not store.audit.add(doubtful("100.0", "You have 27 days."))

    (kept,) = store.audit.all()
    assert kept.kind == "refusal"
    assert [gap.times for gap in store.audit.gaps(10)] == [1]
    assert store.audit.open_reviews(10) == []


def test_of_many_threads_that_add_a_record_of_one_message_exactly_one_does(store: SqlStore) -> None:
    results: list[bool] = []
    start = threading.Barrier(8)

    def add() -> None:
        start.wait()
        results.append(store.audit.add(doubtful("100.0", "You have 27 days.")))

    threads = [threading.Thread(target=add) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(results) == [False] * 7 + [True]
    assert len(store.audit.open_reviews(10)) == 1


def test_records_are_read_oldest_first_from_a_moment_on_and_the_newest_of_them(store: SqlStore) -> None:
    for day in range(450):  # more than are read at once
        store.audit.add(plain(f"{100 + day}.0", asked_at=DAY + dt.timedelta(days=day)))

    assert ids(list(store.audit.all())) == [f"{100 + day}.0" for day in range(450)]
    assert ids(list(store.audit.all(DAY + dt.timedelta(days=448)))) == ["548.0", "549.0"]
    assert ids(store.audit.newest(2)) == ["548.0", "549.0"]
    assert ids(store.audit.newest(5, DAY + dt.timedelta(days=449))) == ["549.0"]


def test_gaps_are_counted_by_question_with_the_last_wording_and_the_most_asked_first(store: SqlStore) -> None:
    later = DAY + dt.timedelta(days=3)
    store.audit.add(refused_record("100.0", "Where is the bus stop?"))
    store.audit.add(refused_record("101.0", "wifi password"))
    store.audit.add(refused_record("102.0", "where is the bus stop", asker="U2", asked_at=later))
    store.audit.add(plain("103.0"))

    first, second = store.audit.gaps(10)

    assert (first.question, first.times, first.last_asked) == ("where is the bus stop", 2, later)
    assert (second.question, second.times, second.last_asked) == ("wifi password", 1, DAY)
    assert len(store.audit.gaps(1)) == 1


def test_a_doubt_is_open_until_one_person_has_decided_it(store: SqlStore) -> None:
    store.audit.add(doubtful("100.0", "You have 27 days.", "You have 28 days."))
    store.audit.add(doubtful("101.0", "You have 29 days."))

    first, second, third = store.audit.open_reviews(10)
    verdicts: list[Verdict] = ["right", "wrong"]
    assert [store.audit.decide(second.id, verdict, "U0ADMIN") for verdict in verdicts] == [True, False]

    assert [item.doubt.statement for item in (first, second, third)] == [
        "You have 27 days.", "You have 28 days.", "You have 29 days.",
    ]  # fmt: skip
    assert (first.record, first.question, first.doubt.passage) == (first.record, "How many days?", 1)
    assert first.record == second.record != third.record
    assert store.audit.open_reviews(10) == [first, third]
    assert store.audit.open_reviews(1) == [first]
    assert not store.audit.decide(third.id + 1, "right", "U0ADMIN")


def test_what_is_old_enough_is_forgotten_with_its_gaps_and_doubts_and_nothing_else(store: SqlStore) -> None:
    old, now = DAY - dt.timedelta(days=100), DAY
    store.audit.add(refused_record("100.0", "wifi password", asked_at=old))
    store.audit.add(replace(doubtful("101.0", "You have 27 days."), asked_at=old))
    store.audit.add(refused_record("102.0", "wifi password", asked_at=now))

    assert store.audit.forget(DAY - dt.timedelta(days=90)) == 2
    assert store.audit.forget(DAY - dt.timedelta(days=90)) == 0

    assert ids(list(store.audit.all())) == ["102.0"]
    assert [gap.times for gap in store.audit.gaps(10)] == [1]
    assert store.audit.open_reviews(10) == []


def test_a_person_is_forgotten_with_all_they_asked_said_and_rated_and_nobody_else(store: SqlStore) -> None:
    store.audit.add(refused_record("100.0", "wifi password"))
    store.audit.add(refused_record("101.0", "where is the bus stop", asker="U2"))
    store.record(said("100.0", "what is the wifi password?"))
    store.finish(said("100.0"), said("100.5", "I can't answer this.", by_bot=True))
    store.record(said("102.0", "still being answered"))
    store.rate(Feedback("C1", "100.5", "U1", "bad", DAY))
    store.rate(Feedback("C1", "100.5", "U2", "good", DAY))

    assert store.audit.forget_person("U1") == 1
    assert store.audit.forget_person("U1") == 0

    assert [kept.asker for kept in store.audit.all()] == ["U2"]
    assert [gap.question for gap in store.audit.gaps(10)] == ["where is the bus stop"]
    assert [m.text for m in store.thread("C1", "100.0")] == ["", "I can't answer this.", "still being answered"]
    assert [rating.person for rating in store.ratings()] == ["U2"]
    assert not store.record(said("100.0", "what is the wifi password?"))  # it is still known not to be new


@pytest.mark.parametrize(("viewer", "seen"), [(EVERYONE, ["open"]), (Viewer.admin(), ["open", "secret"])])
def test_passages_are_shown_to_who_may_see_their_documents(store: SqlStore, viewer: Viewer, seen: list[str]) -> None:
    store.publish(new_version("a.md", "open"))
    store.publish(replace(new_version("b.md", "secret"), visibility="admins"))

    found = store.audit.passages([1, 2, 99], viewer)

    assert [found[number].text for number in sorted(found)] == seen


def test_an_earlier_version_is_shown_only_while_its_document_is_there_and_as_public_as_it_was(store: SqlStore) -> None:
    store.publish(new_version("a.md", "one"))
    store.publish(new_version("a.md", "two"))
    assert sorted(store.audit.passages([1, 2], EVERYONE)) == [1, 2]

    store.publish(replace(new_version("a.md", "three"), visibility="admins"))
    assert store.audit.passages([1, 2, 3], EVERYONE) == {}
    assert sorted(store.audit.passages([1, 2, 3], Viewer.admin())) == [1, 2, 3]

    store.publish(new_version("a.md", "four"))
    assert sorted(store.audit.passages([1, 2, 3, 4], EVERYONE)) == [1, 2, 4]
    store.delete("a.md")
    assert store.audit.passages([1, 2, 3, 4], Viewer.admin()) == {}
