"""Settings to a working Footnote: the only place that names adapters."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from tempfile import TemporaryDirectory

from retrieval.adapters.faiss_index import FaissIndex
from retrieval.adapters.mineru_parser import MinerUParser, server_checks
from retrieval.adapters.rapid_ocr import RapidOcr
from retrieval.adapters.sql import SqlStore, open_store
from retrieval.adapters.sql.inspection import floor_at, look_at
from retrieval.adapters.tantivy_index import TantivyIndex
from retrieval.answer.check import Checker
from retrieval.audit import record as audit_record
from retrieval.audit import short_record as short_audit_record
from retrieval.build.models import Clients, Models, models, sentence_encoder
from retrieval.checkup import services
from retrieval.checkup.configuration import misspelt, setting_checks
from retrieval.checkup.examination import Examination
from retrieval.errors import ConfigurationError
from retrieval.library.ingest import Library
from retrieval.library.parse import Reader
from retrieval.library.reembed import Reembedding
from retrieval.library.sources import documents_in
from retrieval.library.sources import uploaded_name as upload_key
from retrieval.pipeline import Pipeline
from retrieval.ports import Audit, AuditDesk, AuditLog, BotMemory, Deliveries, DocumentParser, FeedbackLog, Floors
from retrieval.search.dense import DenseRecall
from retrieval.search.earlier import EarlierModels
from retrieval.search.gather import Search
from retrieval.search.indexes import SearchIndexes
from retrieval.search.recall import Recall
from retrieval.search.sentence_reranker import SentenceReranker
from retrieval.settings import RetrievalSettings
from retrieval.types import Check, ExtractedQuery, Viewer
from retrieval.understand.rules import RuleBasedExtractor

__all__ = [
    "Audit",
    "AuditDesk",
    "AuditLog",
    "BotMemory",
    "Deliveries",
    "Examination",
    "FeedbackLog",
    "Footnote",
    "Library",
    "Pipeline",
    "Reembedding",
    "audit_of",
    "audit_record",
    "build",
    "documents_in",
    "examine",
    "misspelt",
    "reader_of",
    "setting_checks",
    "short_audit_record",
    "upload_key",
]


_WARM_UP = "warm up"


@dataclass(frozen=True)
class Footnote:
    """All that the bot and the command line use. Thread-safe."""

    pipeline: Pipeline
    library: Library
    reembedding: Reembedding
    deliveries: BotMemory
    audit: Audit
    audit_days: int
    floors: Floors
    models: str
    close: Callable[[], None]

    def warm_up(self) -> None:
        """Loads models and indexes now, stand-ins for served ones too, so that nobody waits for them later."""
        replace(self.pipeline, extractor=RuleBasedExtractor()).search(_WARM_UP, Viewer(), 1)
        self.pipeline.finding.rerank.embedded.reranker.score(ExtractedQuery(_WARM_UP, "en"), [_WARM_UP])


def build(settings: RetrievalSettings) -> Footnote:
    """A Footnote on the data directory of the settings. Raises ConfigurationError when that cannot be used."""
    _prepare_data_dir(settings)
    with ExitStack() as on_failure:
        store = open_store(settings.store_url)
        on_failure.callback(store.close)
        floors = store.floors(settings.rerank_query)
        chosen = models(settings, store, floors)
        on_failure.callback(chosen.close)
        pipeline = _pipeline(settings, store, chosen)
        close = on_failure.pop_all().close
    return Footnote(
        pipeline=pipeline,
        library=Library(
            store,
            chosen.embedding,
            reader_of(settings),
            chunk_size=settings.chunk_size,
            chunk_overlap=settings.chunk_overlap,
        ),
        reembedding=Reembedding(store, chosen.embedding),
        deliveries=store,
        audit=store.audit,
        audit_days=settings.audit_days,
        floors=floors,
        models=chosen.description,
        close=close,
    )


def reader_of(settings: RetrievalSettings) -> DocumentParser:
    """What makes documents of files."""
    tier = settings.mineru_tier_used
    parser = MinerUParser(tier, settings.mineru_server)
    return Reader(parser, RapidOcr(), max_file_mb=settings.max_file_mb, other_reads_images=tier != "flash")


@contextmanager
def audit_of(settings: RetrievalSettings) -> Iterator[Audit]:
    """The audit alone, without the models. Raises ConfigurationError as `build` does."""
    _prepare_data_dir(settings)
    with closing(open_store(settings.store_url)) as store:
        yield store.audit


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


def _pipeline(settings: RetrievalSettings, store: SqlStore, chosen: Models) -> Pipeline:
    open_dense = partial(FaissIndex.of_model, settings.data_dir / "dense")
    indexes = SearchIndexes(store, TantivyIndex(settings.data_dir / "lexical"), open_dense)
    earlier = EarlierModels(store, chosen.earlier)
    dense = DenseRecall(indexes, store, chosen.embedding, earlier, chosen.embedding_part)
    return Pipeline(
        extractor=chosen.extractor,
        passages=store,
        finding=Search(Recall(indexes, store, dense, settings.fusion_alpha), chosen.rerank),
        answerer=chosen.answerer,
        checker=Checker(chosen.verifier, settings.unverified),
        recall_candidates=settings.recall_candidates,
        evidence_passages=settings.evidence_passages,
        budget_s=settings.question_budget_s,
        refusal_message=settings.refusal_message,
        models=chosen.names,
        prompts=chosen.prompts,
    )


def examine(settings: RetrievalSettings, also: Mapping[str, Examination]) -> list[Check]:
    """Checks of the data folder, the store, the models and the servers of the settings, and of what else is to be
    examined beside them. Makes and changes nothing."""
    with TemporaryDirectory() as folder, closing(open_store(f"sqlite:///{folder}/empty.db")) as no_documents:
        if settings.extractor_server or settings.embedding_server:
            import retrieval.adapters.openai_models  # noqa: F401  # takes seconds that no server must be charged with
        clients = Clients(settings)
        parts = services.Parts(
            stored=partial(look_at, settings.store_url),
            calibrated_floor=partial(floor_at, settings.store_url, settings.rerank_query),
            encoder=sentence_encoder,
            sentence_reranker=lambda encoder: SentenceReranker(encoder, no_documents),
            embedding=lambda at: closing(clients.embedding(at)),
            reranker=lambda at: closing(clients.reranker(at)),
            chat=lambda at: closing(clients.chat(at)),
        )
        parser = partial(server_checks, settings.mineru_server, settings.mineru_tier_used)
        return services.examine(settings, parts, {"MinerU server": parser, **also})
