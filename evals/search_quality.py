"""Is the right document among the first? XQuAD in one language and across two, and laws in four languages."""

from collections.abc import Sequence
from pathlib import Path

from evals import laws, xquad
from evals.knowledge_base import knowledge_base
from evals.report import Report
from retrieval.build import Footnote
from retrieval.types import Viewer

_PASSAGES = 20
"""How deep the ranking of passages is read to find ten distinct documents."""


def evaluate(data: Path) -> Report:
    """Recall@1, 5 and 10 over distinct documents, of the full search: recall, fusion, reranking."""
    report = Report("retrieval")
    halves = {lang: xquad.load(data, lang) for lang in ("en", "es")}
    bars = {"en-en": (0.93, 0.99), "es-es": (0.92, 0.985), "es-en": (None, 0.94), "en-es": (None, None)}
    for in_language in ("en", "es"):
        with knowledge_base(halves[in_language].documents) as footnote:
            for asked_in in ("en", "es"):
                pair = f"{asked_in}-{in_language}"
                ranks = [document_rank(footnote, q.text, q.document) for q in halves[asked_in].questions]
                report.add(f"XQuAD {pair} R@1", _recall(ranks, 1), bars[pair][0])
                report.add(f"XQuAD {pair} R@5", _recall(ranks, 5), bars[pair][1])
                report.add(f"XQuAD {pair} R@10", _recall(ranks, 10))
    _laws(data, report)
    return report


def document_rank(footnote: Footnote, question: str, document: str) -> int | None:
    """From 1, over distinct documents; None where it is not found."""
    _, hits = footnote.pipeline.search(question, Viewer(), _PASSAGES)
    ranking = list(dict.fromkeys(hit.passage.document for hit in hits))
    return ranking.index(document) + 1 if document in ranking else None


def _recall(ranks: Sequence[int | None], k: int) -> float:
    return sum(rank is not None and rank <= k for rank in ranks) / len(ranks)


def _laws(data: Path, report: Report) -> None:
    files, questions = laws.load(data)
    with knowledge_base(files) as footnote:
        answerable = [(q, q.document) for q in questions if q.document]
        ranks = {q.id: document_rank(footnote, q.text, document) for q, document in answerable}
        report.add(f"laws R@5 ({len(ranks)} questions)", _recall(list(ranks.values()), 5), 1.0)
        report.misses += [f"laws {id}: rank {rank}" for id, rank in ranks.items() if rank is None or rank > 5]
