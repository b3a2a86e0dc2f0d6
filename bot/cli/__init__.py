"""The command line: arguments to what the rest of Footnote does, results to text or JSON and an exit code."""

import logging
import sys
import tempfile
import traceback
from pathlib import Path

import typer

from bot.cli import ask, audit, demo, doctor, documents, evaluate, serve
from bot.cli.output import to_stderr
from retrieval.errors import ConfigurationError, FootnoteError, new_incident

FAILED = 1
MISCONFIGURED = 2

app = typer.Typer(
    help="Answers from your organisation's own documents, each statement with its source.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for group in (demo, serve, documents, ask, audit, doctor, evaluate):
    group.register(app)


def main() -> None:
    """Run one command and exit: 0 done, 1 something failed, 2 the configuration or the arguments are wrong."""
    logging.basicConfig(
        level=logging.WARNING, stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    for handler in logging.getLogger().handlers:
        handler.addFilter(_without_sdk_tracebacks)
    try:
        app()
    except ConfigurationError as error:
        to_stderr(str(error))
        sys.exit(MISCONFIGURED)
    except FootnoteError as error:
        to_stderr(str(error))
        sys.exit(FAILED)
    except Exception as error:
        number = new_incident()
        log = Path(tempfile.gettempdir()) / f"footnote-{number}.log"
        log.write_text("".join(traceback.format_exception(error)), "utf-8")
        to_stderr(f"something went wrong that should not have (incident {number}); details are in {log}")
        sys.exit(FAILED)


def _without_sdk_tracebacks(record: logging.LogRecord) -> bool:
    """Slack's own code logs a traceback each time a connection breaks, which is its everyday life: a line will do."""
    if record.name.startswith(("slack_sdk", "slack_bolt")) and record.exc_info:
        error = record.exc_info[1]
        record.msg, record.args = f"{record.getMessage()} ({type(error).__name__}: {error})", ()
        record.exc_info = record.exc_text = None
    return True
