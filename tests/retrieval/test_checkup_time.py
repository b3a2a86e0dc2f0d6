"""A server that hangs holds up neither the checkup nor what else is examined."""

import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from retrieval.adapters.openai_models import OpenAIEmbeddings
from retrieval.checkup.embedding import served_embedding_checks
from retrieval.checkup.examination import side_by_side
from retrieval.errors import ServiceUnavailable
from retrieval.settings import ModelAddress
from retrieval.types import Check, StoreState
from tests.model_servers.scripted import Fault, ScriptedModels


def other() -> list[Check]:
    return [Check("Other")]


@pytest.mark.parametrize("fault", ["hang", "trickle"])
def test_a_server_that_does_not_answer_is_given_up(fault: Fault) -> None:
    with ScriptedModels() as models:
        models.embedding.fail(fault)
        url = models.embedding_url

        def embedding() -> Iterator[Check]:
            with closing(OpenAIEmbeddings(url, None, None, instruction="", max_chars=2000)) as model:
                yield from served_embedding_checks(
                    ModelAddress("EMBEDDING", url), model, 2000, lambda _: StoreState(0, 1)
                )

        stuck, fine = side_by_side({"Embedding server": embedding, "Other": other}, each_s=0.5)

    assert (stuck.subject, stuck.status) == ("Embedding server", "wrong")
    assert "start it anew" in stuck.advice
    assert fine == Check("Other")


def test_what_was_found_before_a_hang_is_kept() -> None:
    never = threading.Event()

    def hangs() -> Iterator[Check]:
        yield Check("Server")
        never.wait()

    found = side_by_side({"Server": hangs, "Other": other}, each_s=0.1)
    never.set()

    assert [(check.subject, check.status) for check in found] == [
        ("Server", "ok"),
        ("Server", "wrong"),
        ("Other", "ok"),
    ]


def test_an_examination_that_fails_is_told_among_the_others() -> None:
    def outage() -> list[Check]:
        raise ServiceUnavailable("CHAT: nobody is there")

    def fault() -> list[Check]:
        raise ZeroDivisionError

    found = side_by_side({"Chat": outage, "Faulty": fault, "Other": other})

    assert found[0] == Check("Chat", "wrong", advice="nobody is there")
    assert "a fault of Footnote (ZeroDivisionError())" in found[1].advice
    assert found[2] == Check("Other")
