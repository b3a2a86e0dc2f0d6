"""The whole flow on the real stack: embedded models, SQLite, Faiss, Tantivy."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from evals.knowledge_base import knowledge_base
from retrieval.build import Footnote
from retrieval.errors import ServiceUnavailable
from retrieval.search.recall import Recall
from retrieval.types import (
    Answer,
    Candidate,
    Conversation,
    ExtractedQuery,
    Message,
    Notice,
    Refusal,
    SourceFile,
    Viewer,
)

LOCKERS = {
    "lockers.md": "The locker deposit is 300 euros and is paid at the front desk.",
    "bikes.md": "The bike store opens at seven.",
}


@contextmanager
def holding(documents: dict[str, str]) -> Iterator[Footnote]:
    with knowledge_base(documents) as footnote:
        yield footnote


def ranking(footnote: Footnote, question: str) -> list[str]:
    _, hits = footnote.pipeline.search(question, Viewer(), 20)
    return list(dict.fromkeys(hit.passage.document for hit in hits))


@pytest.fixture(scope="module")
def lockers() -> Iterator[Footnote]:
    with holding(LOCKERS) as footnote:
        yield footnote


def test_an_answer_quotes_its_source_and_cites_it(lockers: Footnote) -> None:
    outcome = lockers.pipeline.ask(Conversation("How much is the locker deposit?"), Viewer())

    assert isinstance(outcome.reply, Answer)
    assert outcome.reply.text == f"{LOCKERS['lockers.md'].removesuffix('.')} [1]."
    [citation] = outcome.reply.citations
    assert (citation.n, citation.passage.document, citation.quotes) == (1, "lockers.md", (LOCKERS["lockers.md"],))
    assert set(outcome.timings_ms) == {"extract", "recall", "rerank", "answer", "check"}


@pytest.mark.parametrize(
    "question", ["储物柜押金是多少？", "Quanto é a caução do cacifo?", "Quel est le montant de la caution du casier ?"]
)
def test_a_question_in_another_language_finds_the_passage(lockers: Footnote, question: str) -> None:
    assert ranking(lockers, question)[0] == "lockers.md"


@pytest.mark.parametrize(
    ("question", "refusal"),
    [
        ("Qual é a cor do telhado do museu?", "Não consigo responder"),
        ("Quelle est la couleur du toit du musée ?", "Je ne peux pas répondre"),
        ("博物馆的屋顶是什么颜色？", "当前知识库无法回答"),
        ("What colour is the roof of the museum?", "I can't answer this"),
    ],
)
def test_what_the_documents_do_not_hold_is_refused_in_the_askers_language(
    lockers: Footnote, question: str, refusal: str
) -> None:
    reply = lockers.pipeline.ask(Conversation(question), Viewer()).reply

    assert isinstance(reply, Refusal)
    assert reply.reason == "below_floor"
    assert reply.text.startswith(refusal)


def test_a_follow_up_is_answered_from_the_thread(lockers: Footnote) -> None:
    thread = (Message("person", "How much is the locker deposit?"), Message("bot", "300 euros."))

    reply = lockers.pipeline.ask(Conversation("And where is it paid?", thread), Viewer()).reply

    assert isinstance(reply, Answer)
    assert "front desk" in reply.text


def test_a_follow_up_is_answered_by_what_it_adds_to_the_thread() -> None:
    leave = (
        "Full-time employees have 26 days of paid annual leave. After five years of service the entitlement rises to "
        "28 days, and after ten years to 30 days. Unused days lapse on 31 March."
    )
    thread = (Message("person", "How many days of annual leave do I get?"), Message("bot", "26 days."))

    with holding({"leave.md": leave}) as footnote:
        reply = footnote.pipeline.ask(Conversation("And after ten years?", thread), Viewer()).reply

    assert isinstance(reply, Answer)
    assert "30 days" in reply.text
    assert "26 days" not in reply.text


@pytest.mark.parametrize(
    ("message", "reason"), [("hi", "small_talk"), ("what can you do?", "help"), ("", "empty_question")]
)
def test_messages_without_a_question_get_a_notice_and_no_search(lockers: Footnote, message: str, reason: str) -> None:
    outcome = lockers.pipeline.ask(Conversation(message), Viewer())

    assert isinstance(outcome.reply, Notice)
    assert outcome.reply.reason == reason
    assert set(outcome.timings_ms) == {"extract"}


def test_an_empty_knowledge_base_says_so() -> None:
    with holding({}) as footnote:
        reply = footnote.pipeline.ask(Conversation("How many leave days do I have?"), Viewer()).reply

    assert isinstance(reply, Refusal)
    assert reply.reason == "knowledge_base_empty"


def test_a_search_that_fails_is_an_outage_and_never_a_refusal(
    lockers: Footnote, caplog: pytest.LogCaptureFixture
) -> None:
    class Down(Recall):
        def candidates(self, query: ExtractedQuery, viewer: Viewer, k: int) -> list[Candidate]:
            raise ServiceUnavailable("index locked")

    working = lockers.pipeline.finding.recall
    broken = Down(working.indexes, working.passages, working.dense, working.alpha)
    finding = replace(lockers.pipeline.finding, recall=broken)

    reply = replace(lockers.pipeline, finding=finding).ask(Conversation("How much is the deposit?"), Viewer()).reply

    assert isinstance(reply, Notice)
    assert reply.reason == "service_unavailable"
    assert "index locked" not in reply.text
    assert "index locked" in caplog.text


def test_exact_amounts_and_codes_are_told_apart() -> None:
    padding = [
        "The stakeholder list is kept by the project office and reviewed in May.",
        "Budget talks are held in the blue room and minutes are kept.",
        "The approved plan covers four sites and two suppliers.",
        "Each site keeps a list of contacts and phone numbers.",
        "Variance is discussed with the finance team every month.",
    ]
    errors = {
        "e1.md": "E-1042: pump pressure too low, open valve 3.",
        "e2.md": "E-1024: door not closed.",
        "e3.md": "E-10420: fan speed sensor missing.",
        "e4.md": "E-1402: filter full.",
    }
    budget = {"b1.md": "Ceiling for phase one: $3,150,000 over two years."}

    with holding({**{f"x{n}.md": text for n, text in enumerate(padding)}, **errors, **budget}) as footnote:
        assert ranking(footnote, "Ceiling for phase one: $3,150,000")[0] == "b1.md"
        assert ranking(footnote, "3150000")[0] == "b1.md"
        assert "b1.md" in ranking(footnote, "$3.15 million ceiling")[:5]
        assert ranking(footnote, "What does E-1042 mean?")[0] == "e1.md"
        reply = footnote.pipeline.ask(Conversation("What does E-1042 mean?"), Viewer()).reply

    assert isinstance(reply, Answer)
    assert "pressure" in reply.text
    assert not any(word in reply.text for word in ("door", "fan speed", "filter full"))


def test_copies_of_a_passage_do_not_crowd_out_another_fact() -> None:
    copies = {f"c{n}.md": "Bikes are parked in hall B." for n in range(10)}

    with holding({**copies, "keys.md": "Bike keys are at the front desk."}) as footnote:
        outcome = footnote.pipeline.ask(Conversation("Where do I park my bike and where is the key?"), Viewer())

    texts = [evidence.passage.text for evidence in outcome.evidence]
    assert len(texts) == len(set(texts))
    assert any("hall B" in text for text in texts)
    assert any("front desk" in text for text in texts)


def test_documents_for_admins_are_recalled_for_admins_alone(tmp_path: Path) -> None:
    secret = tmp_path / "salaries.md"
    secret.write_text("The salary of the director is 120,000 euros a year.", "utf-8")
    question = Conversation("What is the salary of the director?")

    with holding(LOCKERS) as footnote:
        footnote.library.ingest(SourceFile("salaries.md", secret, visibility="admins"))
        everyone = footnote.pipeline.ask(question, Viewer())
        admin = footnote.pipeline.ask(question, Viewer.admin())

    assert all(evidence.passage.document != "salaries.md" for evidence in everyone.evidence)
    assert isinstance(everyone.reply, Refusal)
    assert isinstance(admin.reply, Answer)


def test_a_new_version_stays_for_those_the_document_was_for_unless_told_otherwise(tmp_path: Path) -> None:
    salaries = tmp_path / "salaries.md"
    question = Conversation("What is the salary of the director?")

    with holding({}) as footnote:
        for euros, visibility in (("120,000", "admins"), ("125,000", None)):
            salaries.write_text(f"The salary of the director is {euros} euros a year.", "utf-8")
            footnote.library.ingest(SourceFile("salaries.md", salaries, visibility=visibility, tags=None))
        again = footnote.library.ingest(SourceFile("salaries.md", salaries))
        [listed] = footnote.library.list()
        everyone = footnote.pipeline.ask(question, Viewer()).reply
        admin = footnote.pipeline.ask(question, Viewer.admin()).reply

    assert (again.status, listed.version, listed.visibility) == ("unchanged", 2, "admins")
    assert isinstance(everyone, Refusal)
    assert "125,000" in admin.text
