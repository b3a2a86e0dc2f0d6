"""Chinese regulations with questions in four languages, some of which they do not answer."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class LawQuestion:
    """`document` None: the laws do not answer it. `language` is the one it is asked in."""

    id: str
    text: str
    document: str | None
    answer_contains: tuple[str, ...]
    language: str


def load(data: Path) -> tuple[dict[str, Path], list[LawQuestion]]:
    """Files by name, and the questions, from DATA/laws."""
    folder = data / "laws"
    lines = (folder / "questions.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    questions = [
        LawQuestion(row["id"], row["question"], row.get("document"), tuple(row.get("answer_contains", ())), row["lang"])
        for row in rows
    ]
    return {path.name: path for path in sorted(folder.glob("*.md"))}, questions
