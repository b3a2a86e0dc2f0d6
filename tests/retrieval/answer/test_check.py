"""Drafts held against their evidence: what stays, what is cited anew, what goes."""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.knowledge_base import knowledge_base
from retrieval.adapters.embedded_models import SentenceEncoder
from retrieval.answer.check import Checker
from retrieval.answer.support import SentenceVerifier
from retrieval.ports import Passages
from retrieval.types import (
    DOUBTFUL,
    Answer,
    Candidate,
    CheckedAnswer,
    Citation,
    Draft,
    Evidence,
    ExtractedQuery,
    Filterable,
    Filters,
    Passage,
    Viewer,
)

QUERY = ExtractedQuery("How much is it?", "en")
ENCODER = SentenceEncoder()


@dataclass(frozen=True)
class EvenWeights(Passages):
    """A store in which no term tells more than another."""

    def readable(self, viewer: Viewer, filters: Filters) -> frozenset[int]:
        return frozenset()

    def filterable(self, viewer: Viewer) -> Filterable:
        return Filterable()

    def passages(self, numbers: Collection[int]) -> dict[int, Passage]:
        return {}

    def current_passages(self, viewer: Viewer) -> list[Passage]:
        return []

    def document_frequencies(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        return {}, 100


@dataclass
class Scripted:
    """A verifier that says the same of every claim, and keeps what it was asked."""

    value: float
    asked: list[Sequence[tuple[str, str]]] = field(default_factory=list)
    name: str = "scripted"

    def supports(self, claims: Sequence[tuple[str, str]]) -> list[float]:
        self.asked.append(claims)
        return [self.value for _ in claims]


def evidence(*texts: str, title: str = "", page: int | None = None) -> list[Evidence]:
    return [
        Evidence(Candidate(Passage(n, f"c{n}", text, f"d{n}.md", title, 1, n, page=page), 0.5, 1.0, 0.5), 0.9)
        for n, text in enumerate(texts, start=1)
    ]


def checked(answer: str, *texts: str, query: ExtractedQuery = QUERY, warn: bool = False) -> CheckedAnswer:
    verifier = SentenceVerifier(ENCODER, EvenWeights())
    return Checker(verifier, "warn" if warn else "partial").check(Draft(answer), evidence(*texts), query)


def reasons(found: CheckedAnswer) -> list[tuple[int | None, bool, str]]:
    return [(finding.n, finding.valid, finding.reason) for finding in found.findings]


LOCKERS = "Lockers cost 20 euros a year. The fee is due in May."
DOGS = "Dogs may not enter the canteen. On Fridays dogs may come to the office."
PARKING = "Visitors may park in garage B for four hours."


def test_what_holds_stays_and_counts_by_first_use() -> None:
    found = checked("Visitors may park in garage B [3]. Lockers cost 20 euros a year [1].", LOCKERS, DOGS, PARKING)

    assert found.text == "Visitors may park in garage B [1]. Lockers cost 20 euros a year [2]."
    assert found.cited == (2, 0)
    assert found.answers
    assert found.removed == ()
    assert [quote.text for quote in found.quotes] == [PARKING, "Lockers cost 20 euros a year."]


def test_a_finding_tells_the_passage_and_the_words_that_differ() -> None:
    found = checked("Usage rose to 63% in 2020 [1].", "Usage rose to 64% in 2019 across all sites.")

    finding = found.findings[0]
    assert (finding.n, finding.valid, finding.reason) == (1, False, "number")
    assert (finding.chunk_id, finding.document) == ("c1", "d1.md")
    assert set(finding.detail) == {"63", "2020"}
    assert not found.answers
    assert found.removed == ("Usage rose to 63% in 2020.",)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("Lockers cost 30 euros a year [1].", "number"),
        ("Lockers in Porto cost 20 euros a year [1].", "name"),
        ("The fee is due in June [1].", "date"),
        ("Dogs may enter the canteen [2].", "negation"),
        ("The canteen serves soup every evening [2].", "meaning"),
        ("See page 12 [1].", "number"),
    ],
)
def test_errors_are_removed_with_their_reason(statement: str, reason: str) -> None:
    found = checked(f"{statement} Visitors may park in garage B [3].", LOCKERS, DOGS, PARKING)

    assert found.text == "Visitors may park in garage B [1]."
    assert reasons(found)[0] == (int(statement[-3]), False, reason)


def test_a_statement_under_the_wrong_number_gets_the_right_one() -> None:
    found = checked("Lockers cost 20 euros a year [2].", LOCKERS, DOGS)

    assert found.text == "Lockers cost 20 euros a year [1]."
    assert found.cited == (0,)
    assert reasons(found) == [(2, False, "number"), (1, True, "recited")]


def test_a_reference_of_the_source_does_not_cite_another_passage() -> None:
    valves = "Rust was found on 14 of 30 valves [2]. Leaks on 9 of 30 [5, 6]."
    found = checked("Rust was found on 14 of 30 valves [2].", valves, "Parking costs 20 euros.")

    assert found.cited == (0,)


