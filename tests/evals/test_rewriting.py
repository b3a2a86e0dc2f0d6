"""The measurement of follow-ups, on small data sets of the same shape."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals import rewriting
from evals.data_sets import cast, mtrag
from evals.fusion_sweep import evaluate as evaluate_fusion
from retrieval.types import Message
from tests.command_line import footnote
from tests.model_servers.scripted import Body, Reply, ScriptedChat, ScriptedModels

_LOCKERS = "The locker deposit is 300 euros. It is paid at the front desk."
_REFUND = "The locker deposit is refunded by the caretaker, who needs the key."
_OTHERS = [f"The fee of permit {n} is refunded by office {n}." for n in range(8)]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """One conversation of two turns in each data set, and one turn on finance."""
    _write_cast(tmp_path / "cast")
    _write_mtrag(tmp_path / "mtrag")
    _write_xquad(tmp_path / "xquad")
    return tmp_path


def _write_cast(folder: Path) -> None:
    def turn(number: int, raw: str, rewrite: str, passage: str) -> dict[str, Any]:
        rewrites = {"automatic_rewritten_utterance": f"t5: {rewrite}", "manual_rewritten_utterance": rewrite}
        return {"number": number, "raw_utterance": raw, "passage": passage, **rewrites}

    first = "How much is the locker deposit?"
    lockers = [turn(1, first, first, _LOCKERS), turn(2, "Who refunds it?", "Who refunds the deposit?", _REFUND)]
    others = [turn(n, f"fee of permit {n}", f"fee of permit {n}", text) for n, text in enumerate(_OTHERS)]
    again = turn(99, first, first, _LOCKERS)
    topics = [{"number": 1, "turn": lockers}, {"number": 2, "turn": [*others, again]}]
    folder.mkdir()
    (folder / "cast2021_13topics_with_passages.json").write_text(json.dumps(topics), "utf-8")


def _write_mtrag(folder: Path) -> None:
    texts = {"d0": _LOCKERS, "d1": _REFUND, **{f"o{n}": text for n, text in enumerate(_OTHERS)}}
    asked = {"speaker": "user", "text": "How much is the locker deposit?"}
    answered = {"speaker": "agent", "text": "300 euros."}
    follow_up = {"speaker": "user", "text": "Who refunds it?"}
    tasks = [
        {"task_id": "a<::>1", "input": [asked], "contexts": [{"document_id": "d0"}]},
        {"task_id": "a<::>2", "input": [asked, answered, follow_up], "contexts": [{"document_id": "d1"}]},
        {"task_id": "f<::>1", "input": [{"speaker": "user", "text": "permit 3"}], "contexts": [{"document_id": "o3"}]},
        {"task_id": "f<::>2", "input": [{"speaker": "user", "text": "thanks"}], "contexts": []},
    ]
    documents = [{"document_id": id, "text": text} for id, text in texts.items()]
    folder.mkdir()
    subset = json.dumps({"documents": documents, "tasks": tasks})
    (folder / "reference_subset_with_human_evaluations.json").write_text(subset, "utf-8")
    for collection in ("clapnq", "cloud", "govt"):
        _write_collection(folder, collection, with_turns=collection == "cloud")


def _write_collection(folder: Path, name: str, *, with_turns: bool) -> None:
    questions = {
        "a<::>1": "|user|: How much is the locker deposit?",
        "a<::>2": "|user|: How much is the locker deposit?\n|user|: Who refunds it?",
        "b<::>2": "|user|: fee of permit 3\n|user|: who refunds it? ",
    }
    rewrites = dict.fromkeys(questions, "|user|: Who refunds the locker deposit?")
    qrels = ["query-id\tcorpus-id\tscore", "a<::>1\td0\t1", "a<::>2\td1\t1", "b<::>2\to3\t1", "c<::>1\telsewhere\t1"]
    for kind, texts in (("questions", {**questions, "c<::>1": "|user|: rain?"}), ("rewrite", rewrites)):
        rows = [json.dumps({"_id": id, "text": text}) for id, text in texts.items()]
        (folder / f"{name}_{kind}.jsonl").write_text("\n".join(rows if with_turns else []), "utf-8")
    (folder / f"{name}_qrels.tsv").write_text("\n".join(qrels if with_turns else qrels[:1]), "utf-8")


def _write_xquad(folder: Path) -> None:
    def paragraph(text: str, question: str, answer: str) -> dict[str, Any]:
        return {"context": text, "qas": [{"question": question, "answers": [{"text": answer}]}]}

    paragraphs = [
        paragraph(_LOCKERS, "How much is the locker deposit?", "300 euros"),
        paragraph(_REFUND, "Who?", "key"),
    ]
    folder.mkdir()
    for lang in ("en", "es"):
        (folder / f"xquad.{lang}.json").write_text(json.dumps({"data": [{"paragraphs": paragraphs}]}), "utf-8")


def test_turns_come_with_their_thread_and_copies_of_a_passage_are_one_document(data: Path) -> None:
    documents, turns = cast.load(data)

    assert documents["000.md"] == _LOCKERS
    assert len(documents) == 10
    assert (turns[1].message, *turns[1].documents) == ("Who refunds it?", "001.md")
    assert turns[1].earlier == (Message("person", "How much is the locker deposit?"), Message("bot", _LOCKERS))
    assert turns[1].rewrites == {"t5": "t5: Who refunds the deposit?", "human": "Who refunds the deposit?"}
    assert turns[2].earlier == ()
    assert list(turns[-1].documents) == ["000.md"]


def test_turns_without_a_passage_in_the_subset_are_left_out(data: Path) -> None:
    _, turns = mtrag.load(data)
    by_id = {turn.id: turn for turn in turns}

    assert set(by_id) == {"a<::>1", "a<::>2", "b<::>2", "f<::>1"}
    assert by_id["a<::>2"].earlier == (
        Message("person", "How much is the locker deposit?"),
        Message("bot", "300 euros."),
    )
    assert by_id["b<::>2"].earlier == (Message("person", "fee of permit 3"),)
    assert by_id["b<::>2"].message == "who refunds it?"
    assert by_id["f<::>1"].rewrites == {}


def test_programs_get_hit_rates_by_who_wrote_the_query(data: Path, tmp_path: Path) -> None:
    done = footnote("eval", "rewriting", "--data", str(data), "--json", "--out", str(tmp_path / "out"))

    [found] = done.lines
    assert {name: list(ways) for name, ways in found.items()} == {
        "cast2021": ["raw", "rules", "t5", "human"],
        "mtrag": ["last_turn", "rules", "human"],
    }
    assert found["mtrag"]["rules"] == {"hit@5": 1.0, "hit@10": 1.0}
    assert found["mtrag"]["last_turn"]["hit@5"] < 1.0
    kept = json.loads((tmp_path / "out" / "rewriting.json").read_text("utf-8"))
    assert done.code == (0 if kept["holds"] else 1)
    assert any("b<::>2 last_turn: who refunds it?" in miss for miss in kept["misses"])


def test_a_language_model_is_measured_where_the_settings_name_one(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def query(messages: list[Body]) -> Reply:
        rewritten = "Who refunds the locker deposit" if "refunds it" in messages[-1]["content"] else "locker deposit"
        return {"main_query": rewritten, "language": "en", "standalone": False, "kind": "question"}

    with ScriptedModels(chat=ScriptedChat(reply=query)) as models:
        monkeypatch.setenv("EXTRACTOR_BASE_URL", models.chat_url)
        report = rewriting.evaluate(data)

        assert models.chat.calls
    values = {figure.name: figure.value for figure in report.figures}
    assert list(report.summary["mtrag"]) == ["last_turn", "rules", "llm", "human"]
    assert values["cast2021: turns that the llm left to the rules"] == 0
    assert {"cast2021: llm hit@5", "mtrag on finance: llm hit@5"} <= values.keys()


def test_the_sweep_tells_what_meaning_keywords_and_both_find(data: Path) -> None:
    values = {figure.name: figure.value for figure in evaluate_fusion(data).figures}

    for name in ("CAsT 2021 rules", "MT-RAG human", "XQuAD en-es"):
        assert {f"{name}: hit@5 at alpha {alpha}" for alpha in ("0", "0.5", "1")} <= values.keys()
    assert values["XQuAD en-en: hit@5 at alpha 0.5"] == 1.0
