"""How much faster the served models are used than by one call after another, on a server with a fixed time a call.

Each figure is a ratio of two times from one run, so that the machine's speed falls out.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import requests

from evals.report import Report
from evals.stress.steady_models import steady_models
from retrieval.build import Footnote, build
from retrieval.library.embed import EMBEDDED_AT_ONCE
from retrieval.ports import EmbeddingModel
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Candidate, ExtractedQuery, Passage, SourceFile

_LATENCY_MS = 20
_PASSAGES = 200
_RERANKED = 50
_TIMES = 5
_ONE_BY_ONE = 7.0
_LISTS = 20.0
_QUERY = "Where is the spare key kept?"


def evaluate() -> Report:
    """Ingesting and reranking with one text a call, and with lists of texts."""
    report = Report("throughput")
    texts = [f"Room {n} is opened with key {n}, which is kept in box {n}." for n in range(_PASSAGES)]
    with steady_models(_LATENCY_MS) as address:
        one_s = _timed_s(lambda: _embed_in_turn(address, texts))
        report.add("embedding in turn, texts a second", _PASSAGES / one_s)
        for server, bar in (("swift", _ONE_BY_ONE), ("vllm", _LISTS)):
            embedded_s, ingested_s = _ingest_s(f"{address}/{server}", texts)
            report.add(f"embedding of an ingest, times as fast ({server})", one_s / embedded_s, bar)
            report.add(f"whole ingest, times as fast ({server})", one_s / ingested_s)
        few = texts[:_RERANKED]
        one_s = _timed_s(lambda: _score_in_turn(address, few))
        report.add("reranking in turn, passages a second", _RERANKED / one_s)
        for server, bar in (("swift", _ONE_BY_ONE), ("vllm", _LISTS)):
            report.add(f"rerank, times as fast ({server})", one_s / _rerank_s(f"{address}/{server}", few), bar)
    return report


def _embed_in_turn(address: str, texts: list[str]) -> None:
    with requests.Session() as session:
        for text in texts:
            session.post(f"{address}/swift/embeddings", json={"input": text}, timeout=10).raise_for_status()


def _score_in_turn(address: str, texts: list[str]) -> None:
    with requests.Session() as session:
        for text in texts:
            messages = [{"role": "user", "content": _QUERY}, {"role": "assistant", "content": text}]
            session.post(
                f"{address}/swift/chat/completions", json={"messages": messages}, timeout=10
            ).raise_for_status()


def _ingest_s(address: str, texts: list[str]) -> tuple[float, float]:
    """Seconds for embedding the passages of a document as an ingest does, and for the whole way: read, cut, embedded,
    stored."""
    with tempfile.TemporaryDirectory() as folder:
        footnote = _footnote(Path(folder) / "data", embedding_base_url=address)
        try:
            for name in ("first", "measured"):
                document = Path(folder) / f"{name}.md"
                document.write_text("".join(f"# {name} {n}\n\n{text}\n\n" for n, text in enumerate(texts)), "utf-8")
            _ingest(footnote, Path(folder) / "first.md")
            embedding = footnote.pipeline.finding.recall.dense.embedding
            embedded_s = _median_s(lambda: _embed(embedding, texts))
            return embedded_s, _timed_s(lambda: _ingest(footnote, Path(folder) / "measured.md"))
        finally:
            footnote.close()


def _embed(embedding: EmbeddingModel, texts: list[str]) -> None:
    for start in range(0, len(texts), EMBEDDED_AT_ONCE):
        embedding.embed(texts[start : start + EMBEDDED_AT_ONCE], "passage")


def _ingest(footnote: Footnote, path: Path) -> None:
    report = footnote.library.ingest(SourceFile(path.name, path))
    if report.chunks != _PASSAGES:
        raise ValueError(f"{report.chunks} passages instead of {_PASSAGES}: {report.message}")


def _rerank_s(address: str, texts: list[str]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        api = "swift" if address.endswith("swift") else "rerank"
        footnote = _footnote(Path(folder) / "data", reranker_base_url=address, reranker_api=api)
        try:
            rerank, query = footnote.pipeline.finding.rerank, ExtractedQuery(_QUERY, "en")
            candidates = [
                Candidate(Passage(n, str(n), text, "rooms.md", "Rooms", 1, 1), None, None, 0.0)
                for n, text in enumerate(texts)
            ]
            rerank.ranked(query, candidates)  # opens the connections
            return _median_s(lambda: rerank.ranked(query, candidates))
        finally:
            footnote.close()


def _footnote(data_dir: Path, **served: str) -> Footnote:
    return build(load(RetrievalSettings, {"_env_file": None, "data_dir": data_dir, **served}))


def _timed_s(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _median_s(work: Callable[[], object]) -> float:
    return statistics.median(_timed_s(work) for _ in range(_TIMES))
