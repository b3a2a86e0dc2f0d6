"""The command line keeps its contracts: JSON shapes, exit codes, one line for what is wrong."""

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from typer.testing import CliRunner

from bot.cli import app
from bot.cli.demo_folder import take_for_demo
from bot.lock import only_bot_on
from tests.command_line import COMMAND, environment, footnote
from tests.running_workspace import APP_TOKEN, BOT_TOKEN, WorkspaceHandle, running_workspace

HANDBOOK = """# Handbook

## Annual leave

Full-time employees have 26 days of paid annual leave per calendar year.

## Lockers

The locker deposit is 300 euros and is paid back when you return the key.
"""
QUERY_KEYS = {"main_query", "explanation", "expansions", "filters"}


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with two documents."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "hr").mkdir()
    (folder / "hr" / "handbook.md").write_text(HANDBOOK, "utf-8")
    (folder / "canteen.txt").write_text("The canteen serves lunch from 11:30 to 13:45.\n", "utf-8")
    (folder / ".hidden.md").write_text("# Hidden", "utf-8")
    data = tmp_path_factory.mktemp("data")
    done = footnote("ingest", str(folder), "--json", data_dir=data)
    assert done.code == 0, done.err
    assert [(line["document"], line["status"]) for line in done.lines] == [
        ("canteen.txt", "new"),
        ("hr/handbook.md", "new"),
    ]
    keys = {"file", "document", "status", "chunks", "pages", "warnings", "reason", "message"}
    keys |= {"changes", "page_unit", "sections"}
    assert all(set(line) == keys for line in done.lines)
    return data


@pytest.fixture(scope="module")
def workspace() -> Iterator[WorkspaceHandle]:
    with running_workspace() as handle:
        yield handle


def test_an_answer_as_json(data_dir: Path) -> None:
    done = footnote("ask", "How much is the locker deposit?", "--json", data_dir=data_dir)

    (answer,) = done.lines
    assert done.code == 0
    assert set(answer) == {"kind", "text", "citations", "query", "missing", "timings_ms"}
    assert answer["kind"] == "answer"
    assert "300 euros" in answer["text"]
    citation = answer["citations"][0]
    assert set(citation) == {"n", "document", "version", "section", "page", "date", "quotes"}
    assert (citation["document"], citation["version"], citation["page"]) == ("hr/handbook.md", 1, None)
    assert citation["section"].endswith("Lockers")
    assert set(answer["query"]) == QUERY_KEYS


def test_an_answer_for_people_names_its_sources(data_dir: Path) -> None:
    done = footnote("ask", "How much is the locker deposit?", data_dir=data_dir)

    assert done.code == 0
    assert "300 euros" in done.out
    assert "[1] hr/handbook.md (v1)" in done.out


def test_a_refusal_is_a_success(data_dir: Path) -> None:
    done = footnote("ask", "Who won the football championship in 1998?", "--json", data_dir=data_dir)

    (refusal,) = done.lines
    assert done.code == 0
    assert set(refusal) == {"kind", "reason", "text", "query", "timings_ms"}
    assert refusal["kind"] == "refusal"


