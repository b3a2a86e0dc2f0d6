"""Which models the passages are embedded by, and what became of embedding them anew."""

from dataclasses import dataclass

from retrieval.types.checks import StoredVectors
from retrieval.types.documents import Chunk
from retrieval.types.search import Passage


def embedded_text(title: str, passage: Chunk | Passage) -> str:
    """What of a passage is turned into its vector: the headings it stands under, then its text."""
    return "\n".join([" > ".join(passage.section) or title, passage.text])


SAME_MODEL_COSINE = 0.8
"""From which on two vectors of one text are of one model. Rounding costs hundredths; vectors of two models have
nothing to do with each other."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many current passages there are, and which models they have vectors of, most passages first.

    A document counts for a model once each of its passages has a vector.
    """

    passages: int
    models: tuple[StoredVectors, ...] = ()

    def whole(self, model: str) -> StoredVectors | None:
        """The vectors of a model, if every passage has one."""
        return next((v for v in self.models if v.model == model and v.passages == self.passages), None)


@dataclass(frozen=True, slots=True)
class RefusedPassage:
    """A passage that the embedding model does not take, and what it says."""

    passage: Passage
    why: str


@dataclass(frozen=True, slots=True)
class ReembedReport:
    """How many passages of how many documents were embedded by `model`, and which it refused."""

    model: str
    passages: int
    documents: int
    refused: tuple[RefusedPassage, ...] = ()
