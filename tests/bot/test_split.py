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


@given(st.text(alphabet="ab. \n`~。<", max_size=400), st.integers(min_value=20, max_value=80))
def test_no_word_is_lost_and_no_part_too_long(text: str, limit: int) -> None:
    parts = split(text, limit)

    assert all(len(part) <= limit for part in parts)
    assert re.findall("[ab<]", "".join(parts)) == re.findall("[ab<]", text)
