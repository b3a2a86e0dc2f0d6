"""What a newcomer asks of the sample documents, and what comes back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli.demo import HINTS
from evals.knowledge_base import knowledge_base
from retrieval.build import Footnote
from retrieval.types import Answer, Conversation, Message, Refusal, Viewer

SAMPLES = Path(__file__).resolve().parents[1] / "samples"

ANSWERS = [
    (HINTS[0], "26 days", "employee-handbook.md"),
    (HINTS[1], "115 EUR", "travel-policy.md"),
    (HINTS[2], "9 jours", "guide-bureau-lyon.md"),
    ("How long is the probation period?", "four months", "employee-handbook.md"),
    ("How much per kilometre for my own car?", "0.42 EUR", "travel-policy.md"),
    ("What does E-24 mean and what do I do?", "Replace the cable", "heron-3-service-manual.pdf"),
    ("How do I replace the battery of the Heron 3?", "Unscrew the cap", "heron-3-service-manual.pdf"),
    ("What is the range of the TW-310/D?", "0–100 m", "product-sheet.md"),
    ("What is the price of a Curlew?", "2,150 EUR", "product-sheet.md"),
    ("My laptop was stolen, who must I call?", "extension 333", "galway-office-and-security-faq.txt"),
    ("Can I bring my dog to work?", "Yes, on Fridays", "galway-office-and-security-faq.txt"),
    ("Qual é o valor do subsídio de refeição?", "9,60 EUR", "guia-escritorio-lisboa.md"),
    ("上海办公室的午餐补贴是多少？", "35元", "上海办公室指南.md"),
    ("How many days per week may I work from home in Lyon?", "deux jours", "guide-bureau-lyon.md"),
]
REFUSED = [HINTS[3], "What is the weather like on Mars?", "Who founded Tidewren?", "Do we have a gym?"]


@pytest.fixture(scope="module")
def footnote() -> Iterator[Footnote]:
    with knowledge_base({path.name: path for path in SAMPLES.iterdir()}) as built:
        yield built


@pytest.mark.parametrize(("question", "words", "document"), ANSWERS)
def test_the_samples_answer_it_from_the_right_document(
    footnote: Footnote, question: str, words: str, document: str
) -> None:
    reply = footnote.pipeline.ask(Conversation(question), Viewer()).reply

    assert isinstance(reply, Answer)
    assert words in reply.text
    assert document in {citation.passage.document for citation in reply.citations}


@pytest.mark.parametrize("question", REFUSED)
def test_what_the_samples_do_not_hold_is_refused(footnote: Footnote, question: str) -> None:
    assert isinstance(footnote.pipeline.ask(Conversation(question), Viewer()).reply, Refusal)


def test_a_follow_up_in_the_thread_is_answered(footnote: Footnote) -> None:
    thread = (Message("person", HINTS[0]), Message("bot", "26 days."))

    reply = footnote.pipeline.ask(Conversation("And after ten years?", thread), Viewer()).reply

    assert isinstance(reply, Answer)
    assert "30 days" in reply.text


def test_a_passage_of_the_pdf_is_cited_with_its_page(footnote: Footnote) -> None:
    reply = footnote.pipeline.ask(Conversation("What does E-24 mean and what do I do?"), Viewer()).reply

    assert isinstance(reply, Answer)
    assert reply.citations[0].passage.page == 4
