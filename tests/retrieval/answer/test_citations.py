"""Reading citations, in whatever form a model gives them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.answer.citations import marks, read, renumbered
from retrieval.types import MARK, outside_code


def shown(answer: str, sources: int) -> str:
    """The answer with the marks of those sources only."""
    return renumbered(read(answer), {n: n for n in range(1, sources + 1)})


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("Badges are free [1, 3]. Lockers cost 5 euros [2,3].", "Badges are free [1][3]. Lockers cost 5 euros [2][3]."),
        ("Opening hours [1-3].", "Opening hours [1][2][3]."),
        ("Opening hours [1–2; 4].", "Opening hours [1][2][4]."),
        ("Open on Friday [1 and 2].", "Open on Friday [1][2]."),
        ("Open on Friday [1 to 3].", "Open on Friday [1][2][3]."),
        ("Open on Friday [1]–[3].", "Open on Friday [1][2][3]."),
        ("Open on Friday [1], [2] and [3].", "Open on Friday [1][2][3]."),
        (
            "年假为十五天【1】。须提前申请【2†制度】。由主管批准［3］。",
            "年假为十五天[1]。须提前申请[2]。由主管批准[3]。",
        ),
        ("Open【1†L3-L9】 daily", "Open [1] daily"),
        ("Visitors sign in [^1]. Dogs stay outside[^2].", "Visitors sign in [1]. Dogs stay outside [2]."),
        ("The fee is 5 (source 2). It is due (see sources 1 and 3).", "The fee is 5 [2]. It is due [1][3]."),
        ("A taxa é 5 (fonte 2). 费用为五元（来源1）。", "A taxa é 5 [2]. 费用为五元[1]。"),
        ("Die Gebühr beträgt 5 (Quelle 2).", "Die Gebühr beträgt 5 [2]."),
        ("Fees [Source 1][Source 2: Handbook, p. 3].", "Fees [1][2]."),
        ("The fee [1, Handbook p. 3] is 5.", "The fee [1] is 5."),
        ("Fees rise<sup>1,2</sup>. They fall ([3]).", "Fees rise [1][2]. They fall [3]."),
        (r"It costs 5 \[1\].", "It costs 5 [1]."),
        (
            "The form is online [1](https://evil.example/x?d=secret) and on paper [[2]](http://a.example).",
            "The form is online [1] and on paper [2].",
        ),
        ("Twice the same [1][1], [1].", "Twice the same [1]."),
    ],
)
def test_every_form_becomes_marks_of_one_number(answer: str, text: str) -> None:
    assert read(answer) == text


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("The fee is 5. [1] It is due in May. [2]", "The fee is 5 [1]. It is due in May [2]."),
        ("年假为十五天。[1]须提前申请。【2】", "年假为十五天[1]。须提前申请[2]。"),
        ("[1] The fee is 5. More follows.", "The fee is 5 [1]. More follows."),
        ("- [1] The fee is 5\n- Due in May [2]", "- The fee is 5 [1]\n- Due in May [2]"),
        ("The fee is 5.\n[1]", "The fee is 5 [1]."),
        ("**The fee is 5.** [1]", "**The fee is 5 [1].**"),
        ("| a | b |\n|---|---|\n| 1 | 2 | [1]\n| 3 | 4 [2] |", "| a | b |\n|---|---|\n| 1 | 2 [1] |\n| 3 | 4 [2] |"),
        ("Apple Inc. [1] is large.", "Apple Inc. [1] is large."),
    ],
)
def test_marks_stand_at_the_end_of_what_they_are_for(answer: str, text: str) -> None:
    assert read(answer) == text


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("In [2024] fees rose [1].", "In (2024) fees rose [1]."),
        ("From [1999-2003] on [1].", "From [1999-2003] on [1]."),
        ("A share in [0, 1] is given [1].", "A share in (0, 1) is given [1]."),
        ("Set arr[1] = 5 [2].", "Set `arr[1]` = 5 [2]."),
        ("Read grid[2][0] now[1].", "Read `grid[2][0]` now [1]."),
        ("Open ![1](https://img.example/p.png) daily [1].", "Open  daily [1]."),
    ],
)
def test_years_intervals_and_indexes_are_no_citations(answer: str, text: str) -> None:
    assert read(answer) == text


def test_text_in_code_is_untouched() -> None:
    answer = "Use `rows[1]` or:\n```python\ny = grid[2][0]\n```\nas shown in the guide [1]."

    assert read(answer) == answer
    assert marks(answer) == (1,)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("Run:\n~~~\na[1]\n~~~\nNow [1].", "```\na[1]\n```"),
        ("Run:\n```sh\na[1]", "```sh\na[1]\n```"),
        ("Run:\n\n    a[1]\n\nNow [1].", "```\na[1]\n```"),
        ("Use ``a ` b[1]`` and a stray ` here.", "`a ' b[1]`"),
        ("- Run\n  ```\n  a[1]\n  ```\n- Now [1]", "  ```\n  a[1]\n  ```"),
    ],
)
def test_code_of_any_form_is_code_for_all_who_look_for_marks(answer: str, code: str) -> None:
    text = read(answer)
    prose = outside_code(lambda part: part.replace("[1]", ""), text)

    assert code in text
    assert code in prose


def test_a_reference_copied_from_the_source_is_no_citation() -> None:
    source = "Rust was found on 14 of 30 valves [2]. Leaks on 9 of 30 [5, 6]."

    assert read("Rust was found on 14 of 30 valves [2] [1].", [source]) == "Rust was found on 14 of 30 valves (2) [1]."
    assert read("There was rust on 14 valves [2].", [source]) == "There was rust on 14 valves [2]."


@pytest.mark.parametrize(
    "answer",
    [
        "The limit is 5 days [1].\n\nReferences:\n[1] Smith, The Big Book of Leave, https://b.example/1\n[2] B",
        "The limit is 5 days [1].\n\n---\n**Sources**\n\n1. Handbook, page 3\n2. FAQ",
        "The limit is 5 days [1].\n\n## Fontes\n- [1] Manual, página 3",
        "The limit is 5 days [1].\n\n[1]: https://b.example/1",
        "The limit is 5 days[^1].\n\n[^1]: Handbook, page 3",
        "The limit is 5 days [1].\n\n[1] Handbook, page 3",
        "The limit is 5 days [1].\nSource: Employee handbook, page 3",
        "The limit is 5 days [1].\n\n来源：\n【1】员工手册",
        "The limit is 5 days [1].\n\nQuellen: [1], [2]",
        "Sources:\n[1] Handbook.pdf\n[9] minutes.pdf\n\nThe limit is 5 days [1].",
    ],
)
def test_a_list_of_sources_is_dropped(answer: str) -> None:
    assert read(answer) == "The limit is 5 days [1]."


def test_text_that_only_begins_like_a_list_of_sources_stays() -> None:
    answer = "Sources: the team uses three of them.\nThey are rivers and lakes [1]."

    assert read(answer) == answer


@pytest.mark.parametrize(
    ("answer", "sources", "cited", "invalid", "text"),
    [
        (
            "The fee is 20 euros [7]. It is due in May [2]. Late payers are blocked [0]. See also [12].",
            3, {2}, {0, 7, 12}, "The fee is 20 euros. It is due in May [2]. Late payers are blocked. See also.",
        ),
        (
            "Dogs are allowed on Friday [1, 9]. Cats never [8-10].",
            3, {1}, {8, 9, 10}, "Dogs are allowed on Friday [1]. Cats never.",
        ),
    ],
)  # fmt: skip
def test_numbers_of_no_source_are_told_apart_within_a_group(
    answer: str, sources: int, cited: set[int], invalid: set[int], text: str
) -> None:
    found = set(marks(read(answer)))

    assert {n for n in found if 1 <= n <= sources} == cited
    assert {n for n in found if not 1 <= n <= sources} == invalid
    assert shown(answer, sources) == text


def test_numbers_are_replaced_outside_code_and_once_in_a_run() -> None:
    text = "Gates open at six [2]. On Sundays at eight [4][2]. Use `a[2]` [3]."

    assert renumbered(text, {2: 1, 4: 1, 3: 2}) == "Gates open at six [1]. On Sundays at eight [1]. Use `a[2]` [2]."


@given(st.text(alphabet="ab1[]()`~【】^ ,-.\n|", max_size=60))
def test_any_text_is_read_once_and_for_all(answer: str) -> None:
    text = read(answer)
    seen: list[int] = []

    def note(prose: str) -> str:
        seen.extend(int(mark[1]) for mark in MARK.finditer(prose))
        return prose

    outside_code(note, text)
    assert set(marks(text)) == set(seen)
