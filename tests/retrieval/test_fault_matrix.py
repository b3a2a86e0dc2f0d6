"""Each served part against everything that can go wrong with it: one reply of the right kind, always."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from retrieval.build import Footnote, build
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Answer, Conversation, Message, Missing, Notice, Outcome, Refusal, SourceFile, Viewer
from tests.model_servers.faults import Fault
from tests.model_servers.scripted import Body, ScriptedChat, ScriptedModels
from tests.model_servers.service import Service

QUESTION = "How much is the locker deposit?"
UNDERSTOOD: Body = {
    "main_query": QUESTION,
    "main_query_explanation": "Passages about the locker deposit. They typically cover what it costs.",
    "key_phrases": ["locker deposit"],
    "expansions": ["price of a locker deposit", "money left for a locker"],
    "filters": {},
    "criteria": [],
    "ranking": "relevance",
    "language": "en",
    "standalone": True,
    "kind": "question",
    "clarification": "",
}
ANSWERED: Body = {"answerable": True, "answer": "The locker deposit is 300 euros [1].", "missing": ""}
BUDGET_S = 6.0
NEVER_IN_TIME_S = 60.0


@pytest.fixture(scope="module")
def models() -> Iterator[ScriptedModels]:
    with ScriptedModels(chat=ScriptedChat(reply=lambda messages: ANSWERED)) as served:
        yield served


@pytest.fixture(scope="module")
def extracting() -> Iterator[ScriptedModels]:
    with ScriptedModels(chat=ScriptedChat(reply=lambda messages: UNDERSTOOD)) as served:
        yield served


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory, models: ScriptedModels, extracting: ScriptedModels) -> Path:
    folder = tmp_path_factory.mktemp("matrix")
    for name, text in (
        ("lockers.md", "# Lockers\n\nThe locker deposit is 300 euros and is paid at the front desk."),
        ("bikes.md", "# Bike store\n\nThe bike store opens at seven."),
    ):
        (folder / name).write_text(text, "utf-8")
        footnote = served(folder / "data", models, extracting)
        assert footnote.library.ingest(SourceFile(name, folder / name)).status == "new"
        footnote.close()
    return folder / "data"


def served(data_dir: Path, models: ScriptedModels, extracting: ScriptedModels, **changed: Any) -> Footnote:
    """A Footnote for which every part is served, and no server has been asked yet."""
    addresses = {
        "chat_base_url": models.chat_url,
        "extractor_base_url": extracting.chat_url,
        "embedding_base_url": models.embedding_url,
        "reranker_base_url": models.reranker_url,
    }
    settings = {"_env_file": None, "data_dir": data_dir, "question_budget_s": BUDGET_S, **addresses, **changed}
    return build(load(RetrievalSettings, settings))


@pytest.fixture
def footnote(data_dir: Path, models: ScriptedModels, extracting: ScriptedModels) -> Iterator[Footnote]:
    services(models, extracting)
    made = served(data_dir, models, extracting)
    yield made
    made.close()
    for service in services(models, extracting).values():
        service.heal()


def services(models: ScriptedModels, extracting: ScriptedModels) -> dict[Missing, Service]:
    found = {
        Missing.EXTRACTOR: extracting.chat,
        Missing.EMBEDDING: models.embedding,
        Missing.RERANKER: models.reranker,
        Missing.CHAT: models.chat,
    }
    for service in found.values():
        service.requests.clear()
    return found


def ask(footnote: Footnote, question: str = QUESTION, *earlier: Message) -> Outcome:
    return footnote.pipeline.ask(Conversation(question, earlier), Viewer())


def test_a_simple_question_costs_one_call_of_each_server(
    footnote: Footnote, models: ScriptedModels, extracting: ScriptedModels
) -> None:
    outcome = ask(footnote)

    assert isinstance(outcome.reply, Answer)
    assert outcome.reply.text == "The locker deposit is 300 euros [1]."
    assert outcome.missing == ()
    assert outcome.caveat == ""
    calls = [len(service.calls) for service in (extracting.chat, models.embedding, models.reranker, models.chat)]
    assert calls == [1, 1, 1, 1]


@pytest.mark.parametrize("fault", sorted({*get_args(Fault)} - {"trickle"}))  # to those who wait it is a hang
@pytest.mark.parametrize("part", [Missing.EXTRACTOR, Missing.EMBEDDING, Missing.RERANKER, Missing.CHAT])
def test_a_question_is_answered_without_the_part_that_fails_and_says_so(
    footnote: Footnote, models: ScriptedModels, extracting: ScriptedModels, part: Missing, fault: Fault
) -> None:
    services(models, extracting)[part].fail(fault, slow_s=NEVER_IN_TIME_S)

    outcome = ask(footnote)

    assert isinstance(outcome.reply, Answer)
    assert "300 euros" in outcome.reply.text
    assert outcome.missing == (part,)
    assert outcome.caveat


@pytest.mark.parametrize("part", [Missing.EXTRACTOR, Missing.EMBEDDING, Missing.RERANKER, Missing.CHAT])
def test_a_slow_server_is_waited_for_and_nothing_is_missing(
    footnote: Footnote, models: ScriptedModels, extracting: ScriptedModels, part: Missing
) -> None:
    services(models, extracting)[part].fail("slow_then_fine", slow_s=0.2)

    assert ask(footnote).missing == ()


@pytest.mark.parametrize("part", [Missing.EXTRACTOR, Missing.EMBEDDING, Missing.RERANKER, Missing.CHAT])
def test_a_passing_trouble_is_not_even_noticed(
    footnote: Footnote, models: ScriptedModels, extracting: ScriptedModels, part: Missing
) -> None:
    services(models, extracting)[part].fail("503", times=1)

    assert ask(footnote).missing == ()


def test_with_every_server_out_the_embedded_parts_answer(
    footnote: Footnote, models: ScriptedModels, extracting: ScriptedModels
) -> None:
    for service in services(models, extracting).values():
        service.fail("refused")

    outcome = ask(footnote)

    assert isinstance(outcome.reply, Answer)
    assert "300 euros" in outcome.reply.text
    assert set(outcome.missing) == {Missing.EXTRACTOR, Missing.EMBEDDING, Missing.RERANKER, Missing.CHAT}


UNANSWERABLE = "Who painted the ceiling of the opera?"


@pytest.mark.parametrize("part", [Missing.EXTRACTOR, Missing.RERANKER, Missing.CHAT])
def test_what_the_documents_do_not_hold_is_refused_though_a_part_is_out(
    footnote: Footnote, models: ScriptedModels, extracting: ScriptedModels, part: Missing
) -> None:
    if part is not Missing.EXTRACTOR:
        extracting.chat.say({"main_query": UNANSWERABLE, "language": "en", "kind": "question"})
    services(models, extracting)[part].fail("refused")

    assert isinstance(ask(footnote, UNANSWERABLE).reply, Refusal)


def test_keywords_alone_never_tell_that_the_documents_do_not_hold_an_answer(
    footnote: Footnote, models: ScriptedModels, extracting: ScriptedModels
) -> None:
    for service in services(models, extracting).values():
        service.fail("refused")

    reply = ask(footnote, UNANSWERABLE).reply

    assert isinstance(reply, Notice)
    assert reply.reason == "service_unavailable"


def test_a_server_that_is_out_is_left_alone_by_the_next_question(
    footnote: Footnote, models: ScriptedModels, extracting: ScriptedModels
) -> None:
    models.reranker.fail("refused")
    ask(footnote)
    models.reranker.heal()
    models.reranker.requests.clear()

    assert ask(footnote).missing == (Missing.RERANKER,)
    assert models.reranker.calls == []


def test_a_weak_models_nonsense_costs_the_next_question_nothing(
    footnote: Footnote, models: ScriptedModels, extracting: ScriptedModels
) -> None:
    models.chat.say("I like lockers!", "Really, I do.")

    assert ask(footnote).missing == (Missing.CHAT,)
    assert ask(footnote).missing == ()


def test_a_document_is_not_taken_in_by_halves_while_the_embedding_server_is_out(
    footnote: Footnote, models: ScriptedModels, extracting: ScriptedModels, tmp_path: Path
) -> None:
    document = tmp_path / "parking.md"
    document.write_text("A parking permit costs 40 euros a month.", "utf-8")
    models.embedding.fail("500")

    report = footnote.library.ingest(SourceFile("parking.md", document))
    assert (report.status, report.reason) == ("failed", "embedding_failed")
    assert "parking.md" not in {version.document for version in footnote.library.list()}

    models.embedding.heal()
    assert footnote.library.ingest(SourceFile("parking.md", document)).status == "new"
    footnote.library.delete("parking.md")


def test_when_nothing_can_answer_it_is_an_outage_with_an_incident(
    data_dir: Path, models: ScriptedModels, extracting: ScriptedModels
) -> None:
    footnote = served(data_dir, models, extracting)
    footnote.close()
    (data_dir / "footnote.db").rename(data_dir / "away.db")
    (data_dir / "footnote.db").mkdir()
    try:
        reply = ask(footnote).reply
    finally:
        (data_dir / "footnote.db").rmdir()
        (data_dir / "away.db").rename(data_dir / "footnote.db")

    assert isinstance(reply, Notice)
    assert reply.reason == "service_unavailable"
