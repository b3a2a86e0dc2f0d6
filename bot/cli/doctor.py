"""`footnote doctor`: every setting and service examined, what is wrong, and what to do about it."""

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.checkup import bot_check, slack_checks
from bot.cli.demo import DemoSettings
from bot.cli.output import Json, print_json
from bot.settings import BotSettings
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Check, Fact

_PIPED_WIDTH = 160
_STYLES = {"ok": "green", "look": "yellow", "wrong": "bold red"}
_UNIT = re.compile(r"(.+)_(ms|gb)")
_ENV_FILE = Path(".env")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(doctor)


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Examine every setting, model server, the documents' store and Slack, and say what to do about what is wrong.

    Changes nothing, and waits for no server longer than 10 seconds. Exit code 1 when anything is wrong.
    """
    with Console(stderr=True).status("Examining settings and services"), _no_warnings():
        checks = _examined()
    holds = all(check.status != "wrong" for check in checks)
    if as_json:
        print_json({"holds": holds, "checks": [_check_json(check) for check in checks]})
    else:
        _show(checks)
    raise typer.Exit(0 if holds else 1)


@contextmanager
def _no_warnings() -> Iterator[None]:
    """What the clients would warn of stands in the table."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)


def _examined() -> list[Check]:
    settings, bot_settings = load(RetrievalSettings), load(BotSettings)
    groups = (settings, bot_settings, load(DemoSettings))
    from retrieval.build import examine, misspelt, setting_checks  # loads the models, which --help does not need

    return [
        *setting_checks(*groups),
        *misspelt(_ENV_FILE, *groups),
        bot_check(settings.data_dir),
        *examine(settings, {"Slack": partial(slack_checks, bot_settings)}),
    ]


def _check_json(check: Check) -> Json:
    return {
        "subject": check.subject,
        "status": check.status,
        "facts": dict(check.facts),
        "advice": check.advice or None,
    }


def _show(checks: Sequence[Check]) -> None:
    console = Console() if Console().is_terminal else Console(width=_PIPED_WIDTH)
    table = Table(box=box.SIMPLE_HEAD if console.is_terminal else None, pad_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column("Examined", overflow="fold")
    table.add_column("Found", overflow="fold")
    for check in checks:
        table.add_row(_status(check), _printable(check.subject), _found(check))
    console.print(table)
    _show_advice(console, [check for check in checks if check.advice])


def _show_advice(console: Console, checks: Sequence[Check]) -> None:
    advice = Table.grid(padding=(0, 2))
    advice.add_column(no_wrap=True)
    advice.add_column(overflow="fold")
    for check in sorted(checks, key=lambda check: check.status != "wrong"):
        advice.add_row(
            _status(check), Text.assemble((f"{_printable(check.subject)}: ", "bold"), _printable(check.advice))
        )
    if checks:
        console.print("\nWhat to do\n", advice, sep="\n")
    wrong = sum(check.status == "wrong" for check in checks)
    console.print(f"\n{wrong or 'Nothing'} wrong, {len(checks) - wrong or 'nothing'} worth a look.")


def _status(check: Check) -> Text:
    return Text(check.status, _STYLES[check.status])


def _found(check: Check) -> Text:
    """A setting's value, or facts in a row, in words."""
    facts = dict(check.facts)
    if facts.keys() == {"value", "from"}:
        word, is_default = _word(facts["value"]), facts["from"] == "default"
        note = " (default)" if is_default and facts["value"] not in (None, "not set", []) else ""
        return Text(word + note, "dim" if is_default else "")
    return Text(" · ".join(f"{_name(key)}{_word(value)}{_unit(key)}" for key, value in facts.items()))


def _name(key: str) -> str:
    unit = _UNIT.fullmatch(key)
    return f"{(unit[1] if unit else key).replace('_', ' ')} "


def _unit(key: str) -> str:
    unit = _UNIT.fullmatch(key)
    return f" {unit[2].replace('gb', 'GB')}" if unit else ""


def _word(value: Fact) -> str:
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:g}"
    if isinstance(value, str):
        return _printable(value)
    return _printable(", ".join(value)) or "none"


def _printable(text: str) -> str:
    """Without what a server's words could steer the terminal with."""
    return "".join(character if character.isprintable() else " " for character in text)
