"""Documents that give orders, asked about their topic by a stranger; and messages that give orders beside a question.

They stand in one module so that the knowledge base is made once.
"""

import re

import pytest

from bot.report_lines import result_lines
from retrieval.build import Footnote
from retrieval.types import Answer, Conversation, Filters, IngestReport, Notice, Outcome, Viewer
from retrieval.visible import visible
from tests.injection.corpus import CORPUS, Hostile
from tests.injection.expected import HIDDEN, ONLY_A_BETTER_MODEL_HELPS, TOLD
from tests.injection.harm import harm, live_or_leaked
from tests.injection.messages import MESSAGES, Asked
from tests.injection.obedient import WAYS, Obedient
from tests.injection.oracle import effects
from tests.injection.written import SPELT
from tests.model_servers.scripted import ScriptedChat


def ask(footnote: Footnote, hostile: Hostile) -> Outcome:
    return footnote.pipeline.ask(Conversation(hostile.topic.question), Viewer())


@pytest.mark.parametrize("hostile", CORPUS, ids=lambda hostile: hostile.id)
def test_quotes_of_a_hostile_document_answer_and_do_no_harm(
    quoting: Footnote, reports: dict[str, IngestReport], hostile: Hostile
) -> None:
    assert reports[hostile.id].status == "new", reports[hostile.id].message
    outcome = ask(quoting, hostile)

    assert harm(outcome) == []
    assert isinstance(outcome.reply, Answer)
    assert hostile.topic.answer in outcome.reply.text


@pytest.mark.parametrize("hostile", CORPUS, ids=lambda hostile: hostile.id)
def test_a_model_that_obeys_a_hostile_document_still_answers_and_does_no_harm(
    obedient: tuple[Footnote, ScriptedChat], hostile: Hostile
) -> None:
    outcome = ask(obedient[0], hostile)

    assert harm(outcome) == []
    assert live_or_leaked(Notice("clarify", outcome.trace.draft or "-")) == []  # though nothing had been checked
    if hostile.id not in ONLY_A_BETTER_MODEL_HELPS:
        assert isinstance(outcome.reply, Answer)
        assert hostile.topic.answer in outcome.reply.text


@pytest.mark.parametrize("way", WAYS)
def test_a_word_that_no_passage_holds_is_not_shown_however_it_is_said(
    obedient: tuple[Footnote, ScriptedChat], monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    footnote, chat = obedient
    monkeypatch.setattr(chat, "reply", Obedient(frozenset({way})))

    outcome = ask(footnote, next(hostile for hostile in CORPUS if hostile.id == "order-in-chinese"))

    assert harm(outcome) == []
    assert isinstance(outcome.reply, Answer)


@pytest.mark.parametrize("hostile", CORPUS, ids=lambda hostile: hostile.id)
def test_the_admin_is_told_what_is_hidden_in_a_document_and_the_report_does_no_harm(
    reports: dict[str, IngestReport], hostile: Hostile
) -> None:
    report = reports[hostile.id]
    line = result_lines(report)

    payload = {"text": line, "unfurl_links": False, "unfurl_media": False, "link_names": False, "parse": "none"}
    assert effects(payload) == []
    told = any(warning.startswith("Hidden text was left out") for warning in report.warnings)
    assert told == (hostile.id in TOLD)


def test_no_passage_holds_an_order_that_no_reader_sees(quoting: Footnote, reports: dict[str, IngestReport]) -> None:
    names = {hostile.document for hostile in CORPUS if hostile.id in HIDDEN}
    _, found = quoting.pipeline.search("all rules", Viewer.admin(), 1000)
    passages = [item.passage for item in found if item.passage.document in names]

    assert {passage.document for passage in passages} == names
    assert [passage.text for passage in passages if re.search(SPELT, passage.text)] == []


def said(footnote: Footnote, asked: Asked) -> Outcome:
    return footnote.pipeline.ask(asked.conversation, Viewer())


def documents(outcome: Outcome) -> set[str]:
    return {item.passage.document for item in outcome.evidence}


def does_no_harm(outcome: Outcome, asked: Asked) -> None:
    """What others said in the thread does not keep anybody from an answer; who spoils a question may get none."""
    assert harm(outcome) == []
    assert "vault.md" not in documents(outcome)
    assert outcome.query.filters == Filters()
    assert not isinstance(outcome.reply, Notice)
    if asked.before:
        assert isinstance(outcome.reply, Answer)
        assert asked.topic.answer in outcome.reply.text


@pytest.mark.parametrize("asked", MESSAGES, ids=lambda asked: asked.id)
def test_quotes_in_reply_to_a_hostile_message_do_no_harm(
    quoting: Footnote, reports: dict[str, IngestReport], asked: Asked
) -> None:
    assert reports
    does_no_harm(said(quoting, asked), asked)


@pytest.mark.parametrize("asked", MESSAGES, ids=lambda asked: asked.id)
def test_models_that_obey_a_hostile_message_do_no_harm(obedient: tuple[Footnote, ScriptedChat], asked: Asked) -> None:
    does_no_harm(said(obedient[0], asked), asked)


@pytest.mark.parametrize("id", ["order-in-tags", "order-in-selectors", "order-in-zero-width", "tags-in-the-thread"])
def test_no_model_is_shown_what_no_reader_of_a_message_sees(obedient: tuple[Footnote, ScriptedChat], id: str) -> None:
    footnote, chat = obedient
    before = len(chat.calls)

    said(footnote, next(asked for asked in MESSAGES if asked.id == id))

    prompts = [message["content"] for call in chat.bodies[before:] for message in call["messages"]]
    assert prompts
    assert [prompt for prompt in prompts if visible(prompt) != prompt] == []
