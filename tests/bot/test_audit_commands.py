"""`footnote audit` keeps its contracts: JSON shapes, CSV, exit codes, and nothing of those who are forgotten."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bot.cli import app
from retrieval.adapters.sql import SqlStore, open_store
from retrieval.audit import record, short_record
from retrieval.errors import FootnoteError
from retrieval.types import COMMAND_LINE, ModelCall
from tests.retrieval.adapters.new_versions import new_version
from tests.retrieval.auditing import DAY, answered, asked, checked, evidence, finding, refused_record

FORMULA = '=HYPERLINK("https://evil.example")'


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqlStore]:
    """The store that the commands of the test work on: with an answer, a refusal and a notice."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    with closing(open_store(f"sqlite:///{tmp_path / 'footnote.db'}")) as opened:
        opened.publish(new_version("handbook.md", "You have 26 days."))
        out = finding("You have 27 days.", 1, "number", "27")
        outcome = answered(
            evidence(1), checked=checked(out, removed=[out.statement]), calls=(ModelCall("CHAT", "Qwen3-4B", 812, 64),)
        )
        opened.audit.add(record(asked("100.0", FORMULA), outcome))
        opened.audit.add(refused_record("101.0", "wifi \x1b[31mpassword", asker="U2"))
        opened.audit.add(
            short_record(asked("102.0", "hi", asked_at=DAY.replace(year=2027)), "notice", "busy", "Later.")
        )
        yield opened


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["audit", *arguments])


