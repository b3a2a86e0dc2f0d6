"""A refusal to one that helps on: what was looked for, and which documents come near it."""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.answer.wording import say
from retrieval.types import MARK, Evidence, ExtractedQuery, Refusal

_NEAR = 0.2
"""Share of the floor from which on a passage is near the question without answering it."""

_DOCUMENTS = 3
_LONGEST_CHARS = 300


def helpful(refusal: Refusal, query: ExtractedQuery, evidence: Sequence[Evidence], floor: float) -> Refusal:
    """Names what was looked for, and up to three documents whose passages came nearest, without pretending that they
    hold the answer. An empty knowledge base has nothing near."""
    if refusal.reason == "knowledge_base_empty":
        return refusal
    asked = " ".join(MARK.sub("", query.main_query).split())[:_LONGEST_CHARS]
    lines = [refusal.text, say("looked_for", query.language).format(query=asked)]
    near = dict.fromkeys(item.passage.document for item in evidence if item.relevance >= _NEAR * floor)
    if near:
        names = ", ".join(list(near)[:_DOCUMENTS])
        lines.append(say("closest", query.language).format(documents=names))
    return replace(refusal, text="\n\n".join([lines[0], " ".join(lines[1:])]))
