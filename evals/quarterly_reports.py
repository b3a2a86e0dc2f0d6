"""Are long reports searched well? Questions on two quarterly reports, by the pages that hold their answers."""

import json
from pathlib import Path

from evals.knowledge_base import knowledge_base
from evals.refusal_quality import refuses
from evals.report import Report
from retrieval.types import Viewer

_AMONG = 5
_LEAST = 15
"""Of the 17 questions, those with a right page among the first passages."""


def evaluate(data: Path) -> Report:
    """Questions whose first five passages hold a right page of the right document, and those without an answer."""
    report = Report("reports")
    folder = data / "reports"
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines()]
    with knowledge_base({file.name: file for file in sorted(folder.glob("*.pdf"))}) as footnote:
        right = refused = 0
        for row in rows:
            if row.get("answerable") is False:
                refused += refuses(footnote, row["question"])
                continue
            _, hits = footnote.pipeline.search(row["question"], Viewer(), _AMONG)
            places = [(hit.passage.document, hit.passage.page) for hit in hits]
            found = any(document == row["document"] and page in row["pages"] for document, page in places)
            right += found
            if not found:
                report.misses.append(f"{row['id']} {row['question']}: {places}")
    without = sum(row.get("answerable") is False for row in rows)
    report.add(f"right page among the first {_AMONG}, of {len(rows) - without} questions", right, _LEAST)
    report.add(f"refused, of {without} without an answer", refused, without)
    return report
