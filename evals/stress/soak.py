"""Does every message get exactly one reply while everything goes wrong? A storm on the local workspace."""

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from evals.report import Report
from evals.stress.local_slack import BOT_USER, BotProcess, LocalSlack, running_slack, take_in_handbook, wait_until
from evals.stress.storm import Strike, storm

_PER_SECOND = 5
_PEOPLE = 50
_CHANNELS = 20
_FOLLOW_UPS = 0.2
_CLOCK_RUNS_S = 10.0
"""How much the workspace's clock gains each second, so that twenty minutes pass while people ask."""
_FLUSH_S = 1300.0
_SETTLES_WITHIN_S = 180.0
_RECOVERS_WITHIN_S = 20.0
_ACK_LOOK_S = 0.5
_UNSTEADY_S = {"kill": 0.0, "disconnect": 2.0, "drop": 8.0, "half_open": _RECOVERS_WITHIN_S}
"""For how long after it a command may be lost on the way."""
_QUESTIONS = (
    "How many days of annual leave do I get?",
    "How much is the locker deposit?",
    "When does the canteen serve lunch?",
    "What does a parking permit cost?",
    "Who won the football championship in 1998?",
    "hello",
)
_FOLLOW_UP = "And for part-time employees?"
_KINDS = (("answer", "[1]"), ("say the bot is busy", "more questions waiting"), ("apologise", "incident"))


@dataclass
class _Trial:
    """What has been said and done so far, shared by the threads of the trial."""

    slack: LocalSlack
    bot: BotProcess
    people: list[str]
    channels: list[str]
    ends_at: float
    said: list[tuple[str, str]] = field(default_factory=list)
    steady_from: float = 0.0
    commands: list[bool] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return time.monotonic() >= self.ends_at


def evaluate(minutes: float, seed: int) -> Report:
    """Messages lost and answered twice, commands without an ack, and how long the bot is deaf after a lost socket."""
    report = Report("soak")
    with tempfile.TemporaryDirectory() as folder, running_slack() as slack:
        take_in_handbook(Path(folder))
        bot = BotProcess(slack, Path(folder))
        bot.start()
        try:
            trial = _Trial(slack, bot, *_settled(slack), ends_at=time.monotonic() + minutes * 60)
            _run(trial, storm(minutes * 60, seed), seed)
            _judge(trial, report)
            report.add("deaf after an abrupt loss of TCP, s", _deaf_s(slack, "drop"), _RECOVERS_WITHIN_S, "lower")
            report.add("deaf after a half-open socket, s", _deaf_s(slack, "half_open"), _RECOVERS_WITHIN_S, "lower")
            report.add("exit code after SIGTERM", bot.stop(), 0, "lower")
        finally:
            bot.kill()
    return report


def _settled(slack: LocalSlack) -> tuple[list[str], list[str]]:
    """People and the channels they are in, the bot among them."""
    people = [slack.post("people", name=f"person{n}")["user"]["id"] for n in range(_PEOPLE)]
    members = [*people, BOT_USER]
    channels = [slack.post("channels", name=f"team-{n}", members=members)["channel"]["id"] for n in range(_CHANNELS)]
    return people, channels


def _run(trial: _Trial, strikes: list[Strike], seed: int) -> None:
    work = (lambda: _ask(trial, seed), lambda: _strike(trial, strikes), lambda: _command(trial), lambda: _tick(trial))
    with ThreadPoolExecutor(len(work)) as pool:
        for running in [pool.submit(_until_over, trial, one) for one in work]:
            running.result()


def _until_over(trial: _Trial, work: Callable[[], None]) -> None:
    """Do it; when it fails, the trial is over for all."""
    try:
        work()
    except BaseException:
        trial.ends_at = 0.0
        raise


