"""A small knowledge base and questions on it, for the tests of measuring one's own documents."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evals.knowledge_base import knowledge_base
from evals.own.question import Question
from retrieval.build import Footnote

_SAMPLES = Path(__file__).resolve().parents[2] / "samples"
DOCUMENTS = ("employee-handbook.md", "travel-policy.md", "上海办公室指南.md")

HANDBOOK = ("employee-handbook.md",)
QUESTIONS = [
    Question("How long is the probation period?", documents=HANDBOOK, answer_contains=("four months",), language="en"),
    Question("上海办公室的午餐补贴是多少？", documents=(DOCUMENTS[2],), answer_contains=("35元",), language="zh"),
    Question(
        "How many days of annual leave do I get?",
        documents=HANDBOOK,
        answer_contains=("26 days",),
        references=(("Full-time employees have 26 days of paid annual leave per calendar year.",),),
    ),
    Question("What is the weather like on Mars?", answerable=False, language="en"),
    Question("谁赢得了足球世界杯？", answerable=False, language="zh"),
]


@contextmanager
def sample_documents() -> Iterator[Footnote]:
    """A Footnote that holds three of the sample documents."""
    with knowledge_base({name: _SAMPLES / name for name in DOCUMENTS}) as footnote:
        yield footnote
