"""Settings, and the parts built from them, to checks of all that Footnote runs on."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

from retrieval.checkup.chat import chat_checks
from retrieval.checkup.embedding import embedding_check, served_embedding_checks
from retrieval.checkup.examination import Examination, side_by_side, told
from retrieval.checkup.reranker import Floor, reranker_check, served_reranker_checks
from retrieval.checkup.storage import folder_check, store_check
from retrieval.checkup.vectors import Stored, stored_vectors_check
from retrieval.ports import ChatModel, EmbeddingModel, Reranker
from retrieval.settings import EMBEDDED_FLOOR, SERVED_FLOOR, ModelAddress, RetrievalSettings
from retrieval.types import Check

_EMBEDDED_S = 120.0
"""No server is waited for, but a busy machine takes its time to load."""


@dataclass(frozen=True)
class Parts:
    """Makes what is examined: the store's state, the floor calibrated for a reranker's name, and models embedded and
    served."""

    stored: Stored
    calibrated_floor: Callable[[str], float | None]
    encoder: Callable[[], EmbeddingModel]
    sentence_reranker: Callable[[EmbeddingModel], Reranker]
    embedding: Callable[[ModelAddress], AbstractContextManager[EmbeddingModel]]
    reranker: Callable[[ModelAddress], AbstractContextManager[Reranker]]
    chat: Callable[[ModelAddress], AbstractContextManager[ChatModel]]


def examine(settings: RetrievalSettings, parts: Parts, also: Mapping[str, Examination]) -> list[Check]:
    """Checks of the data folder, the store, the embedded models and the servers, and what else is to be examined."""
    embedded: dict[str, Examination] = {"Embedded models": partial(_embedded_checks, settings, parts)}
    services: dict[str, Examination] = {
        "Store": lambda: [told("Store", lambda subject: store_check(subject, parts.stored(None)))],
        "Embedding server": partial(_embedding_checks, settings, parts),
        "Reranker server": partial(_reranker_checks, settings, parts),
        "Chat server": partial(_chat_checks, settings, parts),
        "Extractor server": partial(_extractor_checks, settings, parts),
    }
    return [
        folder_check("Data folder", settings.data_dir),
        *side_by_side(embedded, _EMBEDDED_S),
        *side_by_side({**services, **also}),
    ]


def _embedded_checks(settings: RetrievalSettings, parts: Parts) -> Iterator[Check]:
    encoder = parts.encoder()
    by_setting = None if settings.reranker_base_url else settings.relevance_floor
    floor = Floor(by_setting, parts.calibrated_floor, EMBEDDED_FLOOR)
    yield told("Embedded encoder", embedding_check, encoder)
    yield told("Embedded reranker", reranker_check, parts.sentence_reranker(encoder), floor)
    if not settings.embedding_base_url:
        yield told("Stored vectors", stored_vectors_check, parts.stored, encoder)


def _embedding_checks(settings: RetrievalSettings, parts: Parts) -> Iterator[Check]:
    if not (at := settings.embedding_server):
        yield _embedded("Embedding server", "the embedded encoder")
        return
    with parts.embedding(at) as model:
        yield from served_embedding_checks(at, model, settings.embedding_max_chars, parts.stored)


def _reranker_checks(settings: RetrievalSettings, parts: Parts) -> Iterator[Check]:
    if not (at := settings.reranker_server):
        yield _embedded("Reranker server", "the embedded reranker")
        return
    floor = Floor(settings.relevance_floor, parts.calibrated_floor, SERVED_FLOOR)
    with parts.reranker(at) as reranker:
        yield from served_reranker_checks(at, settings.reranker_api, reranker, floor, settings.reranker_max_chars)


def _chat_checks(settings: RetrievalSettings, parts: Parts) -> Iterator[Check]:
    if not (at := settings.chat_server):
        yield _embedded("Chat server", "quotations as answers")
        return
    with parts.chat(at) as model:
        yield from chat_checks("Chat", at, model, window_tokens=settings.chat_window_tokens, may_think=False)


def _extractor_checks(settings: RetrievalSettings, parts: Parts) -> Iterator[Check]:
    if not (at := settings.extractor_server):
        yield _embedded("Extractor server", "rules to understand questions")
    elif at != settings.chat_server:
        with parts.chat(at) as model:
            yield from chat_checks("Extractor", at, model, window_tokens=None, may_think=True)


def _embedded(subject: str, in_use: str) -> Check:
    return Check(subject, "ok", {"served": False, "in_use": in_use})
