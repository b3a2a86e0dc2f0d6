"""Right answers with the passages they rest on: quotes from ClapNQ, written answers from MT-RAG."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evals.data_sets import clapnq
from evals.data_sets.clapnq import ClapQuestion
from evals.knowledge_base import knowledge_base
from retrieval.answer.claims import Claim, cited, lines_of, put_together
from retrieval.build import Footnote
from retrieval.text import terms
from retrieval.types import Candidate, Evidence, Viewer

_EVIDENCE = 5
_DEPTH = 50
_MOST_PASSAGES = 2_000
_FAITHFUL = 3.5
"""Mean of the annotators' faithfulness, 1 to 4, from which a written answer counts as right."""
_ADDS = 0.2
"""Share of a statement's terms that a second passage must add to be cited beside the first."""
_LONGEST_CHUNK = 8_000
_LONGEST_TITLE = 80


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """A cited answer that its evidence bears out. `gold` are the places in the evidence, from 0, it was made from."""

    id: str
    question: str
    text: str
    evidence: tuple[Evidence, ...]
    gold: frozenset[int]

    @property
    def topic(self) -> str:
        """The conversation it is of: answers of one conversation speak of the same things."""
        return self.id.split("<", 1)[0]


@contextmanager
def quotes(data: Path) -> Iterator[tuple[Footnote, list[RightAnswer]]]:
    """Of each answerable ClapNQ question: the sentences that answer it, word for word, from passages as ingested."""
    documents, questions = clapnq.load(data)
    rows = (data / "clapnq" / "answerable_first150.jsonl").read_text("utf-8").splitlines()
    answerable = [question for question in questions if question.answerable]
    with knowledge_base(documents) as footnote:
        found = (_quoted(q, json.loads(row), footnote) for q, row in zip(answerable, rows, strict=True))
        yield footnote, [answer for answer in found if answer.text]


def _quoted(question: ClapQuestion, row: dict[str, Any], footnote: Footnote) -> RightAnswer:
    selected = list(dict.fromkeys(s.strip() for s in row["output"][0]["selected_sentences"]))
    hits = footnote.pipeline.search(question.text, Viewer(), _DEPTH)[1]
    own = [hit for hit in hits if hit.passage.document in question.documents]
    gold = [hit for hit in own if any(sentence in hit.passage.text for sentence in selected)]
    evidence = _filled(gold, hits)
    items = [
        f"- {_before_stop(sentence, n)}"
        for sentence in selected
        for n in [next((n for n, e in enumerate(evidence, start=1) if sentence in e.passage.text), None)]
        if n
    ]
    return RightAnswer(row["id"], question.text, "\n".join(items), evidence, frozenset(range(len(gold))))


def _before_stop(sentence: str, n: int) -> str:
    return f"{sentence[:-1].rstrip()} [{n}]{sentence[-1]}" if sentence[-1] in ".!?" else f"{sentence} [{n}]"


@contextmanager
def written(data: Path) -> Iterator[tuple[Footnote, list[RightAnswer]]]:
    """Of each answerable MT-RAG task of the reference subset whose answer its annotators found faithful: that answer,
    each statement under the passage or two that share most of its words."""
    subset = json.loads((data / "mtrag" / "reference_subset_with_human_evaluations.json").read_text("utf-8"))
    documents = {f"{d['document_id']}.md": _document(d) for d in subset["documents"]}
    faithful = _faithful(subset)
    tasks = [t for t in subset["tasks"] if t["Answerability"] == ["ANSWERABLE"] and t["contexts"]]
    with knowledge_base(documents, chunk_size=_LONGEST_CHUNK, chunk_overlap=0) as footnote:
        yield footnote, [_written(task, footnote) for task in tasks if task["task_id"] in faithful]


def _document(row: dict[str, Any]) -> str:
    first, _, rest = row["text"].partition("\n")
    title = row.get("title") or first[:_LONGEST_TITLE]
    return f"# {title}\n\n{rest if first == title else row['text']}"


def _faithful(subset: dict[str, Any]) -> set[str]:
    found = set()
    for row in subset["evaluations"]:
        marks = [float(mark["value"]) for mark in row["annotations"]["faithfulness"].values()]
        if row["model_id"] == "reference" and sum(marks) / len(marks) >= _FAITHFUL:
            found.add(row["task_id"])
    return found


def _written(task: dict[str, Any], footnote: Footnote) -> RightAnswer:
    question = task["input"][-1]["text"]
    hits = footnote.pipeline.search(question, Viewer(), _DEPTH)[1]
    gold = [hit for context in task["contexts"] for hit in _hits_of(f"{context['document_id']}.md", hits, footnote)]
    evidence = _filled(gold, hits)
    lines = [
        replace(line, claims=tuple(_cited(claim, evidence, len(gold)) for claim in line.claims))
        for line in lines_of(task["targets"][0]["text"])
    ]
    return RightAnswer(task["task_id"], question, put_together(lines), evidence, frozenset(range(len(gold))))


def _hits_of(document: str, hits: Sequence[Evidence], footnote: Footnote) -> list[Evidence]:
    """The document's passages, which the question alone may not find."""
    found = [hit for hit in hits if hit.passage.document == document]
    if found:
        return found
    own = [p for p in footnote.pipeline.passages.passages(range(_MOST_PASSAGES)).values() if p.document == document]
    return [Evidence(Candidate(passage, None, None, 0.0), 0.0) for passage in own]


def _cited(claim: Claim, evidence: Sequence[Evidence], gold: int) -> Claim:
    if claim.role in ("lead", "heading"):
        return claim
    wanted = set(terms(claim.text, "en"))
    held = {n: wanted & set(terms(evidence[n - 1].passage.text, "en")) for n in range(1, gold + 1)}
    first = max(held, key=lambda n: len(held[n]))
    second = max(held, key=lambda n: len(held[n] - held[first]))
    both = len(held[second] - held[first]) >= _ADDS * len(wanted)
    return cited(claim, sorted({first, second}) if both else (first,))


def _filled(gold: Sequence[Evidence], hits: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The gold passages and the best others: as many as a question has in the product, or all of gold."""
    others = [hit for hit in hits if hit not in gold]
    return (*gold, *others[: max(0, _EVIDENCE - len(gold))])
