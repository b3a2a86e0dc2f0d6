"""One's own questions, a JSON object a line, and whether they fit the documents."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from evals.own.question import FIELDS, Question
from retrieval.errors import ConfigurationError
from retrieval.ports import Passages
from retrieval.text import LANGUAGES
from retrieval.types import Message, Viewer

_Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class QuestionLine(BaseModel):
    """A line of a file of questions."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: _Said
    documents: list[_Said] | None = None
    passages: list[_Said] = Field(default_factory=list)
    answer_contains: list[_Said] = Field(default_factory=list)
    sentences: list[_Said] = Field(default_factory=list)
    answerable: bool = True
    language: str | None = None
    earlier: list[_Said] = Field(default_factory=list)
    draft: str | None = None

    @model_validator(mode="after")
    def _no_answer_to_what_has_none(self) -> Self:
        if not self.answerable and (self.documents or self.passages or self.answer_contains or self.sentences):
            raise ValueError("it is not answerable, so it can name no documents, passages or words of an answer")
        if self.language is not None and self.language not in LANGUAGES:
            raise ValueError(f"language: there is no {self.language!r}; there are {', '.join(LANGUAGES)}")
        return self

    def as_question(self, line: int) -> Question:
        return Question(
            self.question,
            self.answerable,
            tuple(self.documents or ()),
            tuple(self.passages),
            tuple(self.answer_contains),
            (tuple(self.sentences),) if self.sentences else (),
            self.language,
            tuple(Message("person", text) for text in self.earlier),
            self.draft is not None,
            line,
        )


def read(path: Path) -> list[Question]:
    """Blank lines are skipped. Raises ConfigurationError that names the first bad line and what is wrong with it."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read as UTF-8 text ({error})") from None
    numbered = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not numbered:
        raise ConfigurationError(f"{path} holds no questions; `footnote eval questions` drafts some")
    return [_read_line(path, number, line) for number, line in numbered]


def _read_line(path: Path, number: int, line: str) -> Question:
    try:
        value = json.loads(line)
        if isinstance(value, dict):
            return QuestionLine.model_validate(value).as_question(number)
        problem = "no JSON object"
    except json.JSONDecodeError as error:
        problem = f"no JSON object ({error.msg} at column {error.colno})"
    except ValidationError as error:
        problem = _told(error)
    raise ConfigurationError(f"{path}, line {number}: {problem}")


def _told(error: ValidationError) -> str:
    found = error.errors()[0]
    field = ".".join(str(part) for part in found["loc"])
    if found["type"] == "extra_forbidden":
        return f"{field}: there is no such field; there are {', '.join(FIELDS)}"
    said = found["msg"].removeprefix("Value error, ")
    return f"{field}: {said}" if field else said


def check_against(passages: Passages, questions: Sequence[Question], path: Path) -> None:
    """Raises ConfigurationError where a question names a document or passage that is not in the knowledge base, or
    where that is empty."""
    check_not_empty(passages)
    documents = set(passages.filterable(Viewer.admin()).documents)
    chunks = {passage.chunk_id for passage in passages.current_passages(Viewer.admin())}
    for question in questions:
        unknown = _missing("document", question.documents, documents) or _missing("passage", question.passages, chunks)
        if unknown:
            raise ConfigurationError(f"{path}, line {question.line}: {unknown}")


def check_not_empty(passages: Passages) -> None:
    """Raises ConfigurationError where the knowledge base holds nothing."""
    if not passages.filterable(Viewer.admin()).documents:
        raise ConfigurationError("DATA_DIR: the knowledge base is empty; take documents in with `footnote ingest`")


def _missing(kind: str, named: Iterable[str], known: set[str]) -> str | None:
    name = next((name for name in named if name not in known), None)
    return f"there is no {kind} {name!r} in the knowledge base of DATA_DIR" if name else None
