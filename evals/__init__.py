"""Measures against the bars they must hold: on public data sets, `footnote eval NAME --data DIR`, or of processes on
this machine, `footnote eval soak`."""

import json
from collections.abc import Callable
from pathlib import Path

from evals import (
    answer_quality,
    claims,
    crash,
    fusion_sweep,
    refusal_quality,
    reranker_fit,
    rewriting,
    search_quality,
    soak,
    throughput,
)
from evals.report import Report

EVALUATIONS: dict[str, Callable[[Path], Report]] = {
    "retrieval": search_quality.evaluate,
    "answers": answer_quality.evaluate,
    "refusal": refusal_quality.evaluate,
    "claims": claims.evaluate,
    "rewriting": rewriting.evaluate,
    "fusion": fusion_sweep.evaluate,
    "reranker": reranker_fit.evaluate,
}
LIVE = ("soak", "crash", "throughput")
"""Those that need no data."""
NAMES = (*EVALUATIONS, *LIVE)


def run_eval(name: str, data: Path, out: Path | None) -> Report:
    """The report of that evaluation, also written to OUT/NAME.json where OUT is given. KeyError: no such name."""
    return _kept(EVALUATIONS[name](data), out)


def run_live(name: str, out: Path | None, *, minutes: float, points: int, seed: int) -> Report:
    """As `run_eval`, for those in LIVE. `minutes` of a soak, `points` at which the bot is killed in a crash test."""
    if name == "throughput":
        return _kept(throughput.evaluate(), out)
    return _kept(soak.evaluate(minutes, seed) if name == "soak" else crash.evaluate(points, seed), out)


def _kept(report: Report, out: Path | None) -> Report:
    if out:
        out.mkdir(parents=True, exist_ok=True)
        text = json.dumps(report.as_json(), ensure_ascii=False, indent=1)
        (out / f"{report.name}.json").write_text(f"{text}\n", "utf-8")
    return report
