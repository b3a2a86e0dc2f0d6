"""Conversation to query by a served language model, or by rules while that does not answer."""

from dataclasses import dataclass

from retrieval.ladder import ServedPart
from retrieval.types import Conversation, ExtractedQuery, Filterable
from retrieval.understand.llm import LlmExtractor
from retrieval.understand.rules import RuleBasedExtractor


@dataclass(frozen=True)
class ServedExtractor:
    """QueryExtractor that always works. What needs no call tells nothing of the server, and misses nothing."""

    served: LlmExtractor
    rules: RuleBasedExtractor
    part: ServedPart

    def extract(self, conversation: Conversation, filterable: Filterable) -> ExtractedQuery:
        """Never fails."""
        return self.served.known(conversation, filterable) or self.part.attempt(
            lambda: self.served.extract(conversation, filterable), lambda: self.rules.extract(conversation, filterable)
        )
