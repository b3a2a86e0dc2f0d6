"""Are errors in answers found, and right statements left alone? A scripted model writes right answers with one error
each; the embedded verifier checks them. Two halves of the answers: coefficients and thresholds were set on the first.
The rules for numbers, names and negations were written with some answers of both in view, so that only new data would
measure these without favour.
"""

import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals import right_answers
from evals.claim_errors import KINDS, ErrorKind, Spoilt, spoilt
from evals.report import Report
from evals.right_answers import RightAnswer
from retrieval.answer.check import Checker
from retrieval.answer.compose import estimated_tokens
from retrieval.answer.support import SentenceVerifier
from retrieval.build import Footnote
from retrieval.build.models import sentence_encoder
from retrieval.types import CheckedAnswer, Draft, ExtractedQuery, Viewer

_SEED = 2026
_OF_A_KIND = 25
"""Errors of one kind in answers of one origin: six kinds in two origins make 300."""

_TOKENS_A_SECOND = 200
"""What a fast model writes. Slower ones make the check's share of a question smaller."""

_SHARE_ALLOWED, _ALLOWED_MS = 0.2, 20.0
"""What the check may take of a question's time, or in all, whichever is more."""

_EXACT: tuple[ErrorKind, ...] = ("number", "name", "date")
_HALVES = ("tuning half", "held-out half")


def evaluate(data: Path) -> Report:
    """Share of the errors removed or re-cited and of the untouched statements that stay, by half; what it costs."""
    report = Report("claims")
    tallies = {half: _Tally() for half in _HALVES}
    short: Counter[tuple[str, ErrorKind]] = Counter()
    for origin, load in (("MT-RAG written", right_answers.written), ("ClapNQ quotes", right_answers.quotes)):
        with load(data) as (footnote, answers):
            trial = _Trial(footnote, report, short)
            for half, own in zip(_HALVES, _halved(answers), strict=True):
                tallies[half].add(trial.run(own, origin, half))
            _add_costs(report, origin, trial.costs)
    for half, tally in tallies.items():
        _add_bars(report, half, tally)
    both = _Tally()
    for tally in tallies.values():
        both.add(tally)
    _add_bars(report, f"both halves, {both.errors} errors", both)
    return report


@dataclass(frozen=True, slots=True)
class _Cost:
    """What one answer took, in ms: to search for, to write (by a fast model) and to check. The first and the last are
    processor time, so that what else the machine does changes little."""

    search_ms: float
    write_ms: float
    check_ms: float

    @property
    def share(self) -> float:
        """Of the question's time, that the check takes."""
        return self.check_ms / (self.search_ms + self.write_ms + self.check_ms)

    @property
    def share_of_allowed(self) -> float:
        return min(self.share / _SHARE_ALLOWED, self.check_ms / _ALLOWED_MS)


class _Tally:
    """Errors by kind as (found, all), and untouched statements."""

    def __init__(self) -> None:
        self.kinds: dict[ErrorKind, tuple[int, int]] = dict.fromkeys(KINDS, (0, 0))
        self.stay, self.untouched = 0, 0

    @property
    def errors(self) -> int:
        return sum(number for _, number in self.kinds.values())

    def add(self, other: "_Tally") -> None:
        for kind, (found, number) in other.kinds.items():
            self.kinds[kind] = (self.kinds[kind][0] + found, self.kinds[kind][1] + number)
        self.stay += other.stay
        self.untouched += other.untouched

    def share(self, kinds: Sequence[ErrorKind]) -> float:
        pairs = [self.kinds[kind] for kind in kinds]
        return sum(found for found, _ in pairs) / max(sum(number for _, number in pairs), 1)