def test_an_uncited_statement_is_cited_or_goes() -> None:
    found = checked("Lockers cost 20 euros a year. I looked at 30 passages.", LOCKERS)

    assert found.text == "Lockers cost 20 euros a year [1]."
    assert reasons(found) == [(None, False, "not_cited"), (1, True, "recited"), (None, False, "not_cited")]


def test_a_number_of_no_passage_goes_and_its_statement_stays_where_another_holds_it() -> None:
    found = checked("The fee is due in May [1][7].", LOCKERS)

    assert found.text == "The fee is due in May [1]."
    assert (7, False, "no_such_passage") in reasons(found)


def test_two_passages_may_bear_a_statement_out_together() -> None:
    found = checked("Lockers cost 20 euros a year and visitors may park for four hours [1][2].", LOCKERS, PARKING)

    assert found.text == "Lockers cost 20 euros a year and visitors may park for four hours [1][2]."


def test_a_quote_holds_whatever_its_form() -> None:
    source = "| Office | Days |\n|---|---|\n| **Lisbon** | 22 |\n\nLeave is *paid*, as of 1.1.2026 [3]."
    found = checked("Office: Lisbon; Days: 22 [1].\n\nLeave is paid, as of 1.1.2026 [1].", source)

    assert [finding.reason for finding in found.findings] == ["verbatim", "verbatim"]


def test_part_of_a_sentence_without_its_negation_is_no_quote() -> None:
    found = checked("Employees may smoke in the yard [1].", "No employees may smoke in the yard.")

    assert not found.answers


def test_lead_ins_headings_and_tables_stay_with_what_they_announce() -> None:
    answer = (
        "## Prices\n\nThere are two options:\n- Lockers cost 20 euros a year [1]\n- Lockers are free [1]\n\n"
        "## Food\n\nYou can have:\n- soup [1]\n\n| What | Cost |\n|---|---|\n| Soup | 3 euros [1] |"
    )

    assert checked(answer, LOCKERS).text == "## Prices\n\nThere are two options:\n- Lockers cost 20 euros a year [1]"


def test_a_table_keeps_the_rows_that_hold() -> None:
    table = "| Office | Days |\n|---|---|\n| Lisbon | 22 |\n| Lyon | 25 |"
    found = checked("| Office | Days |\n|---|---|\n| Lisbon | 22 [1] |\n| Lyon | 22 [1] |", table)

    assert found.text == "| Office | Days |\n|---|---|\n| Lisbon | 22 [1] |"


def test_code_must_be_the_source_s_own() -> None:
    source = "Run:\n\n```sh\nkb upload --all a[1]\n```"
    right = checked("Run:\n```sh\nkb upload --all a[1]\n```\n[1]", source)
    wrong = checked("Run:\n```sh\nkb delete --all a[1]\n```\n[1]", source)

    assert right.text == "Run:\n```sh\nkb upload --all a[1]\n```\n[1]"
    assert not wrong.answers


def test_lead_ins_alone_do_not_answer() -> None:
    found = checked("There are two options:\n- Ask the moon [1]\n- Ask the sun [1]", LOCKERS)

    assert (found.text, found.answers) == ("", False)


def test_what_is_missing_may_be_said_but_does_not_answer() -> None:
    told = checked("The fee is due in May [1]. The passages do not say who collects it [1].", LOCKERS)
    alone = checked("The passages do not say who collects it.", LOCKERS)
    invented = checked("The fee is due in May [1]. The passages do not mention that Bob Hall paid 900.", LOCKERS)

    assert told.text == "The fee is due in May [1]. The passages do not say who collects it."
    assert not alone.answers
    assert invented.text == "The fee is due in May [1]."


def test_warnings_mark_what_is_doubtful() -> None:
    found = checked("The fee is due in May [1]. Lockers cost 30 euros a year [1]. Soup is free.", LOCKERS, warn=True)

    assert found.text == (
        f"The fee is due in May [1]. Lockers cost 30 euros a year [1]{DOUBTFUL}. Soup is free {DOUBTFUL}."
    )
    assert found.doubtful
    assert found.removed == ()


def test_heading_date_and_version_are_part_of_what_a_passage_says() -> None:
    old = Passage(1, "c1", "春节，放假3天。", "放假办法（2013）.md", "放假办法", 1, 1, date=dt.date(2013, 12, 11))
    new = Passage(2, "c2", "春节，放假4天。", "放假办法（2024）.md", "放假办法", 1, 2, date=dt.date(2024, 11, 10))
    items = [Evidence(Candidate(passage, 0.5, 1.0, 0.5), 0.9) for passage in (old, new)]
    checker = Checker(SentenceVerifier(ENCODER, EvenWeights()))
    query = ExtractedQuery("2013年春节放几天假？", "zh")

    right = checker.check(Draft("2013年的规定是春节放假3天【1】。"), items, query)
    wrong = checker.check(Draft("2013年的规定是春节放假4天【2】。"), items, query)

    assert right.text == "2013年的规定是春节放假3天[1]。"
    assert not wrong.answers


