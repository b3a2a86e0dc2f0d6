"""An answer of the server to the call it was, with what it counts of tokens."""

from typing import Any

from retrieval.types import ModelCall


def call(service: str, model: str, answer: Any) -> ModelCall:
    """Tokens as `usage` has them."""
    usage = answer.get("usage") if isinstance(answer, dict) else None
    counted = usage if isinstance(usage, dict) else {}
    return ModelCall(service, model, _count(counted.get("prompt_tokens")), _count(counted.get("completion_tokens")))


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) else None
