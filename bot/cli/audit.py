"""`footnote audit`: what was asked and what its answers were made from, to lines for people, JSON and CSV."""

import csv
import datetime as dt
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from bot.cli.audit_output import (
    COLUMNS,
    csv_row,
    full_json,
    gap_json,
    gap_line,
    record_line,
    record_lines,
    review_json,
    review_lines,
    summary_json,
)
from bot.cli.output import json_line, print_json, to_stderr
from retrieval.errors import FootnoteError
from retrieval.settings import RetrievalSettings, load
from retrieval.types import AuditRecord, Verdict, Viewer

if TYPE_CHECKING:
    from retrieval.build import Audit

_Json = Annotated[bool, typer.Option("--json", help="JSON Lines on standard output.")]
_OneJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
_Since = Annotated[
    dt.datetime | None,
    typer.Option(formats=["%Y-%m-%d"], help="Only what was asked on that day (UTC) or later.", show_default=False),
]
_Id = Annotated[int, typer.Argument(help="The question, numbered as `audit list` numbers it.")]
_Most = Annotated[int, typer.Option("--most", min=1, max=10_000, help="How many.")]


class Format(StrEnum):
    """How records are written."""

    JSONL = "jsonl"
    CSV = "csv"


class Word(StrEnum):
    """What a person says of the check that doubted a statement."""

    RIGHT = "right"
    WRONG = "wrong"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help="What was asked, and what each answer was made from.", no_args_is_help=True)
    group.command("list")(list_records)
    group.command()(show)
    group.command()(export)
    group.command()(forget)
    group.command()(review)
    group.command()(gaps)
    app.add_typer(group, name="audit")


def list_records(since: _Since = None, most: _Most = 50, as_json: _Json = False) -> None:
    """List the last questions, the newest at the end."""
    with _audit() as audit:
        records = audit.newest(most, _utc(since))
    for record in records:
        if as_json:
            print_json(summary_json(record))
        else:
            typer.echo(record_line(record))
    if not records and not as_json:
        typer.echo("Nothing has been asked.")


def show(number: _Id, as_json: _OneJson = False) -> None:
    """Show a question with all that its answer was made from."""
    with _audit() as audit:
        record = audit.get(number)
        if record is None:
            raise FootnoteError(f"there is no question {number} in the audit; see footnote audit list")
        passages = audit.passages([item.number for item in record.candidates], Viewer.admin())
    if as_json:
        print_json(full_json(record, passages))
    else:
        typer.echo("\n".join(record_lines(record, passages)))


def export(
    since: _Since = None,
    form: Annotated[Format, typer.Option("--format", help="One JSON object a line, or a table.")] = Format.JSONL,
    out: Annotated[Path | None, typer.Option(help="A file instead of standard output.", show_default=False)] = None,
) -> None:
    """Write out the questions, oldest first: all that is known of each as JSON Lines, the main things as CSV."""
    with _audit() as audit, _writer(out) as file:
        records = audit.all(_utc(since))
        count = _write_csv(records, file) if form is Format.CSV else _write_json(records, file)
    if out:
        to_stderr(f"{count} questions written to {out}")


def forget(
    user: Annotated[str, typer.Argument(help="A Slack user id (U…), or: command line")], as_json: _OneJson = False
) -> None:
    """Delete all that somebody asked: from the audit, and the words of their messages that the bot remembers."""
    with _audit() as audit:
        gone = audit.forget_person(user)
    if as_json:
        print_json({"user": user, "forgotten": gone})
    else:
        typer.echo(f"Forgot {gone} questions of {user}. What they wrote on Slack is for them to delete there.")


def review(
    done: Annotated[int | None, typer.Option(help="The number of a statement to close.", show_default=False)] = None,
    verdict: Annotated[
        Word | None, typer.Option(help="With --done: was the check right to doubt it?", show_default=False)
    ] = None,
    most: _Most = 50,
    as_json: _Json = False,
) -> None:
    """List statements that did not hold, for a person to look at, or close one of them."""
    if (done is None) != (verdict is None):
        raise typer.BadParameter("--done ID and --verdict right|wrong go together")
    with _audit() as audit:
        if done is not None and verdict is not None:
            _close(audit, done, "right" if verdict is Word.RIGHT else "wrong", as_json)
            return
        items = audit.open_reviews(most)
        passages = audit.passages([i.doubt.passage for i in items if i.doubt.passage is not None], Viewer.admin())
    for item in items:
        passage = passages.get(item.doubt.passage) if item.doubt.passage is not None else None
        if as_json:
            print_json(review_json(item, passage))
        else:
            typer.echo("\n".join(review_lines(item, passage)))
    if not items and not as_json:
        typer.echo("Nothing to review.")


def gaps(most: _Most = 100, as_json: _Json = False) -> None:
    """List what got no answer, asked most often first. Nobody's name is in it."""
    with _audit() as audit:
        found = audit.gaps(most)
    for gap in found:
        if as_json:
            print_json(gap_json(gap))
        else:
            typer.echo(gap_line(gap))
    if not found and not as_json:
        typer.echo("Every question that is remembered got an answer.")


def _close(audit: "Audit", item: int, verdict: Verdict, as_json: bool) -> None:
    if not audit.decide(item, verdict, "command line"):
        raise FootnoteError(f"there is no open statement {item}; see footnote audit review")
    if as_json:
        print_json({"id": item, "verdict": verdict})
    else:
        typer.echo(f"Closed {item}: the check was {verdict}.")


def _audit() -> "AbstractContextManager[Audit]":
    from retrieval.build import audit_of  # loads what --help does not need

    return audit_of(load(RetrievalSettings))


def _utc(day: dt.datetime | None) -> dt.datetime | None:
    return day.replace(tzinfo=dt.UTC) if day else None


@contextmanager
def _writer(out: Path | None) -> Iterator[TextIO]:
    try:
        with out.open("w", encoding="utf-8", newline="") if out else nullcontext(sys.stdout) as file:
            yield file
    except OSError as error:
        raise FootnoteError(f"--out: {out} cannot be written ({error.strerror})") from None


def _write_json(records: Iterable[AuditRecord], file: TextIO) -> int:
    return sum(bool(file.write(json_line(full_json(record)))) for record in records)


def _write_csv(records: Iterable[AuditRecord], file: TextIO) -> int:
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    return sum(bool(writer.writerow(csv_row(record))) for record in records)
