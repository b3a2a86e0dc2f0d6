"""A chat model by a script: what it says is read as a server's adapter reads it, and what it was asked is kept."""

import json
from collections import deque
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

from retrieval.adapters.openai_models.json_reading import read_form

Form = TypeVar("Form", bound=BaseModel)


@dataclass(frozen=True)
class Call:
    """What it was asked once."""

    system: str
    user: str
    form: type[BaseModel]
    temperature: float
    max_tokens: int


@dataclass
class ScriptedChat:
    """ChatModel that says what was queued, its last words again and again. An exception queued is raised."""

    name: str = "scripted"
    calls: list[Call] = field(default_factory=list)
    _said: deque[str | Exception] = field(default_factory=deque)

    @classmethod
    def saying(cls, *answers: "str | dict[str, Any] | Exception") -> "ScriptedChat":
        """Dicts are said as their JSON text."""
        chat = cls()
        chat._said.extend(json.dumps(answer) if isinstance(answer, dict) else answer for answer in answers)
        return chat

    def generate(self, system: str, user: str, form: type[Form], *, temperature: float, max_tokens: int) -> Form:
        self.calls.append(Call(system, user, form, temperature, max_tokens))
        answer = self._said.popleft() if len(self._said) > 1 else self._said[0]
        if isinstance(answer, Exception):
            raise answer
        return read_form(answer, form)
