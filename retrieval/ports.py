"""The seams, in the words of those who use them. Each has a second real implementation."""

import datetime as dt
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from retrieval.types import (
    AuditRecord,
    Changes,
    Conversation,
    Coverage,
    DocumentVersion,
    Draft,
    Evidence,
    ExtractedQuery,
    Feedback,
    Filterable,
    Filters,
    Hit,
    KeywordEntry,
    KnowledgeGap,
    NewVersion,
    ParsedDocument,
    Passage,
    ReviewItem,
    SourceFile,
    ThreadMessage,
    VectorEntry,
    Vectors,
    Verdict,
    Viewer,
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


class DenseIndex(Protocol):
    """Nearest vectors by inner product. A cache of the store, standing at one of its generations."""

    @property
    def generation(self) -> int:
        """0 when the index is new or could not be read."""

    def update(self, changes: Changes[VectorEntry]) -> None:
        """Take in changes, all or nothing. Searches meanwhile see the state before."""

    def search(self, vector: Vectors, k: int, allowed: frozenset[int] | None) -> list[Hit]:
        """Up to k hits, best first, among the allowed version ids (None: all). `vector`: shape (1, dim)."""


class LexicalIndex(Protocol):
    """Best passages by BM25 over terms. A cache of the store, standing at one of its generations."""

    @property
    def generation(self) -> int: ...

    def update(self, changes: Changes[KeywordEntry]) -> None: ...

    def search(self, terms: Sequence[str], k: int, allowed: frozenset[int] | None) -> list[Hit]:
        """Up to k hits, best first. A repeated term counts more. No terms: no hits."""


class ChangeLog(Protocol):
    """What the indexes follow."""

    def generation(self) -> int:
        """Grows by one with every publication, deletion and batch of passages embedded anew."""

    def keyword_changes(self, since: int) -> Changes[KeywordEntry]:
        """The next batch of changes after a generation; its own generation says how far it reaches."""

    def vector_changes(self, since: int, embedding_model: str) -> Changes[VectorEntry]:
        """The same for the documents whose passages all have vectors of the model: they are new to an index of it
        from when the last vector came, however old they are."""


class VectorCatalogue(Protocol):
    """Which embedding models the current documents can be searched by."""

    def coverage(self) -> Coverage: ...

    def example(self, embedding_model: str) -> tuple[Passage, NDArray[np.float32]] | None:
        """A current passage and its vector of shape (dim,), to tell whether a server still runs this model."""


class VectorStore(Protocol):
    """What embedding the current documents anew reads from the store and writes to it."""

    def adopt(self, embedding_model: str, dim: int) -> None:
        """Makes this the model of the documents that have vectors of it.

        Vectors of the same name and another width are of another model, and are dropped.
        """

    def lacking(self, embedding_model: str) -> list[int]:
        """Numbers of the current passages that have no vector of the model."""

    def passages(self, numbers: Collection[int]) -> dict[int, Passage]:
        """By number. Numbers that are no longer there are left out."""

    def add_vectors(self, embedding_model: str, numbers: Sequence[int], rows: Vectors) -> None:
        """In one transaction: unit rows of shape (len(numbers), dim), and what is thereby complete becomes the
        model's own. Passages that have a vector by now keep it."""


class Floors(Protocol):
    """The best relevance below which a question has no answer, as calibrated for each reranker by its name."""

    def get(self, reranker: str) -> float | None:
        """None where none was calibrated. Raises ServiceUnavailable."""

    def set(self, reranker: str, floor: float, questions: int) -> None:
        """Keeps a floor found on so many questions, in place of the one before."""


class Passages(Protocol):
    """What recall reads from the store."""

    def readable(self, viewer: Viewer, filters: Filters) -> frozenset[int]:
        """Ids of the document versions that the viewer may see and the filters admit: current ones, and superseded
        ones where the filters ask for the past."""

    def filterable(self, viewer: Viewer) -> Filterable:
        """What filters can name, among the current documents that the viewer may see."""

    def passages(self, numbers: Collection[int]) -> dict[int, Passage]:
        """By number. Numbers that are no longer there are left out."""

    def current_passages(self, viewer: Viewer) -> list[Passage]:
        """All that the viewer may see, by document name, each document's in reading order."""

    def document_frequencies(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """In how many current chunks each term stands (0 left out), and how many chunks there are."""


class Documents(Protocol):
    """What the library writes to the store."""

    def publish(self, version: NewVersion) -> DocumentVersion:
        """In one transaction: the version, its chunks and vectors, and the step to it from the one before."""

    def delete(self, document: str) -> DocumentVersion:
        """Takes the document out of recall. Raises DocumentNotFound."""

    def restore(self, document: str) -> DocumentVersion:
        """Takes a deletion back, within RESTORABLE. Raises DocumentNotFound."""

    def deleted(self) -> list[DocumentVersion]:
        """What can be restored, by document name: of each the version that was current."""

    def current(self, *, document: str | None = None, sha256: str | None = None) -> list[DocumentVersion]:
        """Current versions, by document name; all of them, or those of one document or content."""

    def versions(self, document: str) -> list[DocumentVersion]:
        """All versions of a document, the current one last. Raises DocumentNotFound."""

    def passages_of(self, version_id: int) -> list[Passage]:
        """A version's passages in reading order."""

    def vectors_of(self, version_id: int, embedding_model: str) -> dict[int, NDArray[np.float32]]:
        """Vectors of shape (dim,) by passage number, of the passages that have one of the model."""


class Deliveries(Protocol):
    """The bot's memory of messages: nothing handled twice, nothing accepted and forgotten."""

    def record(self, message: ThreadMessage) -> bool:
        """True when this channel and ts is new, or was only heard and is now accepted; False otherwise."""

    def finish(self, message: ThreadMessage, reply: ThreadMessage | None) -> None:
        """Marks an accepted message answered (or failed, when there is no reply) and keeps the reply."""

    def thread(self, channel: str, thread: str) -> list[ThreadMessage]:
        """All known messages of a thread, oldest first, the bot's own included."""

    def unfinished(self) -> list[ThreadMessage]:
        """Accepted but neither answered nor failed, oldest first."""

    def forget(self, before: dt.datetime) -> int:
        """Drops threads in which nothing happened since, and nothing is unfinished; how many messages went."""


class Outbox(Protocol):
    """Replies between being composed and being seen to stand, so that a crash repeats and loses nothing."""

    def begin(self, message: ThreadMessage) -> int:
        """Counts one more attempt at answering a message; how many there were with this one."""

    def keep(self, message: ThreadMessage, reply: Mapping[str, Any]) -> None:
        """Keeps the reply, as JSON, until the message is finished."""

    def kept(self, message: ThreadMessage) -> Mapping[str, Any] | None:
        """The reply kept for a message, some of which may have been posted already."""


class FeedbackLog(Protocol):
    """What people think of replies."""

    def rate(self, feedback: Feedback) -> None:
        """Keeps it; the same person's earlier word on the same reply gives way."""

    def ratings(self) -> list[Feedback]:
        """All of it, oldest first."""


class BotMemory(Deliveries, Outbox, FeedbackLog, Protocol):
    """All that the bot keeps."""


class AuditLog(Protocol):
    """What became of each question, as the bot keeps and shows it."""

    def add(self, record: AuditRecord) -> bool:
        """Keeps the first record of a message; False for any other."""

    def find(self, channel: str, message: str) -> AuditRecord | None: ...

    def passages(self, numbers: Collection[int], viewer: Viewer) -> dict[int, Passage]:
        """Those the viewer may see by now, of documents that are still there, by number."""

    def forget(self, before: dt.datetime) -> int:
        """Drops what was asked earlier; how many questions went."""


class AuditDesk(Protocol):
    """What admins read of the audit and do with it."""

    def newest(self, most: int, since: dt.datetime | None = None) -> list[AuditRecord]:
        """The last ones, oldest first."""

    def all(self, since: dt.datetime | None = None) -> Iterator[AuditRecord]:
        """Oldest first. Read as they are asked for, so that writers do not wait."""

    def get(self, number: int) -> AuditRecord | None:
        """By id."""

    def forget_person(self, asker: str) -> int:
        """Drops all that someone asked, and blanks their messages; how many questions went."""

    def gaps(self, most: int) -> list[KnowledgeGap]:
        """Questions that got no answer, those asked most often first."""

    def open_reviews(self, most: int) -> list[ReviewItem]:
        """Doubts nobody has decided yet, oldest first."""

    def decide(self, item: int, verdict: Verdict, by: str) -> bool:
        """Closes a review item; False when there is none of that id that is open."""


class Audit(AuditLog, AuditDesk, Protocol):
    """All of the audit."""


class DocumentParser(Protocol):
    """A file to blocks."""

    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        """Raises DocumentRefused with what is wrong and what to do."""


class TextRecognizer(Protocol):
    """Pictures to text."""

    def recognise(self, file: SourceFile, pages: Sequence[int], *, progress: Callable[[str], None]) -> ParsedDocument:
        """Paragraphs with their page and the confidence of the recogniser. `pages` of a PDF, from 1; none: an image
        file, whose frames are its pages. Raises DocumentRefused."""
