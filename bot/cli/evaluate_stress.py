"""`footnote eval fuzz`, `soak`, `crash` and `throughput`: how what runs here bears what goes wrong."""

from typing import Annotated

import typer

from bot.cli.evaluation_options import Folder, Json, Out, Seed, end


def register(group: typer.Typer) -> None:
    """Add the commands."""
    for command in (fuzz, soak, crash, throughput):
        group.command()(command)


def fuzz(
    data: Folder,
    count: Annotated[int, typer.Option(help="How many files.", min=1)] = 2_000,
    seed: Seed = 1,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Do files of all kinds, broken at random, ever crash, hang or silently empty what reads them."""
    from evals.fuzz import evaluate
    from evals.run import kept

    end(kept(evaluate(data, count, seed), out), as_json)


def soak(
    minutes: Annotated[float, typer.Option(help="How long people ask.", min=0.2)] = 2.0,
    seed: Annotated[int, typer.Option(help="What goes wrong and when.")] = 1,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Does every message get exactly one reply while everything goes wrong. On the local workspace."""
    from evals.run import kept
    from evals.stress.soak import evaluate

    end(kept(evaluate(minutes, seed), out), as_json)


def crash(
    points: Annotated[int, typer.Option(help="How often the bot is killed.", min=1)] = 50,
    seed: Annotated[int, typer.Option(help="When it is killed.")] = 1,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Is anything lost or answered twice when the bot is killed at any moment. On the local workspace."""
    from evals.run import kept
    from evals.stress.crash import evaluate

    end(kept(evaluate(points, seed), out), as_json)


def throughput(out: Out = None, as_json: Json = False) -> None:
    """How fast served models are used, by a server that takes the same time for every call."""
    from evals.run import kept
    from evals.stress.throughput import evaluate

    end(kept(evaluate(), out), as_json)
