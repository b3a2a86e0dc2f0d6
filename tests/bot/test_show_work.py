"""The button under a reply opens a window that shows how it was found, as far as one may see that."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from bot import limits
from bot.show_work import LOOKING, NOT_THERE
from bot.work_view import work_view
from retrieval.adapters.sql import SqlStore
from retrieval.audit import record
from retrieval.types import Candidate, Evidence, ExtractedQuery, Filters, Missing, Past, Trace, Viewer
from tests.bot.scripted import Scripted, running_bot
from tests.retrieval.adapters.new_versions import new_version
from tests.retrieval.auditing import DAY, answered, asked, checked, evidence, finding, passage, refused
from tests.running_workspace import running_workspace, wait_for

OPEN, SECRET = "Leave is 26 days <!channel> https://evil.example *bold*.", "The boss earns 9,000."


@pytest.fixture(scope="module")
def store(scripted: Scripted) -> SqlStore:
    """With an open document, whose passage is number 1, and one for admins, whose passage is number 2."""
    store = cast(SqlStore, scripted.deliveries)
    store.publish(new_version("handbook.md", OPEN))
    store.publish(replace(new_version("pay.md", SECRET), visibility="admins"))
    return store


@pytest.fixture
def traced(scripted: Scripted, store: SqlStore) -> Iterator[Scripted]:
    """The bot, made to have read both."""
    found = store.passages([1, 2])
    used = tuple(Evidence(Candidate(found[number], 0.7, 12.5, 0.75), 0.83) for number in (1, 2))
    out = finding("The boss earns 9,500.", 2, "number", "9,500")
    scripted.pipeline.trace = Trace(
        searched=(ExtractedQuery("annual leave", "en", expansions=("days off",), filters=Filters(("pay.md",))),),
        candidates=used,
        floor=0.5,
        used=used,
        draft="26 days [1]. The boss earns 9,500 [2].",
        checked=checked(finding("26 days.", 1, "supported"), out, removed=[out.statement]),
        models={"answers": "Qwen3-4B"},
        generation=2,
    )
    yield scripted
    scripted.pipeline.trace = Trace()


def pressed(scripted: Scripted, channel: str, ts: str, user: str) -> str:
    """All that the window says in the end."""
    (reply,) = wait_for(lambda: scripted.workspace.replies_of_bot(channel, ts))
    body = {"channel": channel, "user": user, "ts": reply["ts"], "action_id": "show_work"}
    (view,) = scripted.workspace.control("actions", body)["views"]
    return wait_for(lambda: filled(scripted.workspace.control(f"views/{view}")))


def filled(view: dict[str, Any]) -> str:
    said = said_in(view)
    return "" if said == LOOKING else said


def said_in(view: dict[str, Any]) -> str:
    texts = (text for block in view["blocks"] for text in [block.get("text"), *block.get("elements", [])] if text)
    return "\n".join(text["text"] for text in texts)


def ask(scripted: Scripted, channel: str, user: str, text: str) -> str:
    ts = scripted.say(channel, user, text)
    wait_for(lambda: scripted.audit.find(channel, ts))
    return ts


def test_an_answers_window_shows_the_search_the_passages_with_scores_and_what_was_dropped(traced: Scripted) -> None:
    ts = ask(traced, "D0ADMIN", "U0ADMIN", "how many days?")

    said = pressed(traced, "D0ADMIN", ts, "U0ADMIN")

    for part in (
        "• annual leave", "also as: days off", "only in: pay.md", "2 passages",
        "*handbook.md (v1), Part &gt; No. 0, page 1*",
        "cited as [1]; relevance 0.83, meaning 0.70, keywords 12.5", "read, not cited", SECRET,
        "1 statement of my draft held against what it cites, 1 did not.", "Left out: “The boss earns 9,500.”",
        "does not give that number", "answers by Qwen3-4B", "state 2 of the documents",
    ):  # fmt: skip
        assert part in said, part


def test_who_may_not_see_a_document_sees_nothing_of_it_nor_of_what_was_made_from_it(traced: Scripted) -> None:
    ts = ask(traced, "C0HR", "U0ALICE", "@footnote how many days?")

    for user in ("U0ALICE", "U0BOB", "U0ADMIN"):  # a channel is read by everyone
        said = pressed(traced, "C0HR", ts, user)

        assert "handbook.md" in said
        assert "Some of what I looked at is not shown" in said
        assert not any(secret in said for secret in ("pay.md", "boss", "9,000", "9,500"))


def test_a_window_holds_no_ping_no_link_and_no_mark_up_of_a_document(traced: Scripted) -> None:
    ts = ask(traced, "C0HR", "U0ALICE", "@footnote <!channel> how many days?")

    said = pressed(traced, "C0HR", ts, "U0ALICE")

    assert "Leave is 26 days &lt;!channel&gt;" in said
    assert not any(live in said for live in ("<!channel>", "https://evil.example", "*bold*"))


def test_a_refusals_window_says_why_and_what_was_looked_at(traced: Scripted) -> None:
    ts = ask(traced, "D0ADMIN", "U0ADMIN", "please refuse this")

    said = pressed(traced, "D0ADMIN", ts, "U0ADMIN")

    assert "close enough to the question" in said
    assert "Where no passage reaches 0.50, I do not answer." in said
    assert "handbook.md" in said


def test_an_apology_has_no_such_button(scripted: Scripted) -> None:
    reply = scripted.reply("D0ALICE", "U0ALICE", "boom")

    assert "How I found this" not in reply["plain"]


def test_a_record_that_is_forgotten_is_told_kindly(traced: Scripted) -> None:
    ts = ask(traced, "D0BOB", "U0BOB", "will you remember me?")
    traced.audit.forget_person("U0BOB")

    assert pressed(traced, "D0BOB", ts, "U0BOB") == NOT_THERE


def test_a_guest_in_the_channel_is_declined(traced: Scripted) -> None:
    ts = ask(traced, "C0GENERAL", "U0ALICE", "@footnote how many days?")

    said = pressed(traced, "C0GENERAL", ts, "U0GUEST")

    assert "only talk with its members" in said
    assert "handbook" not in said


def test_where_slack_does_not_say_who_presses_nothing_is_shown_but_an_incident(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        ts = ask(scripted, "C0GENERAL", "U0ALICE", "@footnote how many days?")
        workspace.control("faults", {"kind": "error", "method": "users.info", "error": "missing_scope"})

        said = pressed(scripted, "C0GENERAL", ts, "U0BOB")

    assert said.startswith("Sorry, I could not look that up (incident")


def test_who_is_no_admin_any_more_sees_nothing_of_what_an_admin_was_answered() -> None:
    kept = record(asked(labels=("admins", "everyone")), answered(evidence(1)))

    said = said_in(work_view(kept, {1: passage(1)}, Viewer()))

    assert "may see more documents" in said
    assert "leave" not in said


def test_a_window_stays_within_slacks_limits_whatever_is_in_the_record() -> None:
    long = "&<>*@`~ https://evil.example/x " * 300
    statements = [f"{n} {long}" for n in range(60)]
    query = ExtractedQuery(long, "en", long, expansions=(long,) * 9, criteria=(long,) * 9)
    outcome = answered(
        *(evidence(n, text=long, document=long) for n in range(1, 70)),
        searched=(query,) * 9,
        checked=checked(*(finding(s, 1, "number", long) for s in statements), removed=statements),
        models={str(n): long for n in range(9)},
    )
    kept = record(asked(), replace(outcome, missing=tuple(Missing)))

    view = work_view(kept, {n: passage(n, long, long) for n in range(1, 70)}, Viewer())

    texts = [block["text"]["text"] for block in view["blocks"] if block["type"] == "section"]
    assert len(view["blocks"]) <= 100
    assert all(0 < len(text) <= limits.TEXT_OBJECT_CHARS for text in texts)
    assert len(view["title"]["text"]) <= 24
    assert "https://evil" not in said_in(view)


def test_filters_and_parts_are_shown_as_they_were_searched_for() -> None:
    filters = Filters(tags=("hr",), since=DAY.date())
    one = ExtractedQuery("leave", "en", filters=filters, ranking="newest", criteria=("from the document a.md", "short"))
    kept = record(asked(), replace(answered(evidence(1), searched=(one, ExtractedQuery("lunch", "en")))))

    said = said_in(work_view(kept, {1: passage(1)}, Viewer()))

    for part in ("• leave", "• lunch", "only what is tagged: hr", "dated 2026-03-02 to …", "newest first", "short"):
        assert part in said, part


@pytest.mark.parametrize(
    ("past", "says"),
    [
        (Past(version=1, alone=True), "instead of the current version of a document, the one v1"),
        (Past(version=-1), "beside the current version of a document, the one before the current one"),
        (Past(as_of=dt.date(2024, 3, 31)), "beside the current version of a document, the one in force on 2024-03-31"),
    ],
)
def test_versions_of_the_past_that_were_searched_are_told(past: Past, says: str) -> None:
    query = ExtractedQuery("leave", "en", filters=Filters(past=past))
    kept = record(asked(), answered(evidence(1), searched=(query,)))

    assert says in said_in(work_view(kept, {1: passage(1)}, Viewer()))


def test_a_document_that_is_not_shown_is_not_named_as_a_filter_or_a_wish_either() -> None:
    wished = ExtractedQuery("pay", "en", filters=Filters(documents=("pay.md",)))
    loosened = ExtractedQuery("pay", "en", criteria=("from the document pay.md",))
    kept = record(asked(), replace(refused("pay"), query=wished, trace=Trace(searched=(wished, loosened))))

    said = said_in(work_view(kept, {}, Viewer()))

    assert "only in: documents that are not shown" in said
    assert "pay.md" not in said
