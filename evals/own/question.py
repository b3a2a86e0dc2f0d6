"""Questions with what is known of their answers, whichever data set or person they come from."""

from dataclasses import dataclass

from retrieval.types import Conversation, Message

FIELDS = {
    "question": "what is asked",
    "documents": "names of the documents that answer it, as `footnote kb list` has them",
    "passages": "chunk ids that answer it, as `footnote search --json` has them; where given they count, not documents",
    "answer_contains": "words that a right answer holds, all of them",
    "sentences": "the sentences of the documents that make up a right answer",
    "answerable": "false where the documents do not answer it; true unless said",
    "language": "the code of the language asked in (en, zh …): a refusal must be in it",
    "earlier": "what people said before it in the thread, oldest first",
    "draft": "what it was drafted from; take it out once a person has looked at the question",
}
"""What a line of a file of questions may hold, and what that is; all but the question may be left out."""


@dataclass(frozen=True, slots=True)
class Question:
    """`documents` and `passages` (chunk ids) are those that answer it; `answer_contains` are words that a right answer
    holds; `references` are right answers, each as the sentences of the documents that it consists of. What is empty
    is not known. `earlier` is what people said before it in the thread. `line` is its place in a file, from 1.
    """

    text: str
    answerable: bool = True
    documents: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    answer_contains: tuple[str, ...] = ()
    references: tuple[tuple[str, ...], ...] = ()
    language: str | None = None
    earlier: tuple[Message, ...] = ()
    draft: bool = False
    line: int | None = None

    @property
    def conversation(self) -> Conversation:
        return Conversation(self.text, self.earlier)
