"""`footnote kb`: documents shown, handed out, deleted and taken back."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bot.cli import app
from retrieval.errors import DocumentNotFound, FootnoteError

HANDBOOK = (
    "---\ndate: 2026-03-01\n---\n# Handbook\n\nFor all.\n\n## Leave\n\nYou have {days} days.\n\n## Lockers\n\nFree.\n"
)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def lines(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the commands run: a handbook of two versions, and a document for admins."""
    folder = tmp_path_factory.mktemp("kb")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DATABASE_URL", "EMBEDDING_BASE_URL", "CHAT_BASE_URL"):
            patch.delenv(name, raising=False)
        patch.setenv("DATA_DIR", str(folder / "data"))
        patch.chdir(folder)
        for days in (25, 26):
            Path("handbook.md").write_text(HANDBOOK.format(days=days), "utf-8")
            run("ingest", "handbook.md", "--tag", "hr", "--owner", "Ada")
        Path("pay.md").write_text("# Pay\n\nPay day is the 25th.\n", "utf-8")
        run("ingest", "pay.md", "--visibility", "admins")
        yield folder


def test_a_document_is_shown_with_versions_outline_and_passages() -> None:
    shown = run("kb", "show", "handbook.md").stdout

    assert shown.splitlines()[:2] == [
        "Handbook  (handbook.md, v2)",
        "  3 passages, dated 2026-03-01, for everyone, tags: hr, owner: Ada, read by markdown",
    ]
    assert "dated 2026-03-01, 3 passages, current" in shown
    assert "    Leave  [1]\n    Lockers  [1]\n" in shown
    assert "   2. You have 26 days." in shown
    assert "25 days" not in shown


def test_a_document_is_shown_as_json() -> None:
    (shown,) = lines(run("kb", "show", "handbook.md", "--json"))

    assert (shown["document"], shown["version"], shown["status"], shown["owner"]) == ("handbook.md", 2, "ready", "Ada")
    assert [(one["version"], one["status"]) for one in shown["versions"]] == [(1, "replaced"), (2, "ready")]
    assert [(part["section"], part["chunks"]) for part in shown["outline"]] == [
        ("Handbook", 1),
        ("Handbook > Leave", 1),
        ("Handbook > Lockers", 1),
    ]
    assert [passage["text"] for passage in shown["passages"]] == ["For all.", "You have 26 days.", "Free."]


def test_an_earlier_version_and_a_single_passage_can_be_shown() -> None:
    assert run("kb", "show", "handbook.md", "--version", "1", "--chunk", "2").stdout == "You have 25 days.\n"
    (passage,) = lines(run("kb", "show", "handbook.md", "--chunk", "2", "--json"))
    assert (passage["n"], passage["section"], passage["text"]) == (2, "Handbook > Leave", "You have 26 days.")


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        (["handbok.md"], DocumentNotFound, "Did you mean handbook.md"),
        (["handbook.md", "--version", "3"], FootnoteError, "has no version 3; there are: 1, 2"),
        (["handbook.md", "--chunk", "9"], FootnoteError, "has 3 passages, and no passage 9"),
    ],
)
def test_what_is_not_there_is_told(arguments: list[str], error: type[Exception], says: str) -> None:
    done = run("kb", "show", *arguments)

    assert isinstance(done.exception, error)
    assert says in str(done.exception)


def test_the_export_holds_every_current_passage_with_its_place_and_who_may_see_it(folder: Path) -> None:
    exported = lines(run("kb", "export"))
    run("kb", "export", "--out", "all.jsonl")

    assert [(line["document"], line["version"], line["section"], line["text"]) for line in exported] == [
        ("handbook.md", 2, "Handbook", "For all."),
        ("handbook.md", 2, "Handbook > Leave", "You have 26 days."),
        ("handbook.md", 2, "Handbook > Lockers", "Free."),
        ("pay.md", 1, "Pay", "Pay day is the 25th."),
    ]
    assert [line["visibility"] for line in exported] == ["everyone"] * 3 + ["admins"]
    assert {line["date"] for line in exported} == {"2026-03-01", None}
    assert [json.loads(line) for line in Path("all.jsonl").read_text("utf-8").splitlines()] == exported
    assert sorted(path.name for path in folder.iterdir()) == ["all.jsonl", "data", "handbook.md", "pay.md"]


def test_an_export_that_cannot_be_written_is_told() -> None:
    done = run("kb", "export", "--out", "no-such-folder/all.jsonl")

    assert isinstance(done.exception, FootnoteError)
    assert "no-such-folder/all.jsonl cannot be written" in str(done.exception)


def test_a_deleted_document_is_listed_as_such_and_can_be_taken_back() -> None:
    deleted = run("kb", "delete", "handbook.md")
    listed = lines(run("kb", "list", "--deleted", "--json"))
    table = run("kb", "list", "--deleted")
    restored = lines(run("kb", "restore", "handbook.md", "--json"))
    again = run("kb", "restore", "handbook.md")

    assert "footnote kb restore handbook.md" in deleted.stdout
    assert [(line["document"], line["version"], line["status"]) for line in listed] == [("handbook.md", 2, "deleted")]
    assert listed[0]["restorable_until"][:10] in table.stdout
    assert [(line["version"], line["status"]) for line in restored] == [(2, "ready")]
    assert isinstance(again.exception, DocumentNotFound)
    assert run("kb", "list", "--deleted").stdout.startswith("Nothing was deleted")
    (answer,) = lines(run("ask", "How many days of leave do I have?", "--json"))
    assert "26 days" in answer["text"]
