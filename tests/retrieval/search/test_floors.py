"""The relevance floor: the one that is set, else the one calibrated for the reranker, else the reranker's own."""

import logging
from collections.abc import Iterator

import pytest

from evals.knowledge_base import knowledge_base
from retrieval.build import Footnote
from retrieval.types import Conversation, Viewer
from tests.model_servers.scripted import ScriptedModels

DOCUMENTS = {"keys.md": "# Keys\n\nA spare key lies at the reception desk."}


@pytest.fixture
def models() -> Iterator[ScriptedModels]:
    with ScriptedModels() as running:
        yield running


def floor_of(footnote: Footnote) -> float | None:
    return footnote.pipeline.ask(Conversation("Where is a spare key?"), Viewer()).trace.floor


def test_the_embedded_reranker_has_its_own_until_it_is_calibrated() -> None:
    with knowledge_base(DOCUMENTS) as footnote:
        before = floor_of(footnote)
        footnote.floors.set(footnote.pipeline.finding.rerank.embedded.reranker.name, 0.61, 80)

        assert (before, floor_of(footnote)) == (0.5, 0.61)


def test_a_served_reranker_is_told_once_as_not_calibrated(
    models: ScriptedModels, caplog: pytest.LogCaptureFixture
) -> None:
    with knowledge_base(DOCUMENTS, reranker_base_url=models.reranker_url) as footnote:
        with caplog.at_level(logging.WARNING):
            floors = [floor_of(footnote), floor_of(footnote)]
        told = [record.getMessage() for record in caplog.records if "calibrated" in record.getMessage()]

        assert floors == [0.5, 0.5]
        assert len(told) == 1
        assert models.reranker.model in told[0]
        assert "footnote eval calibrate" in told[0]

        footnote.floors.set(models.reranker.model, 0.07, 80)
        assert floor_of(footnote) == 0.07


def test_a_floor_belongs_to_one_reranker(models: ScriptedModels) -> None:
    with knowledge_base(DOCUMENTS, reranker_base_url=models.reranker_url) as footnote:
        footnote.floors.set("another-reranker", 0.07, 80)

        assert floor_of(footnote) == 0.5


def test_the_floor_that_is_set_goes_before_the_calibrated_one(models: ScriptedModels) -> None:
    with knowledge_base(DOCUMENTS, reranker_base_url=models.reranker_url, relevance_floor=0.3) as footnote:
        footnote.floors.set(models.reranker.model, 0.07, 80)

        assert floor_of(footnote) == 0.3


def test_the_stand_in_keeps_its_own_floor(models: ScriptedModels) -> None:
    with knowledge_base(DOCUMENTS, reranker_base_url=models.reranker_url, relevance_floor=0.9) as footnote:
        models.reranker.fail("500")

        assert floor_of(footnote) == 0.5
