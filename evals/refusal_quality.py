"""Are questions without an answer told from those with one? XQuAD with every second article left out."""

from pathlib import Path

from evals import clapnq, laws, xquad
from evals.knowledge_base import knowledge_base
from evals.report import Report
from evals.xquad import Xquad
from retrieval.build import Footnote
from retrieval.types import Conversation, Refusal, Viewer

_BARS = {"en-en": (0.05, 0.80), "es-es": (0.05, 0.80), "es-en": (0.15, 0.75), "en-es": (None, None)}


def evaluate(data: Path) -> Report:
    """At the default floor: false refusals, and the share of unanswerable questions refused, over both halves."""
    report = Report("refusal")
    halves = {lang: xquad.load(data, lang) for lang in ("en", "es")}
    counts: dict[str, list[tuple[bool, bool]]] = {pair: [] for pair in _BARS}
    for in_language in ("en", "es"):
        for kept in (0, 1):
            with knowledge_base(_kept(halves[in_language], kept)) as footnote:
                for asked_in in ("en", "es"):
                    counts[f"{asked_in}-{in_language}"] += [
                        (question.article % 2 == kept, refuses(footnote, question.text))
                        for question in halves[asked_in].questions
                    ]
    for pair, outcomes in counts.items():
        most_false, least_right = _BARS[pair]
        answerable = [refused for has_answer, refused in outcomes if has_answer]
        without = [refused for has_answer, refused in outcomes if not has_answer]
        report.add(f"XQuAD {pair}: false refusals", sum(answerable) / len(answerable), most_false, "lower")
        report.add(f"XQuAD {pair}: unanswerable refused", sum(without) / len(without), least_right)
    _laws(data, report)
    _clapnq(data, report)
    return report


def refuses(footnote: Footnote, question: str) -> bool:
    return isinstance(footnote.pipeline.ask(Conversation(question), Viewer()).reply, Refusal)


def _kept(half: Xquad, parity: int) -> dict[str, str]:
    return {name: text for name, text in half.documents.items() if half.articles[name] % 2 == parity}


def _laws(data: Path, report: Report) -> None:
    files, questions = laws.load(data)
    with knowledge_base(files) as footnote:
        outcomes = {q.id: (q.document is None, refuses(footnote, q.text)) for q in questions}
    refused = [was for without, was in outcomes.values() if without]
    false = [id for id, (without, was) in outcomes.items() if was and not without]
    report.add(f"laws: unanswerable refused ({len(refused)} questions)", sum(refused) / len(refused), 1.0)
    report.add("laws: false refusals", len(false) / (len(outcomes) - len(refused)), None, "lower")
    report.misses += [f"laws {id}: refused" for id in false]


def _clapnq(data: Path, report: Report) -> None:
    """The hard kind: each question's own passages are there, but do not answer it. Reported only."""
    documents, questions = clapnq.load(data)
    with knowledge_base(documents) as footnote:
        outcomes = [(question.answerable, refuses(footnote, question.text)) for question in questions]
    for name, wanted in (("false refusals", True), ("unanswerable refused", False)):
        refused = [was for answerable, was in outcomes if answerable is wanted]
        report.add(f"ClapNQ: {name}", sum(refused) / len(refused))
