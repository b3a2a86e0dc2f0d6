"""Do the quoted sentences hold the answer? XQuAD: the answer's words inside the reply."""

from pathlib import Path

from evals import laws, xquad
from evals.knowledge_base import knowledge_base
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
