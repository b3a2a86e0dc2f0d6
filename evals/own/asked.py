"""Questions put to the pipeline, with all that its trace says of how each was answered."""

import time
from collections.abc import Iterable
from dataclasses import dataclass

from evals.measures.ranking import first_rank
from evals.own.question import Question
from retrieval.pipeline import Pipeline
from retrieval.types import Answer, Outcome, Passage, Refusal, Viewer


@dataclass(frozen=True)
class Asked:
    """A question and what came of it. Rankings count passages where the question names some, else documents."""

    question: Question
    outcome: Outcome
    took_ms: float

    @property
    def relevant(self) -> tuple[str, ...]:
        """What of the knowledge base answers it; empty where the question does not say."""
        return self.question.passages or self.question.documents

    @property
    def ranking(self) -> list[str]:
        """Distinct passages or documents, best first, after reranking."""
        return self._named(found.passage for found in self.outcome.trace.candidates)

    @property
    def used_rank(self) -> int | None:
        """Where the first that answers stands among the evidence that an answer is made from."""
        return first_rank(self._named(found.passage for found in self.outcome.evidence), self.relevant)

    @property
    def best(self) -> float:
        """The relevance of the best passage, which the floor is held against; 0 where nothing was found."""
        return max((found.relevance for found in self.outcome.trace.candidates), default=0.0)

    @property
    def refused(self) -> bool:
        return isinstance(self.outcome.reply, Refusal)

    @property
    def reason(self) -> str | None:
        """Of a refusal or notice."""
        return None if isinstance(self.outcome.reply, Answer) else self.outcome.reply.reason

    @property
    def answer(self) -> Answer | None:
        return self.outcome.reply if isinstance(self.outcome.reply, Answer) else None

    @property
    def out_of_service(self) -> bool:
        return self.reason == "service_unavailable"

    @property
    def cited(self) -> list[str]:
        """The passages or documents that the answer cites."""
        return self._named(citation.passage for citation in self.answer.citations) if self.answer else []

    def _named(self, passages: Iterable[Passage]) -> list[str]:
        """The chunk ids or document names, each once."""
        by_chunk = bool(self.question.passages)
        return list(dict.fromkeys(passage.chunk_id if by_chunk else passage.document for passage in passages))


def ask(pipeline: Pipeline, question: Question) -> Asked:
    """As an admin, who may see all documents."""
    start = time.perf_counter()
    outcome = pipeline.ask(question.conversation, Viewer.admin())
    return Asked(question, outcome, (time.perf_counter() - start) * 1000)
