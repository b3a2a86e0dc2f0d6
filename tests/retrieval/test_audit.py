"""What a record of the audit holds of an outcome, and that it stays small."""

import contextlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from evals.knowledge_base import knowledge_base
from retrieval.audit import record, short_record
from retrieval.build import build
from retrieval.settings import RetrievalSettings, load
from retrieval.types import AuditRecord, Conversation, Filters, Missing, ModelCall, Notice, Outcome, SourceFile, Viewer
from tests.model_servers.scripted import ScriptedModels
from tests.retrieval.auditing import answered, asked, checked, evidence, finding, refused

LOCKERS = {
    "lockers.md": "The locker deposit is 300 euros and is paid at the front desk.",
    "bikes.md": "The bike store opens at seven.",
}


def test_an_answer_is_recorded_with_all_that_it_was_made_from() -> None:
    with knowledge_base(LOCKERS) as footnote:
        outcome = footnote.pipeline.ask(Conversation("How much is the locker deposit?"), Viewer())
    kept = record(asked(question="How much is the locker deposit?"), outcome)

    assert (kept.kind, kept.reason, kept.reply) == ("answer", "", outcome.reply.text)
    assert "300 euros" in kept.reply
    assert kept.query
    assert [query.main_query for query in kept.searched] == [kept.query.main_query]
    best, *others = kept.candidates
    assert (best.document, best.evidence, best.cited) == ("lockers.md", 1, 1)
    assert all(item.relevance <= best.relevance and item.cited is None for item in others)
    assert LOCKERS["lockers.md"] in kept.draft
    assert [(f.n, f.valid, f.reason, f.document) for f in kept.findings] == [(1, True, "verbatim", "lockers.md")]
    assert kept.doubts == ()
    assert kept.models == {
        "questions": "rules", "embeddings": "the embedded encoder", "reranking": "the embedded reranker",
        "answers": "quotations",
    }  # fmt: skip
    assert kept.calls == (ModelCall("RERANKER", "best-sentence-and-coverage-2"),)
    assert (kept.floor, kept.knowledge_base, kept.gaps) == (0.5, 2, ())
    assert set(kept.timings_ms) == {"extract", "recall", "rerank", "answer", "check"}


def test_a_served_models_names_prompts_and_tokens_are_recorded_and_no_key(tmp_path: Path) -> None:
    (tmp_path / "lockers.md").write_text(LOCKERS["lockers.md"], "utf-8")
    with ScriptedModels() as models:
        models.chat.say({"main_query": "locker deposit", "language": "en"})
        models.chat.say({"answerable": True, "answer": "The deposit is 300 euros [1].", "missing": ""})
        settings = load(
            RetrievalSettings,
            {
                "_env_file": None, "data_dir": tmp_path / "data", "chat_base_url": models.chat_url,
                "chat_api_key": "sk-very-secret",
            },
        )  # fmt: skip
        with contextlib.closing(build(settings)) as footnote:
            footnote.library.ingest(SourceFile("lockers.md", tmp_path / "lockers.md"))
            outcome = footnote.pipeline.ask(Conversation("How much is the locker deposit?"), Viewer())
    kept = record(asked(), outcome)

    called = [call for call in kept.calls if call.service == "CHAT"]
    assert kept.kind == "answer"
    assert len(called) == 2
    assert all(call.model and call.prompt_tokens and call.completion_tokens for call in called)
    assert kept.prompt_tokens == sum(call.prompt_tokens or 0 for call in called)
    assert set(kept.prompts) == {"extract_query", "answer"}
    assert "sk-very-secret" not in json.dumps(kept.as_json())


def test_an_outage_is_recorded_as_a_failure_and_not_as_a_gap() -> None:
    outcome = replace(refused("where is the key"), reply=Notice("service_unavailable", "Sorry (incident 12)."))

    kept = record(asked(), outcome)

    assert (kept.kind, kept.reason, kept.gaps) == ("failure", "service_unavailable", ())


def test_statements_that_did_not_hold_are_doubts_with_what_became_of_them() -> None:
    out, elsewhere, fine = "You have 27 days.", "Ask the front desk.", "You have 26 days of leave."
    findings = (
        finding(fine, 1, "verbatim"),
        finding(out, 1, "number", "27"),
        finding(elsewhere, 1, "meaning"),
        finding(elsewhere, 2, "recited"),
    )

    kept = record(asked(), answered(evidence(7), evidence(9), checked=checked(*findings, removed=[out])))

    assert [(d.statement, d.outcome, d.reason, d.n, d.passage, d.detail) for d in kept.doubts] == [
        (out, "left_out", "number", 1, 7, ("27",)),
        (elsewhere, "recited", "meaning", 1, 7, ()),
    ]
    assert kept.findings == findings
    assert kept.removed == (out,)


