"""An instruction and data to an object of a given form, by a served chat model."""

import logging
from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel

from prompts import render
from retrieval.adapters.openai_models.connection import Connection
from retrieval.adapters.openai_models.dialect import Dialect
from retrieval.adapters.openai_models.failures import Refused
from retrieval.adapters.openai_models.json_reading import read_form
from retrieval.adapters.openai_models.sendable import sendable
from retrieval.adapters.openai_models.usage import call
from retrieval.budget import note_call
from retrieval.errors import ModelOutputInvalid, ServiceUnavailable

log = logging.getLogger(__name__)

Form = TypeVar("Form", bound=BaseModel)

_READ_TIMEOUT_S = 120.0
_SHOWN_CHARS = 2000
_NO_WORDS = "…"


class OpenAIChat:
    """`retrieval.ports.ChatModel` on any server with `/v1/chat/completions`. Thread-safe."""

    def __init__(
        self,
        base_url: str,
        model: str | None,
        api_key: str | None,
        *,
        service: str = "CHAT",
        thinking: bool = False,
        read_timeout_s: float = _READ_TIMEOUT_S,
    ) -> None:
        """Connects to nothing yet. `service` is what its settings begin with; `thinking` lets a model think that can
        switch it. Raises ConfigurationError for an address or a key that cannot be one."""
        self._service = service
        self._connection = Connection(base_url, model, api_key, service=service, read_timeout_s=read_timeout_s)
        self._thinking = thinking
        self._dialect: Dialect | None = None

    def close(self) -> None:
        self._connection.close()

    @property
    def name(self) -> str:
        """The model's, without its path. Raises ServiceUnavailable where only the server knows it."""
        return self._connection.name

    def generate(self, system: str, user: str, form: type[Form], *, temperature: float, max_tokens: int) -> Form:
        """An answer of that form. One that is not is shown to the model once, with what is wrong.

        Raises ServiceUnavailable, and ModelOutputInvalid for a second such answer or one cut off at `max_tokens`.
        """
        messages = [
            {"role": "system", "content": sendable(system)},
            {"role": "user", "content": sendable(user)},
        ]
        ask = partial(self._ask, form, temperature, max_tokens)
        words = ask(messages)
        try:
            return read_form(words, form)
        except ModelOutputInvalid as problem:
            log.warning("%s: an answer cannot be read, it is asked for once more: %s", self._service, problem)
            messages.append({"role": "assistant", "content": sendable(words)[:_SHOWN_CHARS] or _NO_WORDS})
            messages.append({"role": "user", "content": sendable(render("repair_json", problem=str(problem)))})
        try:
            return read_form(ask(messages), form)
        except ModelOutputInvalid as problem:
            raise ModelOutputInvalid(f"{self._service}: the model's answer cannot be read: {problem}") from None

    def _ask(
        self, form: type[BaseModel], temperature: float, max_tokens: int, messages: Sequence[dict[str, str]]
    ) -> str:
        """What the model says. What the server refuses of a request is left out, and later too if it answers then."""
        first = dialect = self._dialect or Dialect.of(self._connection.model)
        while True:
            wishes = dialect.wishes(form, temperature=temperature, max_tokens=max_tokens, thinking=self._thinking)
            try:
                answer = self._connection.post("/chat/completions", {"messages": messages, **wishes})
            except Refused as refused:
                narrowed = dialect.narrowed(refused.words)
                if narrowed is None:
                    raise
                dialect = narrowed
            else:
                break
        if dialect != first:
            self._dialect = dialect
        note_call(call(self._service, self._connection.name, answer))
        return self._read(answer, max_tokens)

    def _read(self, answer: Any, max_tokens: int) -> str:
        match answer:
            case {"choices": [{"message": dict(message)} as choice, *_]}:
                if choice.get("finish_reason") == "length":
                    log.warning("%s: finish_reason=length at max_tokens=%d", self._service, max_tokens)
                    raise ModelOutputInvalid(f"{self._service}: the answer was cut off at {max_tokens} tokens")
                return _words_of(message)
        raise ServiceUnavailable(
            f"{self._service}: what the server answers is no chat completion; check {self._service}_BASE_URL"
        )


def _words_of(message: dict[str, Any]) -> str:
    """The content, or else the reasoning: with the wrong parser a server takes the whole answer for thinking."""
    fields = (message.get(field) for field in ("content", "reasoning", "reasoning_content"))
    return next((words for words in fields if isinstance(words, str) and words.strip()), "")
