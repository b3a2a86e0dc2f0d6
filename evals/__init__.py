"""Measures on public data sets, each against the bar it must hold: `footnote eval NAME --data DIR`."""

import json
from collections.abc import Callable
from pathlib import Path

from evals import answer_quality, refusal_quality, reranker_fit, search_quality
from evals.report import Report

EVALUATIONS: dict[str, Callable[[Path], Report]] = {
    "retrieval": search_quality.evaluate,
    "answers": answer_quality.evaluate,
    "refusal": refusal_quality.evaluate,
    "reranker": reranker_fit.evaluate,
}
NAMES = tuple(EVALUATIONS)


def run_eval(name: str, data: Path, out: Path | None) -> Report:
    """The report of that evaluation, also written to OUT/NAME.json where OUT is given. KeyError: no such name."""
    report = EVALUATIONS[name](data)
    if out:
        out.mkdir(parents=True, exist_ok=True)
        (out / f"{name}.json").write_text(json.dumps(report.as_json(), ensure_ascii=False, indent=1) + "\n", "utf-8")
    return report
