"""`footnote demo`: the bot on a local workspace with sample documents, for trying it without Slack."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.checkup import manifest_shortcuts
from bot.cli.demo_folder import take_for_demo
from bot.cli.output import report_line, to_stderr
from bot.cli.progress import IngestBars
from bot.cli.serve import stop_on_signals
from bot.ingest import Ingest
from bot.lock import only_bot_on
from bot.settings import BotSettings
from retrieval.errors import ConfigurationError, ServiceUnavailable
from retrieval.settings import RetrievalSettings, load
from retrieval.types import SourceFile

_SAMPLES = Path(__file__).resolve().parents[2] / "samples"
HINTS = (
    "How many days of annual leave do I get?",
    "What is the hotel limit in Portugal?",
    "Combien de jours de RTT à Lyon ?",
    "Who won the football world cup?",
)
_LOG = "workspace.log"
_STOP_GRACE_S = 10
_LOOK_EVERY_S = 0.5


class DemoSettings(BaseSettings):
    """What the demo needs to know."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True, env_ignore_empty=True)

    port: Annotated[int, Field(ge=0, le=65_535)] = Field(
        default=3939, description="Port of the demo's page; 0 takes any free one"
    )


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(
    port: Annotated[int | None, typer.Option(help="Port of the page.", show_default="PORT, else 3939")] = None,
) -> None:
    """Try the bot on a page in the browser: no Slack account, no GPU, no download. Ctrl-C stops it.

    Documents are kept in DATA_DIR, which is the demo's own from then on, in footnote.db whatever DATABASE_URL says:
    unset it in a second terminal that is to take in documents beside the demo.
    """
    _forget_proxies()
    stop = stop_on_signals()
    settings, asked_port = load(RetrievalSettings, {"database_url": None}), load(DemoSettings, _given(port=port)).port
    if not _SAMPLES.is_dir():
        raise ConfigurationError(f"{_SAMPLES} is missing: the demo runs from a clone of the repository")
    take_for_demo(settings.data_dir)
    with only_bot_on(settings.data_dir), _workspace(asked_port, settings.data_dir) as (process, url):
        typer.echo("Loading the models…")
        _run(settings, process, url, stop)


def _run(settings: RetrievalSettings, process: subprocess.Popen[str], url: str, stop: threading.Event) -> None:
    from bot.bot import Bot  # loads the models, which takes long
    from retrieval.build import build, documents_in

    with closing(build(settings)) as footnote:
        _take_in(documents_in(_SAMPLES), footnote.library.ingest, stop)
        bot = Bot(_local(url), footnote, settings.data_dir, max_file_mb=settings.max_file_mb)
        footnote.warm_up()
        bot.start()
        typer.echo(f"Models: {footnote.models}")
        typer.echo(f"Footnote is ready: {url}")
        sys.stdout.flush()
        try:
            _wait(stop, process)
        finally:
            typer.echo("Stopping…")
            bot.stop()


def _local(url: str) -> BotSettings:
    """Settings for the workspace at that address, whatever .env says of Slack."""
    return load(
        BotSettings,
        {
            "slack_bot_token": "xoxb-local",
            "slack_app_token": "xapp-local",
            "slack_api_url": f"{url}/api/",
            "admin_users": frozenset(),
            "admin_usergroup": None,
        },
    )


def _forget_proxies() -> None:
    """The Slack client sends local addresses to a proxy too, whatever NO_PROXY says."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        os.environ.pop(name, None)
        os.environ.pop(name.lower(), None)


def _take_in(samples: list[SourceFile], ingest: Ingest, stop: threading.Event) -> None:
    bars = IngestBars(len(samples))
    for file in samples:
        if stop.is_set():
            raise typer.Exit(0)
        report = bars.shown(ingest, file)
        if report.status == "failed":
            to_stderr(report_line(report))
        else:
            typer.echo(report_line(report))


@contextmanager
def _workspace(port: int, data_dir: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A local workspace as a process of its own, and its address. Raises ConfigurationError when it does not start."""
    hints = [part for hint in HINTS for part in ("--hint", hint)]
    shortcuts = [part for pair in manifest_shortcuts().items() for part in ("--shortcut", "=".join(pair))]
    command = [sys.executable, "-m", "workspace", "--port", str(port), "--until-stdin-closes", *hints, *shortcuts]
    with (
        (data_dir / _LOG).open("a+", encoding="utf-8") as log,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
        ) as process,
    ):
        begin = log.tell()
        try:
            said = process.stdout.readline() if process.stdout else ""
            if "http://" not in said:
                log.seek(begin)
                why = " ".join(log.read().splitlines()[-1:]) or "the local workspace does not start"
                raise ConfigurationError(f"PORT: {why}; choose another one with PORT= or --port")
            yield process, said[said.index("http://") :].strip()
        finally:
            process.terminate()
            try:
                process.wait(_STOP_GRACE_S)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait(stop: threading.Event, process: subprocess.Popen[str]) -> None:
    while not stop.wait(_LOOK_EVERY_S):
        if process.poll() is not None:
            raise ServiceUnavailable(f"the local workspace ended by itself; {_LOG} in DATA_DIR may say why")


def _given(**values: object) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}