def _halved(answers: Sequence[RightAnswer]) -> Iterator[list[RightAnswer]]:
    """Whole conversations in one half."""
    topics = sorted({answer.topic for answer in answers})
    random.Random(_SEED).shuffle(topics)  # noqa: S311 a plan, not a secret
    for part in (topics[: len(topics) // 2], topics[len(topics) // 2 :]):
        yield [answer for answer in answers if answer.topic in set(part)]


class _Trial:
    """Checks right answers and spoilt ones with the embedded verifier over one knowledge base. What one origin has too
    few of, by half and kind in `short`, the next makes up for."""

    def __init__(self, footnote: Footnote, report: Report, short: Counter[tuple[str, ErrorKind]]) -> None:
        self._report = report
        self._short = short
        self._pipeline = footnote.pipeline
        self._checker = Checker(SentenceVerifier(sentence_encoder(), footnote.pipeline.passages))
        self.costs: list[_Cost] = []

    def run(self, answers: Sequence[RightAnswer], origin: str, half: str) -> _Tally:
        name, tally = f"{origin}, {half}", _Tally()
        for answer in answers:
            lost = self._lost(answer)
            tally.untouched += lost[1]
            tally.stay += lost[1] - len(lost[0])
            self._report.misses += [f"{name}: untouched, removed: {statement}" for statement in lost[0]]
        for kind in KINDS:
            wanted = _wanted(half, kind) + self._short[half, kind]
            errors = spoilt(answers, kind, wanted, random.Random(_SEED))  # noqa: S311 a plan, not a secret
            self._short[half, kind] = wanted - len(errors)
            missed = [error for error in errors if not self._is_found(error)]
            tally.kinds[kind] = (len(errors) - len(missed), len(errors))
            self._report.misses += [f"{name}: {kind} not found: {error.statement}" for error in missed]
        _add_kinds(self._report, name, tally)
        return tally

    def _lost(self, answer: RightAnswer) -> tuple[list[str], int]:
        """The statements of a right answer that do not stay, and how many it has. Keeps the time that it took, right
        after a search for the question, as in the product."""
        started = time.process_time()
        self._pipeline.search(answer.question, Viewer(), len(answer.evidence))
        found = time.process_time()
        checked = self._check(answer, answer.text)
        check_ms = (time.process_time() - found) * 1000
        write_ms = 1000 * estimated_tokens(answer.text) / _TOKENS_A_SECOND
        self.costs.append(_Cost((found - started) * 1000, write_ms, check_ms))
        statements = list(dict.fromkeys(finding.statement for finding in checked.findings))
        return [statement for statement in statements if not _holding(checked, statement)], len(statements)

    def _is_found(self, error: Spoilt) -> bool:
        """Whether the wrong statement is gone, or no longer bears a number it had."""
        return _holding(self._check(error.answer, error.text), error.statement).isdisjoint(error.cites)

    def _check(self, answer: RightAnswer, text: str) -> CheckedAnswer:
        return self._checker.check(Draft(text), answer.evidence, ExtractedQuery(answer.question, "en"))


def _wanted(half: str, kind: ErrorKind) -> int:
    """Half of them in each half, the odd one in turn."""
    return _OF_A_KIND // 2 + ((KINDS.index(kind) % 2 == 0) == (half == _HALVES[0]))


def _holding(checked: CheckedAnswer, statement: str) -> set[int | None]:
    """The numbers under which a statement of a checked answer stands."""
    return {finding.n for finding in checked.findings if finding.statement == statement and finding.valid}


def _add_kinds(report: Report, name: str, tally: _Tally) -> None:
    for kind, (found, number) in tally.kinds.items():
        report.add(f"{name}: {kind} ({number})", found / max(number, 1))
    report.add(f"{name}: untouched stay ({tally.untouched})", tally.stay / max(tally.untouched, 1))


def _add_bars(report: Report, name: str, tally: _Tally) -> None:
    report.add(f"{name}: changed numbers, names, dates found", tally.share(_EXACT), 0.95)
    others = [kind for kind in KINDS if kind not in _EXACT]
    report.add(f"{name}: other errors found", tally.share(others), 0.80)
    report.add(f"{name}: untouched statements stay", tally.stay / max(tally.untouched, 1), 0.95)


def _add_costs(report: Report, origin: str, costs: Sequence[_Cost]) -> None:
    report.add(f"{origin}: check, median ms", statistics.median(cost.check_ms for cost in costs))
    report.add(f"{origin}: check, median share of the question's time", statistics.median(cost.share for cost in costs))
    allowed = statistics.median(cost.share_of_allowed for cost in costs)
    report.add(f"{origin}: check, median share of the time it may take", allowed, 1.0, "lower")