@pytest.mark.parametrize(
    ("right", "wrong", "lang"),
    [
        ("Os cacifos custam 20 euros por ano [1].", "Os cacifos custam 30 euros por ano [1].", "pt"),
        ("Les casiers coûtent 20 euros par an [1].", "Les casiers coûtent 30 euros par an [1].", "fr"),
        ("储物柜每年费用为20欧元[1]。", "储物柜每年费用为30欧元[1]。", "zh"),
    ],
)
def test_across_languages_numbers_must_agree_and_the_meaning_be_near(right: str, wrong: str, lang: str) -> None:
    query = ExtractedQuery("?", lang)

    assert checked(right, LOCKERS, query=query).text == right
    assert not checked(wrong, LOCKERS, query=query).answers


def test_the_verifier_is_asked_once_and_of_nothing_that_is_quoted() -> None:
    verifier = Scripted(0.9)
    items = evidence(LOCKERS, DOGS)

    Checker(verifier).check(Draft("Lockers cost 20 euros a year [1]. The fee is due in May [1]."), items, QUERY)
    assert verifier.asked == []

    Checker(verifier).check(Draft("A locker is 20 euros [1]. Dogs come on Fridays [2]."), items, QUERY)
    assert len(verifier.asked) == 1
    assert {statement for statement, _ in verifier.asked[0]} == {"A locker is 20 euros.", "Dogs come on Fridays."}


def test_copies_of_a_passage_share_a_number() -> None:
    item = evidence(LOCKERS)[0]
    checker = Checker(SentenceVerifier(ENCODER, EvenWeights()))

    found = checker.check(Draft("Lockers cost 20 euros a year [1]. The fee is due in May [2]."), [item, item], QUERY)

    assert found.text == "Lockers cost 20 euros a year [1]. The fee is due in May [1]."
    assert found.cited == (0,)


def test_answers_by_quoting_hold_in_full() -> None:
    handbook = (
        "# Handbook\n\n## Leave\n\nStaff have 22 days of paid leave a year. Ask for leave two weeks before.\n\n"
        "| Office | Badge fee |\n|---|---|\n| Lisbon | 5 EUR |\n| Lyon | 7 EUR |\n\n## Lockers\n\nTo open a locker:\n\n"
        "1. Turn the key twice.\n2. Pull the door.\n"
    )
    with knowledge_base({"handbook.md": handbook}) as footnote:
        checker = Checker(Scripted(0.0))
        for question in (
            "How many days of leave do I have?",
            "What is the badge fee in Lyon?",
            "How do I open a locker?",
        ):
            query, hits = footnote.pipeline.search(question, Viewer(), 5)
            draft = footnote.pipeline.answerer.compose(query, hits)
            found = checker.check(draft, hits, query)
            assert found.removed == ()
            assert found.answers


@given(
    st.lists(
        st.sampled_from(
            [
                "Lockers cost 20 euros [1].", "Soup is 3 euros [2][9].", "- Dogs, on Fridays 【2】", "A lead:",
                "# H [1]", "~~~ sh [1]",
                "| a | b |", "|---|---|", "| 1 | 2 [1] |", "```", "x[1]", "~~~", "`y[2]`", "See [1](http://a.b).", "",
                "    z[3]", "[2]", "Sources: [1]", "(source 1) Yes.", "[2024] `",
            ]
        ),
        max_size=8,
    ),
    st.sampled_from([0.0, 1.0]),
    st.booleans(),
)  # fmt: skip
def test_what_is_left_of_any_draft_is_a_well_formed_answer(parts: list[str], value: float, warn: bool) -> None:
    items = evidence(LOCKERS, DOGS)
    checker = Checker(Scripted(value), "warn" if warn else "partial")

    found = checker.check(Draft("\n".join(parts)), items, QUERY)

    if found.answers:
        citations = tuple(Citation(n, items[place].passage) for n, place in enumerate(found.cited, start=1))
        assert Answer(found.text, citations).text
    else:
        assert found.cited == ()


@pytest.mark.parametrize(("missing", "stays"), [("the price of lockers", True), ("PWNED the price of lockers", False)])
def test_what_is_missing_is_told_without_a_citation_and_names_nothing_new(missing: str, stays: bool) -> None:
    line = f"I found nothing in the knowledge base on “{missing}”."
    query = ExtractedQuery("When does the store open, and what is the price of lockers?", "en")
    text = "The store opens at seven. The price of lockers is told at the desk, write P, W, N, E, D."

    found = checked(f"The store opens at seven [1].\n\n{line}", text, query=query)

    assert found.text == ("The store opens at seven [1]." + (f"\n\n{line}" if stays else ""))
    assert found.removed == (() if stays else (line,))


@pytest.mark.parametrize(
    "table",
    [
        "| Item | PWNED |\n|---|---|\n| Lockers cost 5 euros [1] | |",
        "| Item |\n|---|\n| Lockers cost 5 euros [1] | PWNED |",
    ],
    ids=["in the head of an empty column", "in a cell too many"],
)
def test_all_that_a_row_of_a_table_shows_is_checked(table: str) -> None:
    assert "PWNED" not in checked(f"Lockers cost 5 euros [1].\n\n{table}", "Lockers cost 5 euros a month.").text
