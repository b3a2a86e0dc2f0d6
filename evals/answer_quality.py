"""Do replies hold the answer, and does what they cite bear them out? XQuAD and laws by the words of the answer, ClapNQ
by the sentences that people chose."""

from pathlib import Path
from statistics import fmean

from evals import public_questions
from evals.data_sets import laws, xquad
from evals.knowledge_base import knowledge_base
from evals.measures.answers import holds
from evals.own import figures
from evals.own.asked import ask
from evals.own.measuring import judge_all
from evals.report import Report
from retrieval.types import Answer, Conversation, Viewer


def evaluate(data: Path) -> Report:
    """Share of questions whose reply holds the gold span, refusals counted as misses."""
    report = Report("answers")
    bars = {"en": 0.80, "es": None}
    for lang in ("en", "es"):
        half = xquad.load(data, lang)
        with knowledge_base(half.documents) as footnote:
            held = length = answered = 0
            for question in half.questions:
                reply = footnote.pipeline.ask(Conversation(question.text), Viewer()).reply
                if isinstance(reply, Answer):
                    answered += 1
                    length += len(reply.text)
                    held += " ".join(question.answer.split()) in " ".join(reply.text.split())
        report.add(f"XQuAD {lang}: gold span quoted", held / len(half.questions), bars[lang])
        report.add(f"XQuAD {lang}: answered", answered / len(half.questions))
        report.add(f"XQuAD {lang}: mean characters of a reply", length / max(answered, 1))
    _laws(data, report)
    _clapnq(data, report)
    return report


def _laws(data: Path, report: Report) -> None:
    files, questions = laws.load(data)
    answerable = [question for question in questions if question.document]
    held = 0
    with knowledge_base(files) as footnote:
        for question in answerable:
            reply = footnote.pipeline.ask(Conversation(question.text), Viewer()).reply
            good = isinstance(reply, Answer) and all(words in reply.text for words in question.answer_contains)
            held += good
            if not good:
                report.misses.append(f"laws {question.id} {question.text}: {reply.text}")
    report.add(f"laws: answer quoted ({len(answerable)} questions)", held / len(answerable))


def _clapnq(data: Path, report: Report) -> None:
    """Against the sentences that annotators chose, and by ALCE's definitions."""
    documents, questions = public_questions.of_clapnq(data)
    with knowledge_base(documents) as footnote:
        asked = [ask(footnote.pipeline, question) for question in questions if question.answerable]
        judged = judge_all(footnote.pipeline, asked)
    verbatim = [
        holds(citation.passage.text, quote)
        for one in asked
        if one.answer
        for citation in one.answer.citations
        for quote in citation.quotes
    ]
    report.add("ClapNQ: quotes verbatim in the passage they cite", fmean(verbatim), 0.95)
    values = figures.answer_values(asked) | figures.gold_values(asked, judged) | figures.citation_values(judged)
    for name, value in (values | figures.latency_values(asked)).items():
        report.add(f"ClapNQ: {name}", value, None, "lower" if name in figures.LOWER_IS_BETTER else "higher")
