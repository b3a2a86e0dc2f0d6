"""Settings to the models that serve them: a served one where its address is set, the embedded one elsewhere."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from prompts import version
from retrieval.adapters.embedded_models import SentenceEncoder
from retrieval.adapters.http_reranker import HttpReranker
from retrieval.answer.compose import ChatAnswerer
from retrieval.answer.quote import QuotingAnswerer
from retrieval.answer.support import SentenceVerifier
from retrieval.answer.verifiers import ChatVerifier, RerankerVerifier, ServedVerifier
from retrieval.ladder import ServedAnswerer, ServedPart
from retrieval.ports import Answerer, EmbeddingModel, Floors, Passages, QueryExtractor, Reranker, Verifier
from retrieval.search.rerank import Judge, Rerank
from retrieval.search.sentence_reranker import SentenceReranker
from retrieval.settings import EMBEDDED_FLOOR, SERVED_FLOOR, ModelAddress, RetrievalSettings
from retrieval.types import Missing
from retrieval.understand.llm import LlmExtractor
from retrieval.understand.rules import RuleBasedExtractor
from retrieval.understand.served import ServedExtractor

if TYPE_CHECKING:  # loading the client takes longer than all else: only those who have a server wait for it
    from retrieval.adapters.openai_models import OpenAIChat, OpenAIEmbeddings

_SHARES = {
    Missing.EXTRACTOR: 0.3,
    Missing.EMBEDDING: 0.3,
    Missing.RERANKER: 0.5,
    Missing.CHAT: 0.7,
    Missing.VERIFIER: 0.8,
}
"""Of the time that a question has left when the part's turn comes: what stands in needs some, too."""


@dataclass(frozen=True)
class Models:
    """What a Footnote thinks with. `earlier` gives an embedding model that was configured once, by its name.

    `names` says by part which model it is, `prompts` by prompt which version of it.
    """

    extractor: QueryExtractor
    embedding: EmbeddingModel
    embedding_part: ServedPart | None
    earlier: Callable[[str], EmbeddingModel | None]
    rerank: Rerank
    answerer: Answerer
    verifier: Verifier
    description: str
    names: Mapping[str, str]
    prompts: Mapping[str, str]
    close: Callable[[], None]


@dataclass(frozen=True)
class Clients:
    """Makes clients of the servers in the settings."""

    settings: RetrievalSettings
    open: ExitStack = field(default_factory=ExitStack)

    def chat(self, at: ModelAddress) -> "OpenAIChat":
        """A model of its own for extraction may think."""
        from retrieval.adapters.openai_models import OpenAIChat

        client = OpenAIChat(at.base_url, at.model, at.key, service=at.service, thinking=at.service == "EXTRACTOR")
        self.open.callback(client.close)
        return client

    def embedding(self, at: ModelAddress) -> "OpenAIEmbeddings":
        from retrieval.adapters.openai_models import OpenAIEmbeddings

        instruction, max_chars = self.settings.embedding_instruction, self.settings.embedding_max_chars
        client = OpenAIEmbeddings(at.base_url, at.model, at.key, instruction=instruction, max_chars=max_chars)
        self.open.callback(client.close)
        return client

    def reranker(self, at: ModelAddress) -> HttpReranker:
        client = HttpReranker(
            at.base_url,
            at.model,
            at.key,
            api=self.settings.reranker_api,
            expanded=self.settings.rerank_query == "expanded",
            max_chars=self.settings.reranker_max_chars,
        )
        self.open.callback(client.close)
        return client


@cache
def sentence_encoder() -> SentenceEncoder:
    """One for the whole process: it takes a second to load and keeps what it knows."""
    return SentenceEncoder()


def _part(name: Missing) -> ServedPart:
    return ServedPart(name, _SHARES[name])


