"""What the tests of query extraction by a language model share."""

import datetime as dt
from typing import Any

from retrieval.types import Conversation, ExtractedQuery, Filterable, Message
from retrieval.understand.form import Strategy
from retrieval.understand.llm import LlmExtractor
from tests.retrieval.scripted_chat import ScriptedChat

TODAY = dt.date(2026, 11, 29)
PARKING = "How much is a parking permit?"
PERMIT: dict[str, Any] = {
    "main_query": "parking permit cost",
    "main_query_explanation": "Passages about parking permit cost. They typically cover what a permit costs.",
    "key_phrases": ["parking permit", "cost"],
    "expansions": ["price of a parking permit", "fee for parking"],
    "filters": {"documents": [], "tags": [], "since": "", "until": ""},
    "criteria": [],
    "ranking": "relevance",
    "language": "en",
    "standalone": True,
    "kind": "question",
    "clarification": "",
    "sub_questions": [],
}
WARRANTY = (Message("person", "How long is the warranty?"), Message("bot", "Two years [1]."))


def extractor(chat: ScriptedChat, strategy: Strategy = "q2e", today: dt.date = TODAY) -> LlmExtractor:
    return LlmExtractor(chat, strategy=strategy, query_count=4, today=lambda: today)


def extracted(
    answer: dict[str, Any] | str,
    question: str = PARKING,
    *earlier: Message,
    strategy: Strategy = "q2e",
) -> ExtractedQuery:
    chat = ScriptedChat.saying(answer)
    return extractor(chat, strategy).extract(Conversation(question, earlier), Filterable())
