"""Long text is split with nothing lost."""

import re

from hypothesis import given
from hypothesis import strategies as st

from bot.mrkdwn import escaped
from bot.split import split, split_escaped


def test_every_paragraph_of_a_long_answer_arrives() -> None:
    answer = "\n\n".join(f"Paragraph {n:02}. " + "Some words follow here. " * 12 for n in range(30))

    parts = split(answer, 3000)

    assert max(map(len, parts)) <= 3000
    assert re.findall(r"Paragraph \d{2}\.", " ".join(parts)) == [f"Paragraph {n:02}." for n in range(30)]


def test_a_code_block_cut_in_two_is_code_in_both() -> None:
    rows = [f"row {n:03} {'x' * 60}" for n in range(80)]
    answer = "\n".join(["Intro", "", "```", *rows, "```", "", "Done."])

    parts = split(answer, 1500)

    assert len(parts) > 3
    assert all(part.count("```") % 2 == 0 and len(part) <= 1500 for part in parts)
    assert re.findall(r"row \d{3} x+", "\n".join(parts)) == rows


def test_a_fence_left_open_is_closed() -> None:
    assert split("text\n\n```\ncode", 100) == ["text\n\n```\ncode\n```"]


def test_backticks_that_open_no_code_block_hold_nothing_together() -> None:
    parts = split("```note``` one\n\n" + "two words. " * 10 + "\n\n~~~ tilde `\ncode\n~~~", 60)

    assert len(parts) > 2
    assert parts[0].startswith("```note``` one\n\ntwo words.")
    assert parts[-1].endswith("~~~ tilde `\ncode\n~~~")


def test_code_in_a_sentence_is_not_cut_where_the_sentence_is() -> None:
    code = "`[a](https://evil.example/x). And more. Of it`"

    parts = split(f"{'Some words. ' * 3}{code} {'Some words. ' * 3}", 50)

    assert code in parts
    assert [part for part in parts if part.count("`") % 2] == []


def test_code_too_long_for_a_part_is_code_in_each() -> None:
    parts = split(f"Run ``{'ab` ' * 40}`` now", 50)

    assert all(part.count("``") == 2 for part in parts[1:-1])
    assert max(map(len, parts)) <= 50
    assert "".join(parts).replace("``", "").count("ab`") == 40


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    sentences = [f"Sentence {n} has a few words." for n in range(40)]

    parts = split(" ".join(sentences), 200)

    assert all(part.endswith(".") for part in parts)
    assert " ".join(parts) == " ".join(sentences)


def test_text_without_blanks_is_cut_between_its_sentences_too() -> None:
    parts = split("年假为十五天。" * 60, 100)

    assert all(part.endswith("。") and len(part) <= 100 for part in parts)
    assert "".join(parts) == "年假为十五天。" * 60


def test_parts_fit_once_they_are_escaped() -> None:
    parts = split_escaped("<" * 3000, 1000, escaped)

    assert max(len(escaped(part)) for part in parts) <= 1000
    assert "".join(parts) == "<" * 3000


def test_a_table_cut_in_two_has_its_header_in_both() -> None:
    rows = [f"| Site {n:03} | {n % 12}:00 | opens for **staff** |" for n in range(60)]
    answer = "\n".join(["Hours:", "", "| Site | Opens | Notes |", "|---|:-:|--:|", *rows, "", "Done."])

    parts = split(answer, 600)

    tables = [part[part.index("| Site | Opens") :] for part in parts if "| Site 0" in part]
    assert len(tables) > 3
    assert all(table.split("\n")[1] == "|---|:-:|--:|" for table in tables)
    assert all(len(part) <= 600 for part in parts)
    assert [line for part in parts for line in part.split("\n") if line.startswith("| Site 0")] == rows


def test_a_part_that_begins_inside_a_list_is_no_code() -> None:
    items = [f"{'    ' * (n % 3)}- item {n:02} of the list" for n in range(40)]

    parts = split("\n".join(items), 150)

    assert len(parts) > 5
    assert all(part.startswith("- ") for part in parts)
    assert [line.strip() for part in parts for line in part.split("\n")] == [item.strip() for item in items]


@given(st.text(alphabet="ab. \n`~。<", max_size=400), st.integers(min_value=20, max_value=80))
def test_no_word_is_lost_and_no_part_too_long(text: str, limit: int) -> None:
    parts = split(text, limit)

    assert all(len(part) <= limit for part in parts)
    assert re.findall("[ab<]", "".join(parts)) == re.findall("[ab<]", text)
