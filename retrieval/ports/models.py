"""What models do: embedding, reranking, understanding, answering, verifying."""

from collections.abc import Sequence
from typing import Literal, Protocol, TypeVar

from pydantic import BaseModel

from retrieval.types import (
    Conversation,
    Draft,
    Evidence,
    ExtractedQuery,
    Filterable,
    Vectors,
)

Form = TypeVar("Form", bound=BaseModel)


class EmbeddingModel(Protocol):
    """Texts to vectors."""

    @property
    def name(self) -> str:
        """Changes whenever vectors stop being comparable with earlier ones.

        Raises ServiceUnavailable where only the server knows it and does not answer.
        """

    @property
    def dim(self) -> int:
        """Width of the vectors. Raises ServiceUnavailable as `name` does."""

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        """Unit rows of shape (len(texts), dim). Raises ServiceUnavailable."""


class Reranker(Protocol):
    """How well each passage answers a query."""

    @property
    def name(self) -> str: ...

    def score(self, query: ExtractedQuery, passages: Sequence[str]) -> list[float]:
        """Relevance to the main query in [0, 1], in input order. What else of the query it heeds is up to it.

        Raises ServiceUnavailable, also where a score is missing, not a number or out of range.
        """


class QueryExtractor(Protocol):
    """A conversation to what is asked for."""

    def extract(self, conversation: Conversation, filterable: Filterable) -> ExtractedQuery:
        """Raises ServiceUnavailable, ModelOutputInvalid."""


class Answerer(Protocol):
    """Evidence to a draft answer whose marks [n] count the evidence from 1."""

    def compose(self, query: ExtractedQuery, evidence: Sequence[Evidence]) -> Draft:
        """Raises ServiceUnavailable, ModelOutputInvalid."""


class Verifier(Protocol):
    """Whether passages bear out what is said of them."""

    @property
    def name(self) -> str: ...

    def supports(self, claims: Sequence[tuple[str, str]]) -> list[float]:
        """For each statement and the text of a passage, in input order: how sure it is in [0, 1] that the passage
        means what the statement says. Numbers, names and negations are compared elsewhere.

        Raises ServiceUnavailable.
        """


class ChatModel(Protocol):
    """An instruction and data to an object of a given form, by a language model."""

    @property
    def name(self) -> str: ...

    def generate(self, system: str, user: str, form: type[Form], *, temperature: float, max_tokens: int) -> Form:
        """Raises ServiceUnavailable, and ModelOutputInvalid when no answer of that form comes."""
