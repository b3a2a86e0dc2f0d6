"""A name to its evaluation, and its report to files."""

import json
from collections.abc import Callable
from pathlib import Path

from evals import (
    answer_quality,
    claims,
    documents,
    fusion_sweep,
    hostile,
    parse_speed,
    quarterly_reports,
    refusal_quality,
    reranker_fit,
    rewriting,
    search_quality,
)
from evals.own import runs
from evals.report import Report, joined

EVALUATIONS: dict[str, Callable[[Path], Report]] = {
    "retrieval": search_quality.evaluate,
    "answers": answer_quality.evaluate,
    "refusal": refusal_quality.evaluate,
    "ablation": runs.public_ablation,
    "claims": claims.evaluate,
    "rewriting": rewriting.evaluate,
    "fusion": fusion_sweep.evaluate,
    "reranker": reranker_fit.evaluate,
    "documents": documents.evaluate,
    "reports": quarterly_reports.evaluate,
    "hostile": hostile.evaluate,
    "parse_speed": parse_speed.evaluate,
}
"""On a folder of public data."""

WHOLE = ("retrieval", "answers", "refusal", "ablation")
"""What `all` consists of. These take a file of one's own questions, too."""


def run_eval(name: str, data: Path, out: Path | None) -> Report:
    """The report of that evaluation, on a folder of public data or a file of one's own questions, also kept in the
    folder OUT where that is given. Raises KeyError where there is no such evaluation of that kind of data."""
    if data.is_file():
        return kept(runs.measured(name, data), out)
    if name == "all":
        return kept(joined(name, [EVALUATIONS[part](data) for part in WHOLE]), out)
    return kept(EVALUATIONS[name](data), out)


def kept(report: Report, out: Path | None) -> Report:
    """The same, written to OUT/NAME.json and OUT/report.html."""
    if out:
        from evals.page import page_of  # loads what draws, which takes a second

        out.mkdir(parents=True, exist_ok=True)
        text = json.dumps(report.as_json(), ensure_ascii=False, indent=1)
        (out / f"{report.name}.json").write_text(f"{text}\n", "utf-8")
        (out / "report.html").write_text(page_of(report), "utf-8")
    return report
