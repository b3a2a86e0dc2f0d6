"""XQuAD (Artetxe et al., 2020): paragraphs as documents, questions with answer spans, the same in two languages."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the document that answers it, and the words of the answer."""

    text: str
    document: str
    answer: str
    article: int


@dataclass(frozen=True, slots=True)
class Xquad:
    """One language's half. Documents by name; `article` groups paragraphs of one subject."""

    documents: dict[str, str]
    articles: dict[str, int]
    questions: list[Question]


def load(data: Path, lang: str) -> Xquad:
    """From DATA/xquad/xquad.LANG.json. 240 documents, 1,190 questions."""
    documents: dict[str, str] = {}
    articles: dict[str, int] = {}
    questions = []
    for number, article in enumerate(json.loads((data / "xquad" / f"xquad.{lang}.json").read_text("utf-8"))["data"]):
        for paragraph in article["paragraphs"]:
            name = f"{len(documents):03}.md"
            documents[name], articles[name] = paragraph["context"], number
            questions += [
                Question(item["question"], name, item["answers"][0]["text"], number) for item in paragraph["qas"]
            ]
    return Xquad(documents, articles, questions)
