"""The floor and what each part is worth, found on a small real knowledge base."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from evals.own.ablation import ablation
from evals.own.calibration import calibrate
from evals.own.runs import calibrated
from evals.report import Report
from retrieval.build import Footnote, build
from retrieval.errors import ConfigurationError, ServiceUnavailable
from retrieval.ladder import ServedPart
from retrieval.search.rerank import Judge
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Conversation, ExtractedQuery, Missing, SourceFile, Viewer
from tests.command_line import footnote as footnote_command
from tests.evals.samples import QUESTIONS, sample_documents
from tests.model_servers.scripted import Body, Reply, ScriptedChat, ScriptedModels


@pytest.fixture(scope="module")
def samples() -> Iterator[Footnote]:
    with sample_documents() as footnote:
        yield footnote


def test_the_floor_tells_the_questions_apart_and_is_told_with_its_curve(samples: Footnote) -> None:
    found = calibrate(samples.pipeline, QUESTIONS, 0.05)
    figures = {figure.name: figure.value for figure in found.report.figures}

    [relevances] = found.report.relevances
    assert max(relevances.scores.unanswerable) < found.chosen.floor <= min(relevances.scores.answerable)
    assert (found.chosen.false_refusals, found.chosen.refused) == (0.0, 1.0)
    assert found.reranker == samples.pipeline.finding.rerank.embedded.reranker.name
    assert found.questions == 5
    assert (figures["questions with an answer"], figures["questions without an answer"]) == (3, 2)
    assert figures["AUC of the best relevance"] == 1.0
    assert figures["floor before"] == 0.5
    assert figures["floor now"] == round(found.chosen.floor, 4)
    assert "fewer than 30" in found.report.notes[0]
    curve = found.report.as_json()["relevances"][0]["curve"]
    assert {"floor": 0.95, "false_refusals": 0.0, "refused": 1.0}.keys() == curve[0].keys()
    assert [point["refused"] for point in curve] == sorted(point["refused"] for point in curve)


def test_questions_of_one_kind_cannot_calibrate(samples: Footnote) -> None:
    with pytest.raises(ConfigurationError, match='"answerable": false'):
        calibrate(samples.pipeline, QUESTIONS[:3], 0.05)


class Fails:
    """A served reranker that does not answer."""

    name = "fails"

    def score(self, _query: ExtractedQuery, _passages: object) -> list[float]:
        raise ServiceUnavailable("RERANKER_BASE_URL: nobody answers")


def test_no_floor_is_found_by_scores_of_another_reranker(samples: Footnote) -> None:
    finding = samples.pipeline.finding
    served = replace(finding.rerank, served=Judge(Fails(), 0.5), part=ServedPart(Missing.RERANKER, 0.5))

    with pytest.raises(ServiceUnavailable, match="the reranker did not judge 5 questions"):
        calibrate(replace(samples.pipeline, finding=replace(finding, rerank=served)), QUESTIONS, 0.05)


def rows(report: Report) -> list[tuple[str, str, bool, str]]:
    return [(setting.part, setting.name, setting.in_force, setting.needs) for setting in report.settings]


def test_each_part_is_set_otherwise_in_turn(samples: Footnote) -> None:
    report = ablation(samples, load(RetrievalSettings, {"_env_file": None}), QUESTIONS)

    assert rows(report) == [
        ("rewriting", "none", False, ""),
        ("rewriting", "rules", True, ""),
        *(("rewriting", name, False, "needs CHAT_BASE_URL") for name in ("q2e", "q2d", "cot", "multi")),
        ("recall", "dense", False, ""),
        ("recall", "keyword", False, ""),
        ("recall", "hybrid", True, ""),
        ("rerank", "off", False, ""),
        ("rerank", "on", True, ""),
        ("check", "off", False, ""),
        ("check", "on", True, ""),
    ]
    by_name = {(setting.part, setting.name): setting.values for setting in report.settings}
    assert by_name["rewriting", "rules"]["answered rightly"] == 1.0
    assert by_name["rerank", "off"]["unanswerable refused"] == 0.0
    assert by_name["rerank", "on"]["unanswerable refused"] == 1.0
    assert by_name["check", "on"]["hallucinated statements"] == 0.0
    assert "hallucinated statements" not in by_name["recall", "dense"]


def test_strategies_of_a_language_model_are_tried_where_there_is_one(samples: Footnote) -> None:
    def query(messages: list[Body]) -> Reply:
        return {"main_query": "probation period", "language": "en", "standalone": True, "kind": "question"}

    with ScriptedModels(chat=ScriptedChat(reply=query)) as models:
        settings = load(RetrievalSettings, {"_env_file": None, "extractor_base_url": models.chat_url})
        report = ablation(samples, settings, QUESTIONS[:1])
        asked = len(models.chat.calls)

    assert rows(report)[:6] == [
        ("rewriting", "none", False, ""),
        ("rewriting", "rules", False, ""),
        *(("rewriting", name, name == "q2e", "") for name in ("q2e", "q2d", "cot", "multi")),
    ]
    assert asked == 3
    assert all(setting.values["answered rightly"] == 1.0 for setting in report.settings[3:6])
    assert not any("left to the rules" in setting.values for setting in report.settings)


@pytest.mark.parametrize("set_by_hand", [False, True])
def test_the_floor_is_kept_and_holds_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_by_hand: bool
) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(
        '{"question": "What does a locker cost?", "documents": ["lockers.md"]}\n'
        '{"question": "Who is the mayor of Lisbon?", "answerable": false}\n',
        "utf-8",
    )
    (tmp_path / "lockers.md").write_text("A locker costs 300 euros.", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    with closing(build(load(RetrievalSettings))) as footnote:
        footnote.library.ingest(SourceFile("lockers.md", tmp_path / "lockers.md"))
    if set_by_hand:
        monkeypatch.setenv("RELEVANCE_FLOOR", "0.9")

    found = calibrated(file, 0.05)

    with closing(build(load(RetrievalSettings))) as footnote:
        floor = footnote.pipeline.ask(Conversation("What does a locker cost?"), Viewer()).trace.floor
        assert footnote.floors.get(found.reranker) == found.chosen.floor
    assert floor == (0.9 if set_by_hand else found.chosen.floor)
    assert any("RELEVANCE_FLOOR=0.9 is set" in note for note in found.report.notes) is set_by_hand


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    done = footnote_command("eval", "calibrate", "--questions", "gone.jsonl", data_dir=tmp_path)

    assert (done.code, done.err) == (2, "footnote: --questions: there is no gone.jsonl\n")
