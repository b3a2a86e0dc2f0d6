"""Conversation to query by a served language model, or by rules while that does not answer."""

from dataclasses import dataclass

from retrieval.ladder import ServedPart
from retrieval.types import Conversation, ExtractedQuery, Filterable
from retrieval.understand.llm import LlmExtractor


@dataclass(frozen=True)
class ServedExtractor:
    """QueryExtractor that always works. What needs no call tells nothing of the server, and misses nothing."""

    served: LlmExtractor
    part: ServedPart

    def extract(self, conversation: Conversation, filterable: Filterable) -> ExtractedQuery:
        """Never fails."""
        asked = self.served.asked(conversation, filterable)
        return self.served.known(asked) or self.part.attempt(
            lambda: self.served.extracted(asked), lambda: asked.by_rules
        )
