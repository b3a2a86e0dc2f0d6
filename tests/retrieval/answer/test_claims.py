"""Answers to statements and back."""

from hypothesis import given
from hypothesis import strategies as st

from retrieval.answer.citations import read
from retrieval.answer.claims import Claim, below, cited, lines_of, put_together


def claims(answer: str) -> list[Claim]:
    return [claim for line in lines_of(read(answer)) for claim in line.claims]


def said(answer: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(claim.text, claim.cites) for claim in claims(answer)]


def test_sentences_are_statements_with_their_own_marks() -> None:
    assert said("The **fee** is 20 euros [1]. It is due in May [2][3].") == [
        ("The fee is 20 euros.", (1,)),
        ("It is due in May.", (2, 3)),
    ]
    assert said("年假为十五天【1】。须提前申请【2】。") == [("年假为十五天。", (1,)), ("须提前申请。", (2,))]


def test_a_word_of_agreement_goes_with_its_neighbour() -> None:
    assert said("Yes, of course. Dogs are allowed [1].") == [("Yes, of course. Dogs are allowed.", (1,))]
    assert said("须提前申请【1】。是的。") == [("须提前申请。是的。", (1,))]


def test_a_number_that_counts_goes_with_what_it_counts() -> None:
    assert said("Turn the key. 2. Pull the door [1].") == [("Turn the key.", ()), ("Pull the door.", (1,))]


def test_table_rows_read_with_their_header() -> None:
    found = claims("| Office | Days |\n|---|---|\n| Lisbon | 22 [1] |\n| Lyon | 25 [2] |")

    assert [(claim.role, claim.text, claim.cites) for claim in found] == [
        ("row", "Office: Lisbon; Days: 22", (1,)),
        ("row", "Office: Lyon; Days: 25", (2,)),
    ]


def test_code_is_one_statement_and_its_marks_stand_below_it() -> None:
    found = claims("Run this:\n```sh\nls -l a[1]\n```\n[2]")

    assert [(claim.role, claim.cites) for claim in found] == [("lead", ()), ("code", (2,))]


def test_items_stand_under_their_headings_and_lead_ins() -> None:
    found = claims("## Leave\n\nThere are two kinds:\n- paid [1]\n- unpaid [2]\n\nAsk early [1].")

    assert [(claim.role, claim.context) for claim in found] == [
        ("heading", ""),
        ("lead", "Leave"),
        ("statement", "Leave There are two kinds:"),
        ("statement", "Leave There are two kinds:"),
        ("statement", "Leave"),
    ]


def test_a_lead_in_announces_what_is_deeper() -> None:
    lines = lines_of("Pay by:\n- card\n  - chip\n- cash\n\nThen go.")

    assert [lines[at].claims[0].text for at in below(lines, 0)] == ["card", "chip", "cash"]


def test_a_sentence_that_runs_over_lines_is_one() -> None:
    assert said("A first line that runs\nover to the next [1].") == [
        ("A first line that runs\nover to the next.", (1,))
    ]


def test_marks_are_set_where_statements_end() -> None:
    answer = "Open daily [1]. 须提前申请【1】。\n- item\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nls\n```"

    shown = [cited(claim, (7, 8)).shown.strip() for claim in claims(answer)]

    assert shown == [
        "Open daily [7][8].", "须提前申请[7][8]。", "item [7][8]", "| 1 | 2 [7][8] |", "```\nls\n```\n[7][8]",
    ]  # fmt: skip


@given(
    st.lists(st.sampled_from(["# H", "A b c. D e f [1].", "- x y:", "  - z [2]", "| a |", "|---|", "", "```", "Yes."]))
)
def test_an_answer_is_put_together_as_it_was(lines: list[str]) -> None:
    answer = read("\n".join(lines))

    assert put_together(lines_of(answer)) == put_together(lines_of(put_together(lines_of(answer))))
    assert put_together(lines_of(answer)).split() == answer.split()
