"""Messages and threads that give orders beside a question, asked by a stranger."""

import pytest

from retrieval.build import Footnote
from retrieval.types import Answer, Filters, IngestReport, Notice, Outcome, Viewer
from retrieval.visible import visible
from tests.injection.harm import harm
from tests.injection.messages import MESSAGES, Asked
from tests.model_servers.scripted import ScriptedChat


def ask(footnote: Footnote, asked: Asked) -> Outcome:
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
    does_no_harm(ask(quoting, asked), asked)


@pytest.mark.parametrize("asked", MESSAGES, ids=lambda asked: asked.id)
def test_models_that_obey_a_hostile_message_do_no_harm(obedient: tuple[Footnote, ScriptedChat], asked: Asked) -> None:
    does_no_harm(ask(obedient[0], asked), asked)


@pytest.mark.parametrize("id", ["order-in-tags", "order-in-selectors", "order-in-zero-width", "tags-in-the-thread"])
def test_no_model_is_shown_what_no_reader_of_a_message_sees(obedient: tuple[Footnote, ScriptedChat], id: str) -> None:
    footnote, chat = obedient
    before = len(chat.calls)

    ask(footnote, next(asked for asked in MESSAGES if asked.id == id))

    prompts = [message["content"] for call in chat.bodies[before:] for message in call["messages"]]
    assert prompts
    assert [prompt for prompt in prompts if visible(prompt) != prompt] == []
