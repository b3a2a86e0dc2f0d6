"""MT-RAG (Katsis et al., 2025): people's conversations with a bot over the passages of its reference subset."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evals.data_sets.turns import Turn, numbered
from retrieval.types import Message

_COLLECTIONS = ("clapnq", "cloud", "govt")
_SPEAKER = "|user|:"


def load(data: Path) -> tuple[dict[str, str], list[Turn]]:
    """The 350 passages by name, and the turns that one of them answers, from DATA/mtrag.

    125 turns come with a "human" rewrite; for 37 on finance there is none. The thread holds the bot's answers for
    turns of the subset, else only what the person said.
    """
    folder = data / "mtrag"
    subset = json.loads((folder / "reference_subset_with_human_evaluations.json").read_text("utf-8"))
    texts = {row["document_id"]: row["text"] for row in subset["documents"]}
    names = numbered(texts.values())
    tasks = {task["task_id"]: task for task in subset["tasks"]}
    answers = {id: [context["document_id"] for context in task["contexts"]] for id, task in tasks.items()}
    said, rewritten = _said(folder, "questions"), _said(folder, "rewrite")
    turns = []
    for id, passages in (answers | _relevant(folder)).items():
        thread = _thread(tasks[id]) if id in tasks else [Message("person", text) for text in said[id]]
        rewrites = {"human": rewritten[id][-1]} if id in rewritten else {}
        if right := frozenset(names[texts[passage]] for passage in passages if passage in texts):
            turns.append(Turn(id, thread[-1].text, tuple(thread[:-1]), right, rewrites))
    return {name: text for text, name in names.items()}, turns


def _thread(task: dict[str, Any]) -> list[Message]:
    return [Message("person" if said["speaker"] == "user" else "bot", said["text"]) for said in task["input"]]


def _relevant(folder: Path) -> dict[str, list[str]]:
    """By turn, the passages that answer it."""
    found: dict[str, list[str]] = {}
    for collection in _COLLECTIONS:
        with (folder / f"{collection}_qrels.tsv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                found.setdefault(row["query-id"], []).append(row["corpus-id"])
    return found


def _said(folder: Path, kind: str) -> dict[str, list[str]]:
    """By turn, what the person said up to it, or the one rewrite of it."""
    return {row["_id"]: [text.strip() for text in row["text"].split(_SPEAKER)[1:]] for row in _rows(folder, kind)}


def _rows(folder: Path, kind: str) -> Iterator[dict[str, str]]:
    for collection in _COLLECTIONS:
        for line in (folder / f"{collection}_{kind}.jsonl").read_text("utf-8").splitlines():
            yield json.loads(line)
