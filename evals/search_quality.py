"""Is the right document among the first? XQuAD in one language and across two, and laws in four languages."""

from pathlib import Path
from statistics import fmean

from evals.data_sets import laws, xquad
from evals.knowledge_base import knowledge_base
from evals.measures.ranking import first_rank, ndcg_at, recall_at, reciprocal_rank
from evals.report import Report
from retrieval.build import Footnote
from retrieval.types import Viewer

_PASSAGES = 20
"""How deep the ranking of passages is read to find ten distinct documents."""


def evaluate(data: Path) -> Report:
    """Recall, MRR and nDCG over distinct documents, of the full search: recall, fusion, reranking. Each question has
    one document that answers it, so that Recall@k is Accuracy@k, too."""
    report = Report("retrieval")
    halves = {lang: xquad.load(data, lang) for lang in ("en", "es")}
    bars = {"en-en": (0.93, 0.99), "es-es": (0.92, 0.985), "es-en": (None, 0.94), "en-es": (None, None)}
    for in_language in ("en", "es"):
        with knowledge_base(halves[in_language].documents) as footnote:
            for asked_in in ("en", "es"):
                pair = f"{asked_in}-{in_language}"
                found = [(_ranking(footnote, q.text), {q.document}) for q in halves[asked_in].questions]
                for k, bar in zip((1, 5, 10), (*bars[pair], None), strict=True):
                    report.add(f"XQuAD {pair} R@{k}", fmean(recall_at(k, *one) for one in found), bar)
                report.add(f"XQuAD {pair} MRR", fmean(reciprocal_rank(*one) for one in found))
                report.add(f"XQuAD {pair} nDCG@10", fmean(ndcg_at(10, *one) for one in found))
    _laws(data, report)
    return report


def _ranking(footnote: Footnote, question: str) -> list[str]:
    """Distinct documents, best first."""
    _, hits = footnote.pipeline.search(question, Viewer(), _PASSAGES)
    return list(dict.fromkeys(hit.passage.document for hit in hits))


def _laws(data: Path, report: Report) -> None:
    files, questions = laws.load(data)
    with knowledge_base(files) as footnote:
        answerable = [(q, q.document) for q in questions if q.document]
        ranks = {q.id: first_rank(_ranking(footnote, q.text), {document}) for q, document in answerable}
    hits = [rank is not None and rank <= 5 for rank in ranks.values()]
    report.add(f"laws R@5 ({len(ranks)} questions)", fmean(hits), 1.0)
    report.misses += [f"laws {id}: rank {rank}" for id, rank in ranks.items() if rank is None or rank > 5]