def models(settings: RetrievalSettings, passages: Passages, floors: Floors) -> Models:
    """Connects to nothing yet. Raises ConfigurationError for an address that is none."""
    encoder, clients = sentence_encoder(), Clients(settings)
    at = settings.embedding_server
    return Models(
        extractor=_extractor(clients),
        embedding=clients.embedding(at) if at else encoder,
        embedding_part=_part(Missing.EMBEDDING) if at else None,
        earlier=cache(lambda name: _earlier(clients, encoder, name)),
        rerank=_rerank(clients, SentenceReranker(encoder, passages, settings.rerank_query == "expanded"), floors),
        answerer=_answerer(clients, QuotingAnswerer(encoder, passages)),
        verifier=_verifier(clients, SentenceVerifier(encoder, passages)),
        description=_description(settings),
        names=_names(settings),
        prompts=_prompts(settings),
        close=clients.open.close,
    )


def _extractor(clients: Clients) -> QueryExtractor:
    settings = clients.settings
    if not (at := settings.extractor_server):
        return RuleBasedExtractor()
    served = LlmExtractor(
        clients.chat(at),
        strategy=settings.query_strategy,
        query_count=settings.query_count,
        thinking=at.service == "EXTRACTOR",
    )
    return ServedExtractor(served, _part(Missing.EXTRACTOR))


def _rerank(clients: Clients, embedded: SentenceReranker, floors: Floors) -> Rerank:
    """A floor that is set is the one of the reranker in use, and not of what stands in for it."""

    def in_use(reranker: Reranker, own: float) -> Judge:
        floor = clients.settings.relevance_floor
        return Judge(reranker, own, floors) if floor is None else Judge(reranker, floor)

    if not (at := clients.settings.reranker_server):
        return Rerank(in_use(embedded, EMBEDDED_FLOOR))
    served = in_use(clients.reranker(at), SERVED_FLOOR)
    return Rerank(Judge(embedded, EMBEDDED_FLOOR, floors), served, _part(Missing.RERANKER))


def _answerer(clients: Clients, quoting: QuotingAnswerer) -> Answerer:
    if not (at := clients.settings.chat_server):
        return quoting
    served = ChatAnswerer(clients.chat(at), clients.settings.chat_window_tokens)
    return ServedAnswerer(served, quoting, _part(Missing.CHAT))


def _verifier(clients: Clients, embedded: SentenceVerifier) -> Verifier:
    settings = clients.settings
    if settings.verifier == "reranker" and (at := settings.reranker_server):
        served: Verifier = RerankerVerifier(clients.reranker(at))
    elif settings.verifier == "llm" and (at := settings.chat_server):
        served = ChatVerifier(clients.chat(at))
    else:
        return embedded
    return ServedVerifier(served, embedded, _part(Missing.VERIFIER))


def _earlier(clients: Clients, encoder: SentenceEncoder, name: str) -> EmbeddingModel | None:
    """The embedded model, or what the configured server answers by that name."""
    if name == encoder.name:
        return encoder
    at = clients.settings.embedding_server
    return clients.embedding(at.with_model(name)) if at else None


def _prompts(settings: RetrievalSettings) -> dict[str, str]:
    versions = {}
    if settings.extractor_server:
        versions["extract_query"] = version("extract_query", settings.query_strategy)
    if settings.chat_server:
        versions["answer"] = version("answer")
        if settings.verifier == "llm":
            versions["verify"] = version("verify")
    return versions


def _names(settings: RetrievalSettings) -> dict[str, str]:
    return {
        what: (at.model or "the model served") if at else embedded for what, (at, embedded) in _parts(settings).items()
    }


def _description(settings: RetrievalSettings) -> str:
    return "; ".join(f"{what} by {at or embedded}" for what, (at, embedded) in _parts(settings).items())


def _parts(settings: RetrievalSettings) -> dict[str, tuple[ModelAddress | None, str]]:
    return {
        "questions": (settings.extractor_server, "rules"),
        "embeddings": (settings.embedding_server, "the embedded encoder"),
        "reranking": (settings.reranker_server, "the embedded reranker"),
        "answers": (settings.chat_server, "quotations"),
    }