def _ask(trial: _Trial, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 a plan, not a secret
    began = time.monotonic()
    while not trial.over:
        channel, person = rng.choice(trial.channels), rng.choice(trial.people)
        thread = _answered_thread(trial, channel, rng) if rng.random() < _FOLLOW_UPS else None
        text = _FOLLOW_UP if thread else f"@footnote {rng.choice(_QUESTIONS)}"
        ts = trial.slack.say(channel, person, text, thread)
        trial.said.append((channel, thread or ts))
        time.sleep(max(0.0, began + len(trial.said) / _PER_SECOND - time.monotonic()))


def _answered_thread(trial: _Trial, channel: str, rng: random.Random) -> str | None:
    """One in which the bot has spoken, so that it knows of the thread."""
    answered = [thread for thread, (_, replied) in trial.slack.threads(channel).items() if replied]
    return rng.choice(answered) if answered else None


def _strike(trial: _Trial, strikes: list[Strike]) -> None:
    began = time.monotonic()
    for strike in strikes:
        time.sleep(max(0.0, began + strike.at_s - time.monotonic()))
        if trial.over and strike.kind != "kill":
            continue
        if strike.kind == "kill":
            trial.steady_from = float("inf")
            trial.bot.kill()
            trial.bot.start()
        else:
            trial.slack.fault(strike.kind, **strike.fields)
        if strike.kind in _UNSTEADY_S:
            trial.steady_from = time.monotonic() + _UNSTEADY_S[strike.kind]


def _command(trial: _Trial) -> None:
    """Commands while a bot is up and connected: Slack sends them once only, so a lost one is lost."""
    while not trial.over:
        if time.monotonic() >= trial.steady_from:
            steady_from = trial.steady_from
            acknowledged = trial.slack.is_acknowledged("U0BOB")
            if trial.steady_from == steady_from:  # nothing broke meanwhile
                trial.commands.append(acknowledged)
        time.sleep(_ACK_LOOK_S)


def _tick(trial: _Trial) -> None:
    while not trial.over:
        time.sleep(1.0)
        trial.slack.post("clock", advance_s=_CLOCK_RUNS_S)


def _judge(trial: _Trial, report: Report) -> None:
    slack = trial.slack
    slack.post("clock", advance_s=_FLUSH_S)
    began = time.monotonic()
    wait_until(lambda: _is_settled(trial), _SETTLES_WITHIN_S)
    settled_s = time.monotonic() - began
    found = counted(slack, trial.channels)
    report.misses += found.misses
    report.add("messages", len(trial.said))
    report.add("messages without a reply", found.without_reply, 0, "lower")
    report.add("replies too many", found.too_many, 0, "lower")
    for name, words in (
        ("answer", "[1]"),
        ("say the bot is busy", "more questions waiting"),
        ("apologise", "incident"),
    ):
        report.add(f"replies that {name}, share", _share(found.replies, words))
    report.add("kills", trial.bot.kills, 5)
    report.add("commands while connected", len(trial.commands), 1)
    report.add("commands without an ack in 3 s", trial.commands.count(False), 0, "lower")
    report.add("events unacknowledged at the end", slack.get("state")["unacknowledged"], 0, "lower")
    report.add("connections at the end", slack.get("state")["connections"], 1, "lower")
    report.add("seconds until the last reply", settled_s, _SETTLES_WITHIN_S, "lower")


def _is_settled(trial: _Trial) -> bool:
    unacknowledged = trial.slack.get("state")["unacknowledged"]
    return unacknowledged == 0 and counted(trial.slack, trial.channels).without_reply == 0


@dataclass
class Counted:
    """What people said beside what the bot replied, over all threads."""

    without_reply: int = 0
    too_many: int = 0
    replies: list[str] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)


def counted(slack: LocalSlack, channels: Sequence[str]) -> Counted:
    """Messages without a reply, replies too many, all replies, and the threads in which something is wrong."""
    found = Counted()
    for channel in channels:
        for thread, (said, replied) in slack.threads(channel).items():
            found.replies += replied
            found.without_reply += max(0, len(said) - len(replied))
            found.too_many += max(0, len(replied) - len(said))
            if len(said) != len(replied):
                found.misses.append(f"{channel} {thread}: {len(said)} messages, {len(replied)} replies")
    return found


def _share(replies: list[str], words: str) -> float:
    return sum(words in reply for reply in replies) / max(1, len(replies))


def _deaf_s(slack: LocalSlack, kind: str) -> float:
    """Seconds from the loss of the socket until a command is acknowledged again."""
    slack.post("settings", ack_timeout_s=_ACK_LOOK_S)
    wait_until(lambda: slack.is_acknowledged("U0BOB"), _SETTLES_WITHIN_S)
    began = time.monotonic()
    slack.fault(kind)
    wait_until(lambda: slack.is_acknowledged("U0BOB"), _SETTLES_WITHIN_S)
    return time.monotonic() - began
