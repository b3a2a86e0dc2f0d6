"""What models are asked to fill in, read with patience: their null, lists for strings and strings for lists.

The schema of a form asks for every field, so that a server that keeps to schemas leaves none out; reading it asks
for none, because other servers do leave some out.
"""

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

_YES = {"true", "yes", "y", "1"}
_NOTHING = {"null", "none", "n/a"}
_SEPARATOR = re.compile(r"[;\n]")


def _plain_schema(schema: dict[str, Any]) -> None:
    """Without what strict servers refuse (defaults) and what tells the model nothing (titles, our docstrings)."""
    schema.pop("description", None)
    schema["required"] = list(schema["properties"])
    schema["additionalProperties"] = False
    for field in schema["properties"].values():
        field.pop("default", None)
        field.pop("title", None)


class Form(BaseModel):
    """Base of all forms. Keys that nobody asked for are ignored."""

    model_config = ConfigDict(extra="ignore", json_schema_extra=_plain_schema)


def _text(value: Any) -> Any:
    if isinstance(value, str):
        text = value.encode("utf-8", "replace").decode("utf-8").strip()
        return "" if text.lower() in _NOTHING else text
    if isinstance(value, list):
        return " ".join(text for text in map(_text, value) if text)
    return "" if value is None or isinstance(value, bool | dict) else str(value)


def _texts(value: Any) -> Any:
    if isinstance(value, str):
        value = _SEPARATOR.split(value)
    return tuple(text for text in map(_text, value) if text) if isinstance(value, list | tuple) else ()


def _flag(value: Any) -> Any:
    return value.strip().lower() in _YES if isinstance(value, str) else bool(value)


Text = Annotated[str, BeforeValidator(_text)]
"""A string without surrounding space, which any encoding can hold; "" for what is none."""

Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]
"""Strings, none of them empty. A single string counts as the lines or the parts between semicolons that it has."""

Flag = Annotated[bool, BeforeValidator(_flag)]
"""True or False, whether written as such or as yes or no."""
