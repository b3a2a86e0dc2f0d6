"""Statements, settling of drafts, wording."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.knowledge_base import knowledge_base
from retrieval.answer.check import Checker
from retrieval.answer.prose import Quoted, prose
from retrieval.answer.settle import settle
from retrieval.answer.statements import Statement, statements
from retrieval.answer.wording import notice, refusal, unavailable
from retrieval.types import (
    Answer,
    Candidate,
    Citation,
    Draft,
    Evidence,
    ExtractedQuery,
    Kind,
    Passage,
    Quote,
    Refusal,
    Viewer,
)

QUERY = ExtractedQuery("q", "en")


def evidence(*texts: str) -> list[Evidence]:
    return [
        Evidence(Candidate(Passage(n, f"c{n}", text, f"d{n}.md", "D", 1, n), 0.5, 1.0, 0.5), 0.9)
        for n, text in enumerate(texts, start=1)
    ]


@pytest.fixture
def lockers_manual() -> Iterator[Draft]:
    """What is quoted on how to open a locker."""
    manual = "# Lockers\n\nTo open a locker:\n\n1. Turn the key twice.\n2. Pull the door.\n3. Empty the locker.\n"
    with knowledge_base({"lockers.md": manual}) as footnote:
        query, hits = footnote.pipeline.search("How do I open a locker?", Viewer(), 5)
        yield footnote.pipeline.answerer.compose(query, hits)


def test_table_rows_read_with_their_headers() -> None:
    table = "| City | Limit |\n|---|---|\n| **Porto** | 120 € |\n| Lyon |  |"

    assert statements(table) == [
        Statement("City: Porto; Limit: 120 €", "item", subject="Porto"),
        Statement("City: Lyon", "item", subject="Lyon"),
    ]


def test_an_answer_below_a_question_knows_the_question_and_the_question_states_nothing() -> None:
    faq = "My laptop was stolen. Who must know?\nCall the IT desk at once.\n\nCan I bring my dog?\nYes, on Fridays."

    assert [(s.text, s.context) for s in statements(faq)] == [
        ("Call the IT desk at once.", "My laptop was stolen. Who must know?"),
        ("Yes, on Fridays.", "Can I bring my dog?"),
    ]


def test_items_know_their_lead_in() -> None:
    assert statements("On your first day you receive:\n- a badge")[1] == Statement(
        "a badge", "item", "On your first day you receive:"
    )


def test_half_a_sentence_at_the_start_of_a_passage_is_not_quoted() -> None:
    assert [s.text for s in statements("of the managing director. Checked baggage is paid for.")] == [
        "Checked baggage is paid for."
    ]


def test_list_items_lose_their_markers_and_wrapped_lines_are_joined() -> None:
    text = "Bring with you:\n- a badge\n  that is valid\n2. the form. Signed.\n\nThe desk is\nopen daily."

    assert [s.text for s in statements(text)] == [
        "Bring with you:", "a badge that is valid", "the form. Signed.", "The desk is open daily.",
    ]  # fmt: skip


def test_steps_of_a_procedure_are_quoted_in_their_order(lockers_manual: Draft) -> None:
    assert lockers_manual.text == "1. Turn the key twice. [1]\n2. Pull the door. [1]\n3. Empty the locker. [1]"


def test_code_is_quoted_with_the_line_that_leads_to_it() -> None:
    assert [s.text for s in statements("Stop it first. To restart, run:\n\n```sh\nwombat restart\n```")] == [
        "Stop it first.",
        "To restart, run:\n```sh\nwombat restart\n```",
    ]


def test_code_blocks_stay_whole() -> None:
    assert statements("Twice.\n```sh\nmake setup\nmake demo\n```")[1] == Statement(
        "```sh\nmake setup\nmake demo\n```", "code"
    )


def test_questions_state_nothing() -> None:
    assert [s.text for s in statements("How many days? You get 25 days. 几天？十五天。")] == [
        "You get 25 days.",
        "十五天。",
    ]


def test_a_sources_own_reference_numbers_cannot_pass_for_marks() -> None:
    assert statements("Rust was found on 14 of 30 valves [2]. Leaks on 9 [5, 6].")[0].text.endswith("valves (2).")


class Unconvinced:
    """A verifier that finds nothing supported: what is shown then are quotes."""

    name = "unconvinced"

    def supports(self, claims: Sequence[tuple[str, str]]) -> list[float]:
        return [0.0 for _ in claims]


def settled(draft: Draft, passages: list[Evidence]) -> Answer | Refusal:
    return settle(draft, Checker(Unconvinced()).check(draft, passages, QUERY), passages, QUERY)


def test_marks_are_renumbered_by_first_use_and_cite_their_passages() -> None:
    draft = Draft("Gates open at six. [3] Badges are free. [1] Gates again. [3]", (Quote("Gates open at six.", 2),))

    reply = settled(draft, evidence("Badges are free.", "b", "Gates open at six. Gates again."))

    assert isinstance(reply, Answer)
    assert reply.text == "Gates open at six [1]. Badges are free [2]. Gates again [1]."
    assert [(c.n, c.passage.number, c.quotes) for c in reply.citations] == [
        (1, 3, ("Gates open at six.",)), (2, 1, ()),
    ]  # fmt: skip


def test_marks_without_evidence_go_and_a_draft_that_cites_nothing_is_refused() -> None:
    assert settled(Draft("Free. [7][1]"), evidence("Free.")) == Answer(
        "Free [1].", (Citation(1, evidence("Free.")[0].passage, ("Free.",)),)
    )
    assert settled(Draft("Free. [7]"), evidence("Paid.")) == refusal("unsupported", "en")
    assert settled(Draft("", answerable=False), evidence("a")) == refusal("model_declined", "en")


_scraps = st.lists(
    st.sampled_from(["`", "``", "```", "~~~", "word", "[1]", "[2]", ".", " ", "\n", "- ", "| a | b |\n", "`rows[1]`"]),
    max_size=12,
).map("".join)


@given(_scraps, _scraps)
def test_whatever_the_passages_hold_each_quote_is_cited_to_its_own(first: str, second: str) -> None:
    passages = evidence(f"Alpha {first}", f"Beta {second}")
    quotes = [Quoted(s, place) for place, e in enumerate(passages) for s in statements(e.passage.text)]

    reply = settled(Draft(prose(quotes), tuple(Quote(q.statement.text, q.evidence) for q in quotes)), passages)

    assert isinstance(reply, Answer)
    assert [(c.n, c.passage.number) for c in reply.citations] == [(1, 1), (2, 2)]


def test_indexes_in_code_are_not_citations() -> None:
    code = "Use `rows[1]`:\n```\ngrid[2][0]\n```"

    reply = settled(Draft(f"{code}\n[1]"), evidence(code))

    assert isinstance(reply, Answer)
    assert "`rows[1]`" in reply.text
    assert "grid[2][0]" in reply.text
    assert [c.n for c in reply.citations] == [1]


@pytest.mark.parametrize("text", ["no marks", "one that is not cited [2]", "missing the cited one"])
def test_an_answer_whose_marks_and_citations_differ_cannot_be_made(text: str) -> None:
    with pytest.raises(ValueError, match="cites"):
        Answer(text, (Citation(1, evidence("a")[0].passage),))


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "I can't answer this from the current knowledge base."),
        ("pt", "Não consigo responder a isto com a base de conhecimento atual."),
        ("fr", "Je ne peux pas répondre à cela avec la base de connaissances actuelle."),
        ("zh", "当前知识库无法回答这个问题。"),
        ("th", "I can't answer this from the current knowledge base."),
    ],
)
def test_the_refusal_is_in_the_askers_language_and_else_in_english(lang: str, text: str) -> None:
    assert refusal("below_floor", lang) == Refusal("below_floor", text)


def test_an_empty_knowledge_base_is_told_apart() -> None:
    assert "/kb upload" in refusal("knowledge_base_empty", "fr").text


@pytest.mark.parametrize(
    ("kind", "reason"),
    [(Kind.GREETING, "small_talk"), (Kind.SMALL_TALK, "small_talk"), (Kind.HELP, "help"),
     (Kind.EMPTY, "empty_question"), (Kind.UNCLEAR, "clarify")],
)  # fmt: skip
def test_messages_that_ask_for_nothing_get_a_notice(kind: Kind, reason: str) -> None:
    assert notice(ExtractedQuery("", "en", kind=kind)).reason == reason


def test_a_greeting_is_returned_and_thanks_are_not_greeted() -> None:
    assert notice(ExtractedQuery("hi", "en", kind=Kind.GREETING)).text.startswith("Hello!")
    assert notice(ExtractedQuery("thanks", "en", kind=Kind.SMALL_TALK)).text.startswith("Happy to help!")


def test_an_outage_names_its_incident_and_is_no_refusal() -> None:
    reply = unavailable("de", "ab12cd34")

    assert reply.reason == "service_unavailable"
    assert "ab12cd34" in reply.text