def test_many_questions_are_answered_in_order_one_object_a_line(data_dir: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.txt"
    questions.write_text("How many days of annual leave are there?\n\nhello\nWhen is lunch?\n", "utf-8")

    answered = footnote("ask", "--questions", str(questions), "--json", data_dir=data_dir)
    found = footnote("search", "--questions", str(questions), "--json", "--k", "2", data_dir=data_dir)

    assert [line["kind"] for line in answered.lines] == ["answer", "notice", "notice", "answer"]
    assert [line.get("reason") for line in answered.lines] == [None, "empty_question", "small_talk", None]
    assert set(answered.lines[2]) == {"kind", "reason", "text"}
    assert [0 < len(line["hits"]) <= 2 for line in found.lines] == [True, False, True, True]


def test_a_search_as_json(data_dir: Path) -> None:
    done = footnote("search", "locker deposit", "--json", "--k", "3", data_dir=data_dir)

    (found,) = done.lines
    assert set(found) == {"query", "hits"}
    keys = ["chunk_id", "document", "version", "section", "page", "text", "dense", "lexical", "fused", "relevance"]
    assert set(found["hits"][0]) == set(keys)
    assert found["hits"][0]["document"] == "hr/handbook.md"
    scores = [hit["relevance"] for hit in found["hits"]]
    assert scores == sorted(scores, reverse=True)


def test_a_search_for_people_shows_where_each_passage_stands(data_dir: Path) -> None:
    assert "hr/handbook.md (v1)" in footnote("search", "locker deposit", data_dir=data_dir).out


def test_the_list_as_json_and_for_people(data_dir: Path) -> None:
    listed = footnote("kb", "list", "--json", data_dir=data_dir)

    keys = ["document", "version", "title", "pages", "chunks", "visibility", "tags", "date", "ingested_at", "status"]
    keys += ["owner", "page_unit"]
    assert [line["document"] for line in listed.lines] == ["canteen.txt", "hr/handbook.md"]
    assert all(set(line) == set(keys) for line in listed.lines)
    assert "hr/handbook.md" in footnote("kb", "list", data_dir=data_dir).out


def test_new_content_is_a_new_version_and_a_deleted_document_is_gone(data_dir: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules.md"
    statuses = []
    for text in ("# Rules\n\nRing once.\n", "# Rules\n\nRing twice.\n"):
        rules.write_text(text, "utf-8")
        statuses += [line["status"] for line in footnote("ingest", str(rules), "--json", data_dir=data_dir).lines]

    deleted = footnote("kb", "delete", "rules.md", "--json", data_dir=data_dir)
    again = footnote("kb", "delete", "rules.md", data_dir=data_dir)

    assert statuses == ["new", "new_version"]
    assert (deleted.code, deleted.lines[0]["document"], deleted.lines[0]["version"]) == (0, "rules.md", 2)
    assert again.code == 1
    assert "rules.md" in again.err
    assert "Traceback" not in again.err


def test_a_bad_file_stops_nothing_and_makes_the_exit_code_1(data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_bytes(b"")
    (tmp_path / "good.md").write_text("# Good\n\nA good file.\n", "utf-8")

    done = footnote("ingest", str(tmp_path), str(tmp_path / "missing.md"), "--json", data_dir=data_dir)

    assert done.code == 1
    assert [(Path(line["file"]).name, line["status"], line["reason"]) for line in done.lines] == [
        ("empty.md", "failed", "empty"),
        ("good.md", "new", None),
        ("missing.md", "failed", "unreadable"),
    ]
    assert "Traceback" not in done.err
    footnote("kb", "delete", "good.md", data_dir=data_dir)


def test_files_that_would_pass_for_versions_of_each_other_are_not_mixed_up(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "README.md").write_text(f"# {folder}\n\nThis is the readme of {folder}.\n", "utf-8")
    one, other = (str(tmp_path / folder / "README.md") for folder in ("a", "b"))
    data = tmp_path / "data"

    done = footnote("ingest", one, other, one, "--json", data_dir=data)
    shown = footnote("ingest", one, str(tmp_path / "b"), data_dir=data)
    together = footnote("ingest", str(tmp_path / "a"), "--tag", "x", "--json", data_dir=data)

    assert done.code == 1
    assert [(line["file"], line["status"]) for line in done.lines] == [
        (one, "new"),
        (other, "failed"),
        (one, "unchanged"),
    ]
    assert f"footnote ingest {tmp_path}" in done.lines[1]["message"]
    assert (shown.code, "README.md was not taken in: like" in shown.err) == (1, True)
    assert (together.code, together.lines[0]["document"]) == (0, "README.md")


def test_a_store_that_fails_for_one_file_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("# A\n\nA small file.\n", "utf-8")
    words = "This is a sentence with several words in it. " * 8
    (tmp_path / "b.md").write_text("\n\n".join(f"Paragraph {n}. {words}" for n in range(120)), "utf-8")
    (tmp_path / "c.md").write_text("# C\n\nAnother small file.\n", "utf-8")
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("DATABASE_URL", raising=False)

    def leave_little_room(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA max_page_count = 60")

    sqlalchemy.event.listen(sqlalchemy.Engine, "connect", leave_little_room)
    try:
        done = CliRunner().invoke(app, ["ingest", *(str(tmp_path / f"{name}.md") for name in "abc"), "--json"])
    finally:
        sqlalchemy.event.remove(sqlalchemy.Engine, "connect", leave_little_room)

    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 1
    assert [line["status"] for line in lines] == ["new", "failed", "new"]
    assert "b.md was not taken in" in lines[1]["message"]


def test_a_new_version_is_for_those_who_saw_the_one_before_unless_it_is_said(tmp_path: Path) -> None:
    pay, data = tmp_path / "pay.md", tmp_path / "data"
    seen = []
    for number, options in enumerate((["--visibility", "admins", "--tag", "hr"], [], ["--visibility", "everyone"])):
        pay.write_text(f"# Pay\n\nPay day is the {number + 20}th.\n", "utf-8")
        footnote("ingest", str(pay), *options, data_dir=data)
        (listed,) = footnote("kb", "list", "--json", data_dir=data).lines
        seen.append((listed["version"], listed["visibility"], listed["tags"]))

    assert seen == [(1, "admins", ["hr"]), (2, "admins", ["hr"]), (3, "everyone", ["hr"])]


def test_the_demo_leaves_a_knowledge_base_alone(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nA small file.\n", "utf-8")
    data = tmp_path / "mine"
    footnote("ingest", str(tmp_path / "a.md"), data_dir=data)

    done = footnote("demo", data_dir=data, env={"PORT": "0"})

    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert f"{data} holds a knowledge base of yours; try DATA_DIR=demo-data footnote demo" in done.err
    assert not (data / "demo").exists()
    assert len(footnote("kb", "list", "--json", data_dir=data).lines) == 1


@pytest.mark.parametrize(
    ("arguments", "variables", "says"),
    [
        (["run"], {}, "SLACK_BOT_TOKEN"),
        (["run"], {"SLACK_BOT_TOKEN": "xoxb-1"}, "SLACK_APP_TOKEN"),
        (["run"], {"SLACK_BOT_TOKEN": "secret", "SLACK_APP_TOKEN": "xapp-1"}, "SLACK_BOT_TOKEN"),
        (["ask", "hi"], {"CHUNK_SIZE": "many"}, "CHUNK_SIZE"),
        (["kb", "list"], {"DATA_DIR": "/dev/null/data"}, "DATA_DIR"),
        (["demo"], {"DATA_DIR": "/dev/null/data"}, "DATA_DIR"),
        (["demo"], {"PORT": "none"}, "PORT"),
    ],
)
def test_a_wrong_setting_is_one_line_and_exit_code_2(
    arguments: list[str], variables: dict[str, str], says: str, tmp_path: Path
) -> None:
    done = footnote(*arguments, data_dir=tmp_path, env=variables)

    assert done.code == 2
    assert says in done.err
    assert len(done.err.splitlines()) == 1
    assert "secret" not in done.err


def test_neither_question_nor_file_is_a_usage_error(tmp_path: Path) -> None:
    assert footnote("ask", data_dir=tmp_path).code == 2
    assert footnote("eval", "nonsense", "--data", str(tmp_path), data_dir=tmp_path).code == 2


@pytest.mark.parametrize("command", [[], ["demo"], ["run"], ["ingest"], ["ask"], ["search"], ["kb"], ["kb", "list"]])
def test_every_command_has_help(command: list[str]) -> None:
    done = footnote(*command, "--help")

    assert done.code == 0
    assert "Usage" in done.out


@pytest.mark.parametrize(
    ("bot_token", "app_token", "says"),
    [("xoxb-wrong", APP_TOKEN, "SLACK_BOT_TOKEN"), (BOT_TOKEN, "xapp-wrong", "SLACK_APP_TOKEN")],
)
def test_a_token_that_slack_refuses_is_named(
    workspace: WorkspaceHandle, tmp_path: Path, bot_token: str, app_token: str, says: str
) -> None:
    variables = {"SLACK_BOT_TOKEN": bot_token, "SLACK_APP_TOKEN": app_token, "SLACK_API_URL": workspace.api_url}

    done = footnote("run", data_dir=tmp_path, env=variables)

    assert done.code == 2
    assert done.out == ""
    (line,) = done.err.splitlines()
    assert line.startswith(f"footnote: {says}: Slack refuses it (invalid_auth)")


def test_a_slack_that_does_not_answer_is_told(tmp_path: Path) -> None:
    variables = {
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_APP_TOKEN": APP_TOKEN,
        "SLACK_API_URL": "http://127.0.0.1:1/api/",
    }

    done = footnote("run", data_dir=tmp_path, env=variables)

    assert done.code == 1
    assert done.out == ""
    (line,) = done.err.splitlines()
    assert line.startswith("footnote: Slack does not answer at http://127.0.0.1:1/api/ (SLACK_API_URL)")


def test_on_a_folder_in_use_the_models_are_not_loaded(tmp_path: Path) -> None:
    unusable = {"DATABASE_URL": "sqlite:////dev/null/footnote.db"}  # which opening the store would be told first
    with only_bot_on(tmp_path):
        ran = footnote(
            "run", data_dir=tmp_path, env=unusable | {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"}
        )

    assert ran.code == 2
    assert ran.err.splitlines() == [
        f"footnote: DATA_DIR: another bot already runs on {tmp_path}; stop it, or give this one a directory of its own"
    ]


def test_after_the_demo_missing_tokens_are_told_before_its_folder(tmp_path: Path) -> None:
    take_for_demo(tmp_path)

    assert "SLACK_BOT_TOKEN is not set" in footnote("run", data_dir=tmp_path).err


def test_the_bot_runs_until_it_is_told_to_stop_and_no_second_one_beside_it(
    workspace: WorkspaceHandle, data_dir: Path
) -> None:
    variables = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": APP_TOKEN, "SLACK_API_URL": workspace.api_url}
    with subprocess.Popen(
        [*COMMAND, "run"],
        env=environment(data_dir, **variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as bot:
        assert bot.stdout
        assert bot.stderr
        said = [bot.stdout.readline(), bot.stdout.readline()]
        assert said[0].startswith("Models: ")
        assert said[1].startswith("Connected to ")

        ts = workspace.say("C0GENERAL", "U0ALICE", "@footnote How much is the locker deposit?")
        assert "300 euros" in workspace.wait_for_reply("C0GENERAL", ts)["plain"]
        second = footnote("run", data_dir=data_dir, env=variables)
        assert second.code == 2
        assert str(data_dir) in second.err

        workspace.control("faults", {"kind": "drop"})
        again = workspace.say("C0GENERAL", "U0ALICE", "@footnote How much is the locker deposit?")
        assert "300 euros" in workspace.wait_for_reply("C0GENERAL", again)["plain"]

        bot.send_signal(signal.SIGTERM)
        assert bot.wait(60) == 0
        assert "Traceback" not in bot.stderr.read()
