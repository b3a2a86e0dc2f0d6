"""Settings to a working Footnote: the only place that names adapters."""

from collections.abc import Callable
from dataclasses import dataclass

from retrieval.adapters.embedded_models import SentenceEncoder
from retrieval.adapters.faiss_index import FaissIndex
from retrieval.adapters.mineru_parser import MinerUParser
from retrieval.adapters.sql import SqlStore, open_store
from retrieval.adapters.tantivy_index import TantivyIndex
from retrieval.answer.quote import QuotingAnswerer
from retrieval.errors import ConfigurationError
from retrieval.library.ingest import Library
from retrieval.library.parse import Reader
from retrieval.library.sources import documents_in
from retrieval.library.sources import uploaded_name as upload_key
from retrieval.pipeline import Pipeline
from retrieval.ports import BotMemory, Deliveries, FeedbackLog
from retrieval.search.dense import DenseRecall
from retrieval.search.gather import Search
from retrieval.search.indexes import SearchIndexes
from retrieval.search.recall import Recall
from retrieval.search.rerank import Judge, Rerank
from retrieval.search.sentence_reranker import SentenceReranker
from retrieval.settings import RetrievalSettings
from retrieval.types import Viewer
from retrieval.understand.rules import RuleBasedExtractor

__all__ = [
    "BotMemory",
    "Deliveries",
    "FeedbackLog",
    "Footnote",
    "Library",
    "Pipeline",
    "build",
    "documents_in",
    "upload_key",
]


@dataclass(frozen=True)
class Footnote:
    """All that the bot and the command line use. Thread-safe."""

    pipeline: Pipeline
    library: Library
    deliveries: BotMemory
    models: str
    close: Callable[[], None]

    def warm_up(self) -> None:
        """Loads models and indexes now, so that the first person to ask does not wait for them."""
        self.pipeline.search("warm up", Viewer(), 1)


def build(settings: RetrievalSettings) -> Footnote:
    """A Footnote on the data directory of the settings. Raises ConfigurationError when that cannot be used."""
    _prepare_data_dir(settings)
    store = open_store(settings.store_url)
    encoder = SentenceEncoder()
    reranker = SentenceReranker(encoder, store)
    return Footnote(
        pipeline=_pipeline(settings, store, encoder, reranker),
        library=Library(
            store,
            encoder,
            Reader(MinerUParser(), max_file_mb=settings.max_file_mb),
            chunk_size=settings.chunk_size,
            chunk_overlap=settings.chunk_overlap,
        ),
        deliveries=store,
        models=f"embeddings {encoder.name}, reranker {reranker.name}, query extraction by rules, answers by quoting"
        " (all embedded)",
        close=store.close,
    )


def _prepare_data_dir(settings: RetrievalSettings) -> None:
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        probe = settings.data_dir / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ConfigurationError(
            f"DATA_DIR: {settings.data_dir} cannot be written ({error.strerror}); name a folder that you own"
        ) from None


def _pipeline(
    settings: RetrievalSettings, store: SqlStore, encoder: SentenceEncoder, reranker: SentenceReranker
) -> Pipeline:
    dense = FaissIndex(settings.data_dir / "dense.index", dim=encoder.dim, model=encoder.name)
    indexes = SearchIndexes(store, dense, TantivyIndex(settings.data_dir / "lexical"), encoder.name)
    recall = Recall(indexes, store, DenseRecall(indexes, encoder), settings.fusion_alpha)
    return Pipeline(
        extractor=RuleBasedExtractor(),
        passages=store,
        finding=Search(recall, Rerank(Judge(reranker, settings.relevance_floor))),
        answerer=QuotingAnswerer(encoder, store),
        recall_candidates=settings.recall_candidates,
        evidence_passages=settings.evidence_passages,
        budget_s=settings.question_budget_s,
    )
