"""A very long answer arrives whole, in order, each part valid on its own."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest

from bot import limits
from bot.reply import parts
from retrieval.types import Answer, Citation, Passage
from tests.bot.scripted import Scripted
from tests.running_workspace import wait_for

LINK = "https://w.example/manual?a=1&b=2"
TOKEN = re.compile(r"T\d{4}")


def _blocks() -> Iterator[str]:
    """Markdown of every kind; each of its pieces has a number of its own."""
    number = (f"T{n:04}" for n in itertools.count())

    def lines(form: str, count: int) -> str:
        return "\n".join(form.format(next(number)) for _ in range(count))

    while True:
        yield f"## Section {next(number)}"
        yield " ".join(f"Sentence {next(number)} says a < b & c, **as [ruled]({LINK})**." for _ in range(15))
        yield f"```python\n{lines('if a < b: call({!r})  # 注释', 40)}\n```"
        yield f"| Site | 开门 | Notes |\n|---|---|---|\n{lines('| {} | 8:00 | **确认** & more |', 40)}"
        yield lines("- item {} of a list\n    - 下一级", 30)
        yield "".join(f"第{next(number)}条：员工每年享有**十五天**带薪年假。" for _ in range(40))


def _answer(characters: int) -> str:
    text = ""
    for block in _blocks():
        text += f"{block}\n\n"
        if len(text) >= characters:
            return f"{text}The end [1]."
    return text


def test_a_long_answer_arrives_whole_and_in_order_in_valid_parts(scripted: Scripted) -> None:
    answer = _answer(20_000)
    scripted.pipeline.text = lambda _: answer
    scripted.pipeline.passage_text = f"See {LINK} for more."
    ts = scripted.say("D0ALICE", "U0ALICE", "tell me everything")

    def replies() -> list[dict[str, Any]]:
        return scripted.workspace.replies_of_bot("D0ALICE", ts)

    wait_for(lambda: "[1] handbook" in "".join(reply["plain"] for reply in replies()))
    wait_for(lambda: not scripted.deliveries.unfinished())
    del scripted.pipeline.text, scripted.pipeline.passage_text

    markdowns = [reply["blocks"][0]["text"] for reply in replies()]
    assert len(markdowns) >= 3
    assert all(reply["blocks"][0]["type"] == "markdown" for reply in replies())
    assert all(len(markdown) <= limits.ANSWER_CHARS for markdown in markdowns)
    assert all(markdown.count("```") % 2 == 0 for markdown in markdowns)
    assert TOKEN.findall("\n".join(markdowns)) == TOKEN.findall(answer)
    assert "\n".join(markdowns).count(LINK) == answer.count(LINK)
    assert not any(line.startswith("| T") for markdown in markdowns for line in markdown.split("\n")[:2])
    kinds = [[block["type"] for block in reply["blocks"][1:]] for reply in replies()]
    assert kinds == [[]] * (len(kinds) - 1) + [["context", "context_actions", "actions"]]


@pytest.mark.parametrize("characters", [3_000, 20_000])
def test_the_same_answer_as_text_is_whole_and_in_order_too(characters: int) -> None:
    answer = _answer(characters)
    passage = Passage(1, "c1", f"See {LINK}.", "handbook.md", "Handbook", 1, 1)

    texts = [payload["text"] for part in parts(Answer(answer, (Citation(1, passage),))) for payload in part.as_texts()]

    assert all(len(text) <= limits.TEXT_CHARS for text in texts)
    assert all(text.count("```") % 2 == 0 for text in texts)
    assert TOKEN.findall("\n".join(texts)) == TOKEN.findall(answer)
    assert texts[-1].endswith("[1] handbook.md (v1)")