def lines(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.usefixtures("store")
def test_the_list_as_json_and_for_people() -> None:
    first, second, third = lines(run("list", "--json"))

    keys = {"id", "asked_at", "asker", "channel", "thread", "message", "question", "kind", "reason", "reply"}
    assert set(first) == keys
    assert [line["kind"] for line in (first, second, third)] == ["answer", "refusal", "notice"]
    assert [line["message"] for line in lines(run("list", "--json", "--most", "2"))] == ["101.0", "102.0"]
    assert [line["message"] for line in lines(run("list", "--json", "--since", "2026-12-01"))] == ["102.0"]
    shown = run("list").stdout
    assert "U2 in C1  refusal (below_floor): wifi [31mpassword" in shown
    assert "\x1b" not in shown


@pytest.mark.usefixtures("store")
def test_a_record_is_shown_whole_with_the_texts_of_its_passages() -> None:
    (number, *_) = [str(line["id"]) for line in lines(run("list", "--json"))]

    (whole,) = lines(run("show", number, "--json"))
    shown = run("show", number).stdout

    wanted = {
        "id", "channel", "message", "thread", "asker", "asked_at", "question", "labels", "kind", "reason", "reply",
        "reply_message", "query", "searched", "candidates", "floor", "draft", "findings", "removed", "doubts", "gaps",
        "missing", "models", "prompts", "calls", "timings_ms", "knowledge_base", "prompt_tokens", "completion_tokens",
    }  # fmt: skip
    assert set(whole) == wanted
    assert whole["candidates"][0]["text"] == "You have 26 days."
    assert (whole["prompt_tokens"], whole["completion_tokens"], whole["knowledge_base"]) == (812, 64, 4)
    for part in (FORMULA, "cited [1]", "You have 26 days.", "Left out: You have 27 days.", "CHAT Qwen3-4B", "812 + 64"):
        assert part in shown, part


@pytest.mark.usefixtures("store")
def test_an_unknown_number_is_told_in_a_line() -> None:
    assert isinstance(run("show", "99").exception, FootnoteError)
    assert isinstance(run("review", "--done", "99", "--verdict", "right").exception, FootnoteError)
    assert run("review", "--done", "99").exit_code == 2


@pytest.mark.usefixtures("store")
def test_the_export_is_every_record_as_json_lines_or_as_a_table_without_formulas(tmp_path: Path) -> None:
    exported = lines(run("export"))
    table = list(csv.DictReader(io.StringIO(run("export", "--format", "csv").stdout)))
    written = run("export", "--format", "csv", "--since", "2026-12-01", "--out", str(tmp_path / "audit.csv"))

    assert [line["message"] for line in exported] == ["100.0", "101.0", "102.0"]
    assert exported[0]["findings"][0] == {
        "n": 1, "valid": False, "reason": "number", "statement": "You have 27 days.", "chunk_id": "c1",
        "document": "handbook.md", "detail": ["27"],
    }  # fmt: skip
    assert [row["question"] for row in table] == [f"'{FORMULA}", "wifi \x1b[31mpassword", "hi"]
    assert (table[0]["documents"], table[0]["removed"], table[0]["prompt_tokens"]) == ("handbook.md", "1", "812")
    assert (written.stdout, written.exit_code) == ("", 0)
    assert len((tmp_path / "audit.csv").read_text("utf-8").splitlines()) == 2
    assert isinstance(run("export", "--out", str(tmp_path / "no" / "folder.csv")).exception, FootnoteError)


def test_a_person_is_forgotten_and_their_questions_are_in_no_command(store: SqlStore) -> None:
    assert lines(run("forget", "U2", "--json")) == [{"user": "U2", "forgotten": 1}]

    for command in (["list"], ["export"], ["gaps"]):
        assert "wifi" not in run(*command).stdout
    assert [kept.asker for kept in store.audit.all()] == ["U1", "U1"]


@pytest.mark.usefixtures("store")
def test_gaps_as_json_and_for_people() -> None:
    (gap,) = lines(run("gaps", "--json"))

    assert set(gap) == {"question", "times", "last_asked"}
    assert (gap["times"], gap["last_asked"]) == (1, DAY.isoformat())
    assert "U2" not in run("gaps").stdout
    assert "1×  last 2026-03-02  wifi" in run("gaps").stdout


@pytest.mark.usefixtures("store")
def test_a_doubt_is_listed_with_its_passage_until_it_is_closed() -> None:
    (item,) = lines(run("review", "--json"))
    shown = run("review").stdout
    closed = lines(run("review", "--done", str(item["id"]), "--verdict", "wrong", "--json"))

    assert set(item) == {
        "id", "record", "asked_at", "question", "statement", "outcome", "reason", "detail", "n", "chunk_id",
        "document", "passage",
    }  # fmt: skip
    assert (item["statement"], item["outcome"], item["reason"]) == ("You have 27 days.", "left_out", "number")
    assert item["passage"] == "You have 26 days."
    assert "does not give that number (27; handbook.md)" in shown
    assert closed == [{"id": item["id"], "verdict": "wrong"}]
    assert run("review").stdout == "Nothing to review.\n"


def test_a_passage_that_is_gone_is_null(store: SqlStore) -> None:
    store.delete("handbook.md")

    assert lines(run("review", "--json"))[0]["passage"] is None
    assert lines(run("show", "1", "--json"))[0]["candidates"][0]["text"] is None


def test_questions_on_the_command_line_leave_records_and_old_ones_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    (tmp_path / "lockers.md").write_text("# Lockers\n\nThe locker deposit is 300 euros.\n", "utf-8")
    questions = ["How much is the locker deposit?", "Who won the football championship in 1998?"]
    (tmp_path / "questions.txt").write_text("\n".join(questions), "utf-8")
    with closing(open_store(f"sqlite:///{tmp_path / 'data' / 'footnote.db'}")) as store:
        store.audit.add(replace(refused_record("100.0", "long ago"), asked_at=DAY.replace(year=2020)))

    for command in (["ingest", str(tmp_path / "lockers.md")], ["ask", "--questions", str(tmp_path / "questions.txt")]):
        assert CliRunner().invoke(app, command).exit_code == 0

    listed = lines(run("export"))
    assert [(line["asker"], line["question"], line["kind"]) for line in listed] == [
        (COMMAND_LINE, questions[0], "answer"),
        (COMMAND_LINE, questions[1], "refusal"),
    ]
    assert listed[0]["labels"] == ["admins", "everyone"]
