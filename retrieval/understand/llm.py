"""Conversation to query by a language model: one call, its words checked against the thread's."""

import datetime as dt
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable

from prompts import render, version
from retrieval.ports import ChatModel
from retrieval.types import Conversation, ExtractedQuery, Filterable, Kind
from retrieval.understand.form import FORMS, QueryForm, Strategy
from retrieval.understand.reading import Asked, answers_the_bot, read
from retrieval.understand.rules import RuleBasedExtractor
from retrieval.understand.thread import quoted

_MAX_TOKENS = 1_000
_MAX_TOKENS_REASONED = 2_000
_MAX_TOKENS_THOUGHT = 4_000
_REMEMBERED = 300


class LlmExtractor:
    """QueryExtractor by a language model. Thread-safe.

    Messages that are nothing but a greeting, thanks or a call for help cost no call, unless the bot had just asked
    something. The same thread, filters and day give the same query, from memory.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        strategy: Strategy,
        query_count: int,
        thinking: bool = False,
        today: Callable[[], dt.date] = dt.date.today,
    ) -> None:
        """`thinking`: the model thinks before it writes, and needs room for that."""
        self._chat = chat
        self._strategy = strategy
        values = {"count": str(query_count)} if strategy == "multi" else {}
        self._fields = render(strategy, **values)
        self._version = version("extract_query", strategy)
        reasoned = _MAX_TOKENS_REASONED if strategy == "cot" else _MAX_TOKENS
        self._max_tokens = _MAX_TOKENS_THOUGHT if thinking else reasoned
        self._today = today
        self._rules = RuleBasedExtractor(today)
        self._known: OrderedDict[str, ExtractedQuery] = OrderedDict()
        self._lock = threading.Lock()

    def extract(self, conversation: Conversation, filterable: Filterable) -> ExtractedQuery:
        """Raises ServiceUnavailable and ModelOutputInvalid of the chat model."""
        asked = self.asked(conversation, filterable)
        return self.known(asked) or self.extracted(asked)

    def asked(self, conversation: Conversation, filterable: Filterable) -> Asked:
        """What is known without the model. Costs no call."""
        return Asked(conversation, filterable, self._rules.extract(conversation, filterable), self._today())

    def known(self, asked: Asked) -> ExtractedQuery | None:
        """The query where it takes no call: the message asks nothing, or the same was asked before."""
        may_answer = asked.by_rules.kind is Kind.SMALL_TALK and answers_the_bot(asked.conversation)
        if asked.by_rules.kind is not Kind.QUESTION and not may_answer:
            return asked.by_rules
        key = self._key(asked)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
            return self._known.get(key)

    def extracted(self, asked: Asked) -> ExtractedQuery:
        """By the model, and remembered. Raises ServiceUnavailable and ModelOutputInvalid."""
        query = read(self._form(asked), asked)
        with self._lock:
            self._known[self._key(asked)] = query
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return query

    def _form(self, asked: Asked) -> QueryForm:
        return self._chat.generate(
            render("extract_query", today=f"{asked.today:%A}, {asked.today.isoformat()}", strategy=self._fields),
            quoted(asked.conversation, asked.filterable),
            FORMS[self._strategy],
            temperature=0.0,
            max_tokens=self._max_tokens,
        )

    def _key(self, asked: Asked) -> str:
        content = (asked.conversation, asked.filterable, asked.today, self._version)
        return hashlib.sha256(repr(content).encode("utf-8", "replace")).hexdigest()
