"""How a chat server wants to be asked, beyond the messages: narrowed down by what it refuses. No I/O."""

import re
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from pydantic import BaseModel

_THINKING_SWITCH = re.compile(r"qwen-?3|smollm-?3|glm-4\.[5-9]", re.IGNORECASE)
"""Models whose chat template has the switch `enable_thinking`."""

_SCHEMA = re.compile(r"response_format|json.?schema|structured.?output|grammar|guided", re.IGNORECASE)

_NEW_LIMIT = re.compile(r"use\W+max_completion_tokens", re.IGNORECASE)

_THINKING_TEMPERATURE = 0.6
"""From Qwen3's model card: at 0 a thinking model goes round in circles."""


@dataclass(frozen=True)
class Dialect:
    """What is sent. `thinking_switch`: in `chat_template_kwargs` (vLLM, ms-swift, llama.cpp), as a field of its own
    (Alibaba's services), or not at all."""

    thinking_switch: Literal["template", "field"] | None
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    schema: bool = True

    @classmethod
    def of(cls, model: str) -> Self:
        """What a server of that model is tried with first."""
        return cls("template" if _THINKING_SWITCH.search(model) else None)

    def narrowed(self, refusal: str) -> Self | None:
        """Without what the refusal names, or with it said otherwise; None where it names nothing of the kind."""
        changes: dict[str, Any] = {}
        if self.thinking_switch == "template" and "chat_template_kwargs" in refusal:
            changes = {"thinking_switch": None}
        elif self.thinking_switch != "field" and "enable_thinking" in refusal:
            changes = {"thinking_switch": "field"}
        elif self.limit == "max_tokens" and _NEW_LIMIT.search(refusal):
            changes = {"limit": "max_completion_tokens"}
        elif self.schema and _SCHEMA.search(refusal):
            changes = {"schema": False}
        elif self.temperature and "temperature" in refusal:
            changes = {"temperature": False}
        return replace(self, **changes) if changes else None

    def wishes(self, form: type[BaseModel], *, temperature: float, max_tokens: int, thinking: bool) -> dict[str, Any]:
        """Fields of a request for a completion."""
        switch = {"enable_thinking": thinking}
        wishes: dict[str, Any] = {self.limit: max_tokens}
        if self.temperature:
            wishes["temperature"] = max(temperature, _THINKING_TEMPERATURE) if thinking else temperature
        if self.schema:
            schema = {"name": form.__name__.strip("_"), "schema": form.model_json_schema()}
            wishes["response_format"] = {"type": "json_schema", "json_schema": schema}
        if self.thinking_switch:
            wishes |= {"chat_template_kwargs": switch} if self.thinking_switch == "template" else switch
        return wishes
