"""ClapNQ (Rosenthal et al., 2024): questions with the passages that answer them, and ones that theirs do not."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ClapQuestion:
    """`documents` are the names of its own passages, which hold the answer if it is answerable. `references` are right
    answers, each by one annotator: the sentences of those passages that it was made from."""

    text: str
    documents: tuple[str, ...]
    answerable: bool
    references: tuple[tuple[str, ...], ...] = ()


def load(data: Path) -> tuple[dict[str, str], list[ClapQuestion]]:
    """Passages as Markdown documents by name, and 300 questions, half of them answerable, from DATA/clapnq."""
    documents: dict[str, str] = {}
    questions = []
    for answerable in (True, False):
        file = data / "clapnq" / f"{'' if answerable else 'un'}answerable_first150.jsonl"
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            own = {f"{row['id']}-{n}.md": f"# {p['title']}\n\n{p['text']}" for n, p in enumerate(row["passages"])}
            documents |= own
            selected = (tuple(dict.fromkeys(map(str.strip, o["selected_sentences"]))) for o in row["output"])
            references = tuple(sentences for sentences in selected if sentences)
            questions.append(ClapQuestion(row["input"], tuple(own), answerable, references))
    return documents, questions
