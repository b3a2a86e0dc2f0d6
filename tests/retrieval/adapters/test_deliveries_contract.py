"""What `Deliveries` promises to the bot."""

import datetime as dt
import threading
from collections.abc import Callable

from retrieval.adapters.sql import SqlStore, open_store
from retrieval.types import Feedback, ThreadMessage
from tests.retrieval.adapters.new_versions import said


def _in_threads(count: int, call: Callable[[], bool]) -> list[bool]:
    results: list[bool] = []
    start = threading.Barrier(count)

    def run() -> None:
        start.wait()
        results.append(call())

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_a_message_is_new_once(store: SqlStore) -> None:
    assert store.record(said("100.0"))
    assert not store.record(said("100.0"))
    assert not store.record(said("100.0", state="heard"))


def test_the_same_timestamp_in_another_channel_is_another_message(store: SqlStore) -> None:
    message = said("100.0")

    assert store.record(message)
    assert store.record(ThreadMessage("C2", message.ts, message.thread, "U1", "other", state="accepted"))


def test_a_message_heard_first_and_then_accepted_is_handled_once(store: SqlStore) -> None:
    assert store.record(said("100.0", state="heard"))
    assert not store.record(said("100.0", state="heard"))
    assert store.record(said("100.0"))
    assert not store.record(said("100.0"))
    assert [m.state for m in store.unfinished()] == ["accepted"]


def test_a_message_that_is_done_is_never_accepted_again(store: SqlStore) -> None:
    store.record(said("100.0"))
    store.finish(said("100.0"), said("101.0", "Fifteen [1].", state="heard", by_bot=True))

    assert not store.record(said("100.0"))
    assert store.unfinished() == []


def test_an_answer_is_kept_in_its_thread(store: SqlStore) -> None:
    question, reply = said("100.0"), said("101.0", "Fifteen [1].", state="heard", by_bot=True)
    store.record(said("102.0", "And then?", state="heard"))
    store.record(question)
    store.finish(question, reply)

    thread = store.thread("C1", "100.0")

    assert [(m.ts, m.text, m.state, m.by_bot) for m in thread] == [
        ("100.0", "How many days?", "answered", False),
        ("101.0", "Fifteen [1].", "heard", True),
        ("102.0", "And then?", "heard", False),
    ]
    assert thread[1] == reply
    assert store.thread("C2", "100.0") == []
    assert store.thread("C1", "999.0") == []


def test_a_message_without_a_reply_has_failed(store: SqlStore) -> None:
    store.record(said("100.0"))
    store.finish(said("100.0"), None)

    assert [m.state for m in store.thread("C1", "100.0")] == ["failed"]
    assert store.unfinished() == []


def test_a_reply_that_was_already_heard_of_is_kept_once_as_the_bots(store: SqlStore) -> None:
    store.record(said("100.0"))
    store.record(said("101.0", "shortened", state="heard"))
    store.finish(said("100.0"), said("101.0", "The whole reply.", state="heard", by_bot=True))

    assert [(m.text, m.by_bot) for m in store.thread("C1", "100.0")][1:] == [("The whole reply.", True)]


def test_unfinished_messages_come_oldest_first_after_a_restart(store: SqlStore, store_url: str) -> None:
    for ts in ("1700000300.000100", "1700000100.000200", "1700000200.000300"):
        store.record(said(ts))
    store.record(said("1700000000.000100", state="heard"))
    store.finish(said("1700000100.000200"), None)

    restarted = open_store(store_url)

    assert [m.ts for m in restarted.unfinished()] == ["1700000200.000300", "1700000300.000100"]
    restarted.close()


def test_of_many_threads_that_record_one_message_exactly_one_may_answer(store: SqlStore) -> None:
    assert sorted(_in_threads(8, lambda: store.record(said("100.0")))) == [False] * 7 + [True]


def test_of_many_threads_that_accept_one_heard_message_exactly_one_may_answer(store: SqlStore) -> None:
    store.record(said("100.0", state="heard"))

    assert sorted(_in_threads(8, lambda: store.record(said("100.0")))) == [False] * 7 + [True]


def test_a_message_of_thirty_thousand_characters_in_any_script_is_kept_whole(store: SqlStore) -> None:
    text = "年假🏖é" * 7_500
    store.record(said("100.0", text))

    assert store.thread("C1", "100.0")[0].text == text


def test_broken_characters_do_not_stop_a_message(store: SqlStore) -> None:
    assert store.record(said("100.0", "half a pair: \ud83d, and a nul: \0."))

    assert store.thread("C1", "100.0")[0].text == "half a pair: ?, and a nul: ."


def _moment(days: float) -> dt.datetime:
    return dt.datetime.now(dt.UTC) + dt.timedelta(days=days)


def test_a_thread_in_which_nothing_happened_since_is_forgotten_and_no_other(store: SqlStore) -> None:
    store.record(said("100.0"))
    store.finish(said("100.0"), said("101.0", "Fifteen.", state="heard", by_bot=True))

    assert store.forget(_moment(days=-1)) == 0
    assert len(store.thread("C1", "100.0")) == 2
    assert store.forget(_moment(days=1)) == 2
    assert store.thread("C1", "100.0") == []


def test_a_thread_with_an_unfinished_message_is_not_forgotten(store: SqlStore) -> None:
    store.record(said("100.0", state="heard"))
    store.record(said("102.0"))

    assert store.forget(_moment(days=1)) == 0
    assert [m.ts for m in store.unfinished()] == ["102.0"]


def test_attempts_at_a_message_are_counted_over_restarts(store: SqlStore, store_url: str) -> None:
    store.record(said("100.0"))
    assert store.begin(said("100.0")) == 1

    restarted = open_store(store_url)

    assert restarted.begin(said("100.0")) == 2
    restarted.close()


def test_a_reply_is_kept_until_its_message_is_finished(store: SqlStore, store_url: str) -> None:
    reply = {"parts": [{"markdown": "年假 <15>", "small_print": ["[1] a.md"], "rated": True}], "remembered": ""}
    store.record(said("100.0"))
    assert store.kept(said("100.0")) is None
    store.keep(said("100.0"), {"parts": []})
    store.keep(said("100.0"), reply)

    restarted = open_store(store_url)
    assert restarted.kept(said("100.0")) == reply
    restarted.finish(said("100.0"), None)
    restarted.close()

    assert store.kept(said("100.0")) is None


def test_of_each_person_the_latest_word_on_a_reply_counts(store: SqlStore) -> None:
    first = Feedback("C1", "101.0", "U1", "good", _moment(days=-2))
    other = Feedback("C1", "101.0", "U2", "good", _moment(days=-1))
    second = Feedback("C1", "101.0", "U1", "bad", _moment(days=0))
    for feedback in (first, other, second):
        store.rate(feedback)

    assert store.ratings() == [other, second]
