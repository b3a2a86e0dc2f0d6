"""Models that passages still have vectors of, asked as long as what answers is really that model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from retrieval.errors import ServiceUnavailable
from retrieval.ladder import ServedPart
from retrieval.ports import EmbeddingModel, VectorCatalogue
from retrieval.types import SAME_MODEL_COSINE, Missing, StoredVectors, Vectors, embedded_text

_SHARE = 0.2


@dataclass(frozen=True)
class EarlierModels:
    """Models that were configured once. `at_hand` gives the one of a name, where there is a way to ask it.

    Many servers answer with the model that they run whatever name they are asked for, and many models share a width.
    So what answers is first asked for a passage whose vector is known, and again after each outage.
    """

    catalogue: VectorCatalogue
    at_hand: Callable[[str], EmbeddingModel | None]
    _parts: dict[str, ServedPart] = field(default_factory=dict)
    _proven: set[str] = field(default_factory=set)

    def embed(self, queries: Sequence[str], stored: StoredVectors) -> Vectors | None:
        """Rows comparable with the stored vectors, shape (len(queries), stored.width); None where they cannot be had
        now."""
        model = self.at_hand(stored.model)
        if model is None:
            return None
        part = self._parts.setdefault(stored.model, ServedPart(Missing.VECTORS, _SHARE))
        return part.attempt(lambda: self._embedded(queries, stored, model), lambda: None)

    def _embedded(self, queries: Sequence[str], stored: StoredVectors, model: EmbeddingModel) -> Vectors:
        try:
            if stored.model not in self._proven:
                self._prove(stored.model, model)
                self._proven.add(stored.model)
            vectors = model.embed(queries, "query")
            if vectors.shape[1] != stored.width:
                raise _another_model(stored.model)
        except ServiceUnavailable:
            self._proven.discard(stored.model)
            raise
        return vectors

    def _prove(self, name: str, model: EmbeddingModel) -> None:
        example = self.catalogue.example(name)
        if example is None:
            raise ServiceUnavailable(f"no passage has a vector of {name} any more")
        passage, known = example
        (vector,) = model.embed([embedded_text(passage.title, passage)], "passage")
        if vector.shape != known.shape or vector @ known < SAME_MODEL_COSINE:
            raise _another_model(name)


def _another_model(name: str) -> ServiceUnavailable:
    return ServiceUnavailable(f"what answers for {name} is another model")
