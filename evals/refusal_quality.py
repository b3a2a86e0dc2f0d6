"""Are questions without an answer told from those with one? XQuAD with every second article left out."""

from pathlib import Path

from evals import public_questions
from evals.data_sets import laws, xquad
from evals.data_sets.xquad import Xquad
from evals.knowledge_base import knowledge_base
from evals.measures.refusals import ScoreSets, auc, best_point
from evals.own import figures
from evals.own.asked import ask
from evals.own.question import Question
from evals.own.variants import without_floor
from evals.report import Relevances, Report
from retrieval.build import Footnote
from retrieval.types import Conversation, Refusal, Viewer

_MOST_FALSE = 0.15
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
    files, rows = laws.load(data)
    with knowledge_base(files) as footnote:
        questions = [Question(row.text, row.document is not None, language=row.language) for row in rows]
        asked = [ask(footnote.pipeline, question) for question in questions]
    values = figures.refusal_values(asked)
    without = sum(row.document is None for row in rows)
    report.add(f"laws: unanswerable refused ({without} questions)", values["unanswerable refused"], 1.0)
    report.add("laws: false refusals", values[figures.FALSE_REFUSALS], None, "lower")
    report.add("laws: refusals in the language asked", values["refusals in the language asked"], 1.0)
    refused = [row.id for row, one in zip(rows, asked, strict=True) if one.refused and row.document]
    report.misses += [f"laws {id}: refused" for id in refused]


def _clapnq(data: Path, report: Report) -> None:
    """The hard kind: each question's own passages are there, but do not answer it. What is refused at any floor, be it
    since no passage is relevant enough or since none of them answers, gives the curve."""
    documents, questions = public_questions.of_clapnq(data)
    with knowledge_base(documents) as footnote:
        asked = [ask(footnote.pipeline, question) for question in questions]
        unfloored = without_floor(footnote.pipeline)
        scores: dict[bool, list[float]] = {True: [], False: []}
        for question in questions:
            one = ask(unfloored, question)
            scores[question.answerable].append(0.0 if one.refused else one.best)
    values = figures.refusal_values(asked)
    report.add("ClapNQ: false refusals", values[figures.FALSE_REFUSALS], None, "lower")
    report.add("ClapNQ: unanswerable refused", values["unanswerable refused"])
    found = Relevances("ClapNQ", ScoreSets(tuple(scores[True]), tuple(scores[False])), figures.floor_of(asked, 0.0))
    report.relevances.append(found)
    report.add("ClapNQ: AUC", auc(found.scores))
    best = best_point(found.scores, _MOST_FALSE)
    report.add(f"ClapNQ: unanswerable refused at <= {_MOST_FALSE:.0%} false refusals", best.refused, 0.50)
    report.add("ClapNQ: floor for that", best.floor)
