"""TREC CAsT 2021 (Dalton et al., 2021): thirteen conversations, each turn answered by a passage, with two rewrites."""

import json
from pathlib import Path

from evals.data_sets.turns import Turn, numbered
from retrieval.types import Message


def load(data: Path) -> tuple[dict[str, str], list[Turn]]:
    """Passages by name and 117 turns, rewritten by "t5" and "human", from DATA/cast.

    The thread holds what was asked before, each with its passage as the bot's answer.
    """
    topics = json.loads((data / "cast" / "cast2021_13topics_with_passages.json").read_text("utf-8"))
    names = numbered(turn["passage"] for topic in topics for turn in topic["turn"])
    turns = []
    for topic in topics:
        thread: tuple[Message, ...] = ()
        for turn in topic["turn"]:
            message, passage = turn["raw_utterance"], turn["passage"]
            rewrites = {"t5": turn["automatic_rewritten_utterance"], "human": turn["manual_rewritten_utterance"]}
            id = f"{topic['number']}_{turn['number']}"
            turns.append(Turn(id, message, thread, frozenset({names[passage]}), rewrites))
            thread = (*thread, Message("person", message), Message("bot", passage))
    return {name: text for text, name in names.items()}, turns