@pytest.mark.parametrize(("doubtful", "outcomes"), [(True, ["marked"]), (False, [])])
def test_a_statement_that_stays_without_support_is_a_doubt_where_it_is_marked_else_a_remark(
    doubtful: bool, outcomes: list[str]
) -> None:
    found = checked(finding("The passages do not say more.", None, "not_cited"), doubtful=doubtful)

    assert [d.outcome for d in record(asked(), answered(evidence(1), checked=found)).doubts] == outcomes


@pytest.mark.parametrize(
    ("one", "other", "lang"),
    [
        ("Where is the parking garage?", "where is the Parking garage", "en"),
        ("Onde fica o estacionamento?", "onde fica o Estacionamento", "pt"),
        ("停车场在哪里？", "停车场在哪里", "zh"),
        ("Where does the bus stop @alice.smith?", "where does the bus stop?", "en"),
    ],
)
def test_a_refused_question_is_a_gap_that_is_the_same_however_it_is_written(one: str, other: str, lang: str) -> None:
    (gap,), (again,) = (record(asked(), refused(question, lang)).gaps for question in (one, other))

    assert gap.key == again.key
    assert gap.key != record(asked(), refused("How much is the deposit?")).gaps[0].key
    assert "alice" not in gap.question


def test_the_part_of_a_message_that_got_no_answer_is_a_gap_once() -> None:
    outcome = answered(evidence(1), unanswered=("the wifi password", "The wifi password?"))

    assert [gap.question for gap in record(asked(), outcome).gaps] == ["the wifi password"]


def test_what_could_not_be_searched_for_as_it_should_is_no_gap() -> None:
    outcome = replace(answered(evidence(1), unanswered=("the wifi password",)), missing=(Missing.EMBEDDING,))

    assert record(asked(), outcome).gaps == ()


def test_whatever_people_and_models_write_a_record_stays_small_and_can_be_written_anywhere() -> None:
    huge = "年假\ud83d\0 " * 20_000
    statements = [f"{n} {huge}" for n in range(200)]
    query = replace(
        answered(evidence(1)).query, main_query=huge, explanation=huge, expansions=(huge,) * 50,
        key_phrases=(huge,) * 50, criteria=(huge,) * 50, filters=Filters((huge,) * 50, (huge,) * 50),
    )  # fmt: skip
    outcome = answered(
        *(evidence(n, document=huge, text=huge) for n in range(1, 900)),
        draft=huge, searched=(query,) * 50, unanswered=(huge,) * 50, calls=(ModelCall("CHAT", "m"),) * 500,
        checked=checked(*(finding(s, 1, "number", huge, huge) for s in statements), removed=statements),
    )  # fmt: skip

    kept = record(asked(question=huge), replace(outcome, query=replace(query, parts=(query,) * 50))).as_json()

    written = json.dumps(kept, ensure_ascii=False).encode("utf-8")
    assert len(written) < 600_000
    assert "\0" not in kept["question"]
    assert AuditRecord.from_json(json.loads(written)).as_json() == kept


def test_what_the_answerer_was_given_is_recorded_however_far_down_it_stood() -> None:
    found = tuple(evidence(n) for n in range(1, 200))

    kept = record(asked(), answered(*found, used=(found[150], found[3])))

    assert [(item.number, item.evidence) for item in kept.candidates if item.evidence] == [(4, 2), (151, 1)]


def test_a_record_of_the_first_version_can_still_be_read() -> None:
    kept = json.loads((Path(__file__).parent / "audit_record_1.json").read_text("utf-8"))

    read = AuditRecord.from_json(kept)

    assert read.candidates[0].document == "handbook.md"
    assert [(doubt.outcome, doubt.reason) for doubt in read.doubts] == [("left_out", "number")]
    assert read.searched[0].filters.documents == ("handbook.md",)


def test_a_message_for_which_nothing_was_looked_up_is_recorded_in_short() -> None:
    kept = short_record(asked(question="hi"), "notice", "busy", "Please ask again.")

    assert (kept.question, kept.kind, kept.reason, kept.reply) == ("hi", "notice", "busy", "Please ask again.")
    assert (kept.query, kept.candidates, kept.gaps) == (None, (), ())


def test_a_question_that_was_never_searched_for_has_no_generation() -> None:
    with knowledge_base(LOCKERS) as footnote:
        outcome: Outcome = footnote.pipeline.ask(Conversation("hello"), Viewer())

    kept = record(asked(), outcome)

    assert (kept.kind, kept.reason, kept.knowledge_base) == ("notice", "small_talk", None)
