"""The measurements on public data, on small data sets of the same shape."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from evals.data_sets import clapnq
from evals.own.question import Question
from evals.own.runs import calibrated
from evals.public_questions import of_cast, of_clapnq
from evals.report import Report
from evals.run import EVALUATIONS, WHOLE, run_eval
from retrieval.build import build
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Message

_FACTS = {
    "Lockers": ("The locker deposit is 300 euros.", "How much is the locker deposit?", "300 euros"),
    "Bikes": ("The bike store opens at seven.", "When does the bike store open?", "at seven"),
    "Dogs": ("Dogs may come along on Fridays.", "When may dogs come along?", "on Fridays"),
    "Parking": ("Parking permits are given out by office nine.", "Who gives out parking permits?", "office nine"),
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    _write_xquad(folder / "xquad")
    _write_clapnq(folder / "clapnq")
    _write_laws(folder / "laws")
    _write_cast(folder / "cast")
    return folder


def _write_xquad(folder: Path) -> None:
    articles = [
        {"paragraphs": [{"context": text, "qas": [{"question": question, "answers": [{"text": answer}]}]}]}
        for text, question, answer in _FACTS.values()
    ]
    folder.mkdir()
    for lang in ("en", "es"):
        (folder / f"xquad.{lang}.json").write_text(json.dumps({"data": articles}), "utf-8")


def _write_clapnq(folder: Path) -> None:
    def row(id: str, question: str, title: str, *answers: list[str]) -> dict[str, Any]:
        passage = {"title": title, "text": f"{_FACTS[title][0]} It has been so for long."}
        output = [{"answer": " ".join(sentences), "selected_sentences": sentences} for sentences in answers]
        return {"id": id, "input": question, "passages": [passage], "output": output}

    answered = [row(title, _FACTS[title][1], title, [f" {_FACTS[title][0]} "], []) for title in ("Lockers", "Bikes")]
    unanswered = [row("Dogs", "Which vaccinations does a hamster need abroad?", "Dogs", [])]
    folder.mkdir()
    for name, rows in (("answerable", answered), ("unanswerable", unanswered)):
        (folder / f"{name}_first150.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")


def _write_laws(folder: Path) -> None:
    rows = [
        {"id": "1", "lang": "zh", "question": "押金是多少？", "document": "法.md", "answer_contains": ["300元"]},
        {"id": "2", "lang": "fr", "question": "Qui a gagné la coupe du monde de football ?"},
    ]
    folder.mkdir()
    (folder / "法.md").write_text("# 储物柜办法\n\n第一条 储物柜的押金是300元。", "utf-8")
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")


def _write_cast(folder: Path) -> None:
    turns = [
        {
            "number": number,
            "raw_utterance": asked,
            "passage": _FACTS["Parking"][0],
            "automatic_rewritten_utterance": asked,
            "manual_rewritten_utterance": asked,
        }
        for number, asked in enumerate((_FACTS["Parking"][1], "Where is that?"), start=1)
    ]
    folder.mkdir()
    (folder / "cast2021_13topics_with_passages.json").write_text(json.dumps([{"number": 1, "turn": turns}]), "utf-8")


def values(report: Report) -> dict[str, float]:
    return {figure.name: figure.value for figure in report.figures}


def test_clapnq_comes_with_the_sentences_of_each_annotator_that_chose_some(data: Path) -> None:
    documents, rows = clapnq.load(data)
    _, questions = of_clapnq(data)

    assert len(documents) == len(rows) == 3
    assert rows[0].references == ((_FACTS["Lockers"][0],),)
    assert questions[0] == Question(
        rows[0].text, documents=("Lockers-0.md",), references=rows[0].references, language="en"
    )
    assert questions[2] == Question(rows[2].text, answerable=False, language="en")


def test_turns_of_conversations_come_with_their_thread(data: Path) -> None:
    _, questions = of_cast(data)

    answer, asked, _ = _FACTS["Parking"]
    assert questions[1].earlier == (Message("person", asked), Message("bot", answer))
    assert questions[1].documents == ("000.md",)


def test_search_is_measured_over_distinct_documents(data: Path) -> None:
    found = values(run_eval("retrieval", data, None))

    assert found["XQuAD en-en R@5"] == 1.0
    assert found["XQuAD en-en MRR"] <= found["XQuAD en-en nDCG@10"] <= 1.0
    assert found["laws R@5 (1 questions)"] == 1.0


def test_answers_are_held_against_gold_words_and_gold_sentences(data: Path) -> None:
    report = run_eval("answers", data, None)
    found = values(report)

    assert found["XQuAD en: gold span quoted"] == 1.0
    assert found["laws: answer quoted (1 questions)"] == 1.0
    assert found["ClapNQ: gold sentences in the reply"] == 1.0
    assert 0.5 <= found["ClapNQ: statements that are gold sentences"] <= 1.0
    assert found["ClapNQ: quotes verbatim in the passage they cite"] == 1.0
    assert found["ClapNQ: citation recall (ALCE)"] == 1.0
    assert {figure.name: figure.bar for figure in report.figures}[
        "ClapNQ: quotes verbatim in the passage they cite"
    ] == 0.95


def test_refusals_are_told_with_their_whole_curve(data: Path, tmp_path: Path) -> None:
    report = run_eval("refusal", data, tmp_path)
    found = values(report)

    assert found["ClapNQ: AUC"] == 1.0
    assert found["ClapNQ: unanswerable refused at <= 15% false refusals"] == 1.0
    assert found["laws: refusals in the language asked"] == 1.0
    [relevances] = json.loads((tmp_path / "refusal.json").read_text("utf-8"))["relevances"]
    assert (relevances["questions"], relevances["floor"], relevances["auc"]) == ("ClapNQ", 0.5, 1.0)
    assert len(relevances["curve"]) == 19
    assert "Refusals at every floor" in (tmp_path / "report.html").read_text("utf-8")


def test_every_part_of_the_whole_can_be_had_alone() -> None:
    assert set(WHOLE) <= set(EVALUATIONS)


def test_parts_are_compared_on_questions_and_follow_ups_of_one_knowledge_base(data: Path) -> None:
    report = run_eval("ablation", data, None)

    by_name = {(setting.part, setting.name): setting.values for setting in report.settings}
    assert by_name["rewriting", "rules"]["Recall@5"] >= by_name["rewriting", "none"]["Recall@5"]
    assert by_name["rewriting", "rules"]["unanswerable refused"] == 1.0


def test_public_questions_calibrate_the_floor_of_one_s_own_knowledge_base(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))

    found = calibrated(data, 0.0)

    with closing(build(load(RetrievalSettings))) as footnote:
        assert footnote.floors.get(found.reranker) == found.chosen.floor
        assert footnote.library.list() == []
    assert (found.chosen.false_refusals, found.chosen.refused) == (0.0, 1.0)
