"""Documents whose passages have vectors of another model to documents with vectors of the configured one."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from retrieval.errors import RequestRefused, ServiceUnavailable
from retrieval.ports import EmbeddingModel, VectorStore
from retrieval.types import Passage, ReembedReport, RefusedPassage, Vectors, embedded_text

Progress = Callable[[str], None]

_EMBEDDED_AT_ONCE = 64
_HARMLESS = "Lunch is at noon."


@dataclass
class _Tally:
    """What has become of passages so far."""

    embedded: Counter[str] = field(default_factory=Counter)
    refused: dict[int, RefusedPassage] = field(default_factory=dict)


class Reembedding:
    """Embeds what lacks vectors of the configured model, batch by batch, each stored as soon as it is done.

    So it may be stopped at any point and goes on from there when it is run again, and it may run beside a bot.
    """

    def __init__(self, store: VectorStore, embedding: EmbeddingModel) -> None:
        self._store = store
        self._embedding = embedding

    def run(self, *, progress: Progress = lambda _: None) -> ReembedReport:
        """Goes on until no current passage lacks a vector, those published meanwhile included, but for those refused.

        Raises ServiceUnavailable when the embedding server or the store fails; what is embedded by then is kept.
        """
        model = self._embedding.name
        self._store.adopt(model, self._embedding.dim)
        tally = _Tally()
        try:
            while todo := [number for number in self._store.lacking(model) if number not in tally.refused]:
                self._embed_all(model, todo, tally, progress)
        except ServiceUnavailable as error:
            kept = f"{tally.embedded.total()} passages were embedded and are kept; run the command again for the rest"
            raise ServiceUnavailable(f"{error}. {kept}") from error
        return ReembedReport(model, tally.embedded.total(), len(tally.embedded), tuple(tally.refused.values()))

    def _embed_all(self, model: str, numbers: Sequence[int], tally: _Tally, progress: Progress) -> None:
        for start in range(0, len(numbers), _EMBEDDED_AT_ONCE):
            progress(f"{start} of {len(numbers)} passages")
            batch = list(self._store.passages(numbers[start : start + _EMBEDDED_AT_ONCE]).values())
            taken, rows = self._embedded(batch, tally)
            self._store.add_vectors(model, [passage.number for passage in taken], rows)
            tally.embedded.update(passage.document for passage in taken)

    def _embedded(self, batch: Sequence[Passage], tally: _Tally) -> tuple[Sequence[Passage], Vectors]:
        """Those that the model takes, and their vectors."""
        try:
            return batch, self._vectors(batch)
        except RequestRefused:
            self._embedding.embed([_HARMLESS], "passage")  # a server that refuses this one refuses all of them
        taken, rows = [], []
        for passage in batch:
            try:
                rows.append(self._vectors([passage]))
                taken.append(passage)
            except RequestRefused as error:
                tally.refused[passage.number] = RefusedPassage(passage, str(error))
        return taken, np.concatenate(rows) if rows else np.empty((0, self._embedding.dim), np.float32)

    def _vectors(self, passages: Sequence[Passage]) -> Vectors:
        vectors = self._embedding.embed([embedded_text(each.title, each) for each in passages], "passage")
        if vectors.shape != (len(passages), self._embedding.dim) or not np.isfinite(vectors).all():
            raise ServiceUnavailable("the embedding model gave unusable vectors")
        return vectors
