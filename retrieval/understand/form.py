"""What a language model is asked to fill in about a thread, one form a strategy."""

from typing import Annotated, Any, Literal, Self

from pydantic import AliasChoices, BeforeValidator, Field, model_validator

from prompts.forms import Flag, Form, Text, Texts

Strategy = Literal["q2e", "q2d", "cot", "multi", "none"]

_ECHOES = {"string", "main_query", "query", "..."}
"""What models write that copy the form instead of filling it in."""

_RANKINGS = {"newest": ("newest", "latest", "recent", "desc"), "oldest": ("oldest", "earliest", "asc")}
_KINDS = {
    "question": ("question",),
    "small_talk": ("small", "chat", "chit", "greeting", "thank"),
    "help": ("help",),
    "unclear": ("unclear", "ambigu", "clarif", "vague"),
}


def _choice(meant: dict[str, tuple[str, ...]], default: str) -> BeforeValidator:
    """Free text to the choice whose words it holds."""

    def choose(value: Any) -> str:
        text = str(value).lower()
        return next((choice for choice, words in meant.items() if any(word in text for word in words)), default)

    return BeforeValidator(choose)


class FilterForm(Form):
    """Wishes that document metadata may decide, as the model has them: names and days unchecked."""

    documents: Texts = ()
    tags: Texts = ()
    since: Text = ""
    until: Text = ""


class QueryForm(Form):
    """What every strategy asks for."""

    main_query: Text = ""
    key_phrases: Texts = ()
    filters: Annotated[FilterForm, BeforeValidator(lambda value: value if isinstance(value, dict) else {})] = (
        FilterForm()
    )
    criteria: Texts = ()
    ranking: Annotated[Literal["relevance", "newest", "oldest"], _choice(_RANKINGS, "relevance")] = Field(
        "relevance", validation_alias=AliasChoices("ranking", "ranking_criteria")
    )
    language: Text = ""
    standalone: Flag = True
    kind: Annotated[Literal["question", "small_talk", "help", "unclear"], _choice(_KINDS, "question")] = "question"
    clarification: Text = ""
    sub_questions: Texts = ()

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if self.kind == "question" and self.main_query.lower() in {"", *_ECHOES}:
            raise ValueError("main_query must be the query that the last message asks for, in its words")
        return self

    @property
    def explanation(self) -> str:
        """The query spelled out, "" for strategies that do without."""
        return ""

    @property
    def widened(self) -> tuple[str, ...]:
        """Further wordings to search with."""
        return ()


class Q2eForm(QueryForm):
    """Query to expansions: an explanation and other ways to say it."""

    main_query_explanation: Text = ""
    expansions: Texts = ()

    @property
    def explanation(self) -> str:
        return self.main_query_explanation

    @property
    def widened(self) -> tuple[str, ...]:
        return self.expansions


class Q2dForm(QueryForm):
    """Query to document: a passage that would answer it."""

    passage: Text = ""

    @property
    def widened(self) -> tuple[str, ...]:
        return (self.passage,)


class ChainOfThoughtForm(QueryForm):
    """The question broken down, and the words that come up."""

    reasoning: Text = ""
    terms: Texts = ()

    @property
    def widened(self) -> tuple[str, ...]:
        return (self.reasoning, *self.terms)


class MultiQueryForm(QueryForm):
    """Queries from several angles."""

    queries: Texts = ()

    @property
    def widened(self) -> tuple[str, ...]:
        return self.queries


FORMS: dict[Strategy, type[QueryForm]] = {
    "q2e": Q2eForm,
    "q2d": Q2dForm,
    "cot": ChainOfThoughtForm,
    "multi": MultiQueryForm,
    "none": QueryForm,
}
