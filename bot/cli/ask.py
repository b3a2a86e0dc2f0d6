"""`footnote ask` and `footnote search`: questions to answers and passages in the terminal."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.output import hit_json, hit_lines, outcome_json, outcome_lines, print_json, query_json
from retrieval.errors import ConfigurationError
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Conversation, Notice, Viewer

_Question = Annotated[str | None, typer.Argument(help="The question.", show_default=False)]
_Questions = Annotated[
    Path | None, typer.Option("--questions", help="A file with one question a line.", show_default=False)
]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object a question on standard output.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(ask)
    app.command()(search)


def ask(question: _Question = None, questions: _Questions = None, as_json: _Json = False) -> None:
    """Answer a question from the documents, with sources. Exit code 1 when a needed part does not answer."""
    from bot.audit import AuditTrail, asked_here  # loads the models, which --help does not need
    from retrieval.build import build

    asked = _asked(question, questions)
    failed = False
    with closing(build(load(RetrievalSettings))) as footnote:
        trail, viewer = AuditTrail(footnote.audit, footnote.audit_days), Viewer.admin()
        for place, text in enumerate(asked):
            outcome = footnote.pipeline.ask(Conversation(text), viewer)
            failed |= isinstance(outcome.reply, Notice) and outcome.reply.reason == "service_unavailable"
            if as_json:
                print_json(outcome_json(outcome))
            else:
                _print(place, text, outcome_lines(outcome), many=questions is not None)
            trail.keep(trail.of_outcome(asked_here(text, viewer), outcome))
        trail.forget_old()
    raise typer.Exit(int(failed))


def search(
    question: _Question = None,
    questions: _Questions = None,
    k: Annotated[int, typer.Option("--k", min=1, max=1000, help="How many passages.")] = 20,
    as_json: _Json = False,
) -> None:
    """Show the passages found for a question, best first, with their scores."""
    from retrieval.build import build  # loads the models, which --help does not need

    asked = _asked(question, questions)
    with closing(build(load(RetrievalSettings))) as footnote:
        for place, text in enumerate(asked):
            query, evidence = footnote.pipeline.search(text, Viewer.admin(), k)
            if as_json:
                print_json({"query": query_json(query), "hits": [hit_json(found) for found in evidence]})
                continue
            lines = [line for n, found in enumerate(evidence, 1) for line in hit_lines(n, found)]
            _print(place, text, lines or ["Nothing found."], many=questions is not None)


def _asked(question: str | None, questions: Path | None) -> list[str]:
    if (question is None) == (questions is None):
        raise typer.BadParameter("give either a question or --questions FILE")
    return [question] if question is not None else list(_read(questions or Path()))


def _read(questions: Path) -> Iterator[str]:
    try:
        text = questions.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"--questions: {questions} cannot be read as UTF-8 text ({error})") from None
    return (line.strip() for line in text.splitlines())


def _print(place: int, question: str, lines: list[str], *, many: bool) -> None:
    if many:
        typer.echo(f"{chr(10) if place else ''}> {question}")
    typer.echo("\n".join(lines))
