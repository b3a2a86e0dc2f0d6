"""Files of one's own questions: what a line may hold, and what is said of a bad one."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evals.knowledge_base import knowledge_base
from evals.own.question import FIELDS, Question
from evals.own.questions_file import QuestionLine, check_against, read
from retrieval.errors import ConfigurationError
from retrieval.types import Message
from tests.command_line import footnote

DOCUMENTATION = Path(__file__).resolve().parents[2] / "docs" / "evaluation.md"


def written(folder: Path, *lines: str) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    return path


def test_a_question_alone_is_enough_and_blank_lines_are_skipped(tmp_path: Path) -> None:
    path = written(tmp_path, "", '{"question": " How long? "}', "", '{"question": "多久？"}', "")

    assert read(path) == [Question("How long?", line=2), Question("多久？", line=4)]


def test_all_that_a_line_may_hold_is_read(tmp_path: Path) -> None:
    line = {
        "question": "And after ten years?",
        "documents": ["handbook.md"],
        "passages": ["1a2b"],
        "answer_contains": ["30 days"],
        "sentences": ["It rises to 30 days."],
        "answerable": True,
        "language": "en",
        "earlier": ["How many days of leave?"],
        "draft": "from handbook.md",
    }

    [question] = read(written(tmp_path, json.dumps(line)))

    assert set(line) == set(FIELDS) == set(QuestionLine.model_fields)
    assert question == Question(
        "And after ten years?",
        documents=("handbook.md",),
        passages=("1a2b",),
        answer_contains=("30 days",),
        references=(("It rises to 30 days.",),),
        language="en",
        earlier=(Message("person", "How many days of leave?"),),
        draft=True,
        line=1,
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{oops", "no JSON object (Expecting property name"),
        ("[]", "no JSON object"),
        ("{}", "question: Field required"),
        ('{"question": ""}', "question: String should have at least 1 character"),
        ('{"question": 7}', "question: Input should be a valid string"),
        ('{"question": "q", "answer": "a"}', "answer: there is no such field; there are question, documents"),
        ('{"question": "q", "documents": "a.md"}', "documents: Input should be a valid list"),
        ('{"question": "q", "answer_contains": [""]}', "answer_contains.0: String should have at least 1"),
        ('{"question": "q", "answerable": "no"}', "answerable: Input should be a valid boolean"),
        ('{"question": "q", "answerable": false, "documents": ["a.md"]}', "it is not answerable, so it can name no"),
        ('{"question": "q", "language": "english"}', "language: there is no 'english'; there are en"),
    ],
)
def test_a_bad_line_is_told_by_its_number(tmp_path: Path, line: str, said: str) -> None:
    path = written(tmp_path, '{"question": "good"}', line)

    with pytest.raises(ConfigurationError) as raised:
        read(path)

    assert str(raised.value).startswith(f"{path}, line 2: {said}")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xff\xfe\xff"])
def test_a_file_without_questions_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_bytes(content)

    with pytest.raises(ConfigurationError, match=r"holds no questions|cannot be read"):
        read(path)


@pytest.mark.parametrize(("field", "value"), [("documents", ["gone.md"]), ("passages", ["0000"])])
def test_what_the_knowledge_base_does_not_hold_is_told_by_the_line(
    tmp_path: Path, field: str, value: list[str]
) -> None:
    line: dict[str, Any] = {"question": "How long?", field: value}
    path = written(tmp_path, json.dumps(line))

    with (
        knowledge_base({"here.md": "The probation period is four months."}) as footnote,
        pytest.raises(ConfigurationError, match=f"line 1: there is no {field[:-1]} '{value[0]}'"),
    ):
        check_against(footnote.pipeline.passages, read(path), path)


def test_the_command_ends_with_2_and_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, '{"question": "good"}', '{"question": }')

    done = footnote("eval", "answers", "--data", str(path), data_dir=tmp_path / "data")

    assert done.code == 2
    assert done.err.startswith(f"footnote: {path}, line 2: no JSON object")
    assert done.err.count("\n") == 1
    assert not (tmp_path / "data").exists()


def test_an_empty_knowledge_base_is_told(tmp_path: Path) -> None:
    done = footnote("eval", "all", "--data", str(written(tmp_path, '{"question": "good"}')), data_dir=tmp_path / "data")

    assert done.code == 2
    assert "the knowledge base is empty; take documents in" in done.err


def test_the_help_tells_every_field() -> None:
    said = footnote("eval", "all", "--help").out

    assert [name for name in FIELDS if f"{name}:" not in said] == []


def test_the_documentation_tells_every_field_and_shows_lines_that_can_be_read(tmp_path: Path) -> None:
    own = DOCUMENTATION.read_text("utf-8").split("## On your own documents")[1].split("### What is measured")[0]
    table, shown = own.split("```json\n")

    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(FIELDS)
    assert len(read(written(tmp_path, shown.split("```")[0]))) == 3
