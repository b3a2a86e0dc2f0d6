"""A knowledge base of a few passages and the recall over it: real store and indexes, any embedding models."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from retrieval.adapters.faiss_index import FaissIndex
from retrieval.adapters.openai_models import OpenAIEmbeddings
from retrieval.adapters.sql import SqlStore
from retrieval.adapters.tantivy_index import TantivyIndex
from retrieval.budget import question_budget
from retrieval.ladder import ServedPart
from retrieval.ports import EmbeddingModel
from retrieval.search.dense import DenseRecall
from retrieval.search.earlier import EarlierModels
from retrieval.search.indexes import SearchIndexes
from retrieval.search.recall import Recall
from retrieval.types import DocumentVersion, ExtractedQuery, Missing, Viewer, embedded_text
from tests.model_servers.scripted import ScriptedModels
from tests.retrieval.adapters.new_versions import new_version

Found = tuple[list[str], list[Missing]]


@dataclass
class Clients:
    """Clients of embedding servers, closed at the end."""

    opened: list[OpenAIEmbeddings] = field(default_factory=list)

    def of(self, models: ScriptedModels, name: str | None = None) -> OpenAIEmbeddings:
        """One that asks for the model of that name, or for the one that the server lists."""
        client = OpenAIEmbeddings(models.embedding_url, name, None, instruction="Find the passage", max_chars=2000)
        self.opened.append(client)
        return client

    def close(self) -> None:
        for client in self.opened:
            client.close()


def take_in(store: SqlStore, model: EmbeddingModel, document: str, *texts: str) -> DocumentVersion:
    """A document whose passages have vectors of that model."""
    version = new_version(document, *texts)
    vectors = model.embed([embedded_text(version.title, chunk) for chunk in version.chunks], "passage")
    return store.publish(replace(version, vectors=vectors, embedding_model=model.name))


@dataclass
class Asking:
    """One process's recall: what a question finds, and without what. A server that fails is asked again at once,
    unless `cool_down_s` says otherwise."""

    store: SqlStore
    folder: Path
    embedding: EmbeddingModel
    earlier: Callable[[str], EmbeddingModel | None] = lambda _: None
    is_served: bool = True
    cool_down_s: float = 0.0

    def __post_init__(self) -> None:
        open_dense = partial(FaissIndex.of_model, self.folder / "dense")
        indexes = SearchIndexes(self.store, TantivyIndex(self.folder / "lexical"), open_dense)
        part = ServedPart(Missing.EMBEDDING, 0.3, self.cool_down_s) if self.is_served else None
        earlier = EarlierModels(self.store, self.earlier)
        dense = DenseRecall(indexes, self.store, self.embedding, earlier, part)
        self._recall = Recall(indexes, self.store, dense, alpha=0.5)

    def ask(self, question: str, expansions: Sequence[str] = ()) -> Found:
        """Documents, best first, each once, and what was missing."""
        query = ExtractedQuery(question, "en", expansions=tuple(expansions))
        with question_budget(60) as budget:
            candidates = self._recall.candidates(query, Viewer(), 5)
        return list(dict.fromkeys(candidate.passage.document for candidate in candidates)), list(budget.missing)
