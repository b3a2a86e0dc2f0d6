"""Is anything lost or answered twice when the bot is killed at any moment? Kills at random points of answering."""

import random
import tempfile
import time
from pathlib import Path

from evals.report import Report
from evals.stress.local_slack import BotProcess, running_slack, take_in_handbook, wait_until
from evals.stress.soak import counted

_PLACES = (("C0GENERAL", "U0ALICE"), ("C0HR", "U0BOB"), ("D0ALICE", "U0ALICE"), ("D0BOB", "U0BOB"))
_CHANNELS = [channel for channel, _ in _PLACES]
_QUESTION = "@footnote How much is the locker deposit?"
_ANSWERS_WITHIN_S = 1.0
_SETTLES_WITHIN_S = 120.0


def evaluate(points: int, seed: int) -> Report:
    """Messages without a reply and replies too many after `points` kills at random moments within a second."""
    rng = random.Random(seed)  # noqa: S311 a plan, not a secret
    report = Report("crash")
    with tempfile.TemporaryDirectory() as folder, running_slack() as slack:
        take_in_handbook(Path(folder))
        bot = BotProcess(slack, Path(folder))
        bot.start()
        try:
            for _ in range(points):
                for channel, user in _PLACES:
                    slack.say(channel, user, _QUESTION)
                time.sleep(rng.uniform(0.0, _ANSWERS_WITHIN_S))
                bot.kill()
                bot.start()
            wait_until(lambda: counted(slack, _CHANNELS).without_reply == 0, _SETTLES_WITHIN_S)
            found = counted(slack, _CHANNELS)
        finally:
            bot.kill()
    report.add("kills", points)
    report.add("messages", points * len(_PLACES))
    report.add("messages without a reply", found.without_reply, 0, "lower")
    report.add("replies too many", found.too_many, 0, "lower")
    report.misses += found.misses
    return report
