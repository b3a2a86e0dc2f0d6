"""`footnote run` and `footnote manifest`: the bot on Slack, and how to make it known there."""

import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import resources
from typing import Annotated
from urllib.parse import quote

import typer

from bot.cli.demo_folder import refuse_demos
from bot.lock import only_bot_on
from bot.settings import BotSettings
from retrieval.errors import ServiceUnavailable
from retrieval.settings import RetrievalSettings, load

_LOOK_EVERY_S = 0.5
_NEW_APP = "https://api.slack.com/apps?new_app=1&manifest_yaml="


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(run)
    app.command()(manifest)


def run() -> None:
    """Run the bot on Slack until it is interrupted. Exit code 1 when the connection is lost for good."""
    settings, bot_settings = load(RetrievalSettings), load(BotSettings)
    _ = bot_settings.bot_token, bot_settings.app_token  # missing ones are told before anything else
    refuse_demos(settings.data_dir)
    stop = stop_on_signals()
    with only_bot_on(settings.data_dir):
        _run(settings, bot_settings, stop)
    typer.echo("Stopped.")


def _run(settings: RetrievalSettings, bot_settings: BotSettings, stop: threading.Event) -> None:
    from bot.bot import Bot  # loads the models, which takes long
    from retrieval.build import build

    logging.getLogger().setLevel(logging.INFO)  # not before: faiss tells how it loads
    with closing(build(settings)) as footnote:
        with _one_line_for_slack():
            bot = Bot(bot_settings, footnote, settings.data_dir, max_file_mb=settings.max_file_mb)
            footnote.warm_up()
            bot.start()
        typer.echo(f"Models: {footnote.models}")
        typer.echo(f"Connected to {bot.identity.team} as @{bot.identity.name}. Stop with Ctrl-C.")
        try:
            while not stop.wait(_LOOK_EVERY_S):
                if bot.is_lost:
                    raise ServiceUnavailable("the connection to Slack is lost; start again once it can be reached")
        finally:
            bot.stop()


@contextmanager
def _one_line_for_slack() -> Iterator[None]:
    """Slack's own code logs what fails before it raises it; at the start the error that is raised says it all."""
    loggers = [logging.getLogger(name) for name in ("slack_sdk", "slack_bolt")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def manifest(
    link: Annotated[bool, typer.Option("--link", help="Only the link that creates the app.")] = False,
) -> None:
    """Print the app manifest, and the link that creates the app on Slack from it."""
    text = resources.files("bot").joinpath("manifest.yaml").read_text("utf-8")
    address = f"{_NEW_APP}{quote(text, safe='')}"
    if link:
        typer.echo(address)
        return
    typer.echo(text)
    typer.echo(f"# Create the app from it in one click:\n# {address}")


def stop_on_signals() -> threading.Event:
    """An event that SIGINT and SIGTERM set from now on. A second signal has its usual effect."""
    stop = threading.Event()

    def set_stop(number: int, _frame: object) -> None:
        stop.set()
        signal.signal(number, signal.SIG_DFL)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, set_stop)
    return stop
