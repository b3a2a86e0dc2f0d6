"""Faults in blocks, collected in Slack's words with a JSON pointer to each."""

from collections.abc import Iterable
from typing import Any

from workspace.json_types import Json


class Problems:
    """The faults found so far."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def add(self, message: str, pointer: str) -> None:
        """Note one fault."""
        self.messages.append(f"{message} [json-pointer:{pointer}]")

    def required(self, holder: Json, key: str, pointer: str) -> bool:
        """Whether `holder` has `key`; a missing one is noted."""
        if holder.get(key) is None:
            self.add(f"missing required field: {key}", pointer)
            return False
        return True

    def length(self, value: Any, most: int, pointer: str, *, least: int = 0) -> None:
        """Note a value that is no string of `least` to `most` characters; None passes."""
        if value is None:
            return
        if not isinstance(value, str):
            self.add("must be a string", pointer)
        elif len(value) > most:
            self.add(f"must be less than {most + 1} characters", pointer)
        elif len(value) < least:
            self.add(f"must be more than {least - 1} characters", pointer)

    def items(self, value: Any, most: int, pointer: str, *, least: int = 1) -> list[Any]:
        """The list's items; a value that is no list of `least` to `most` items is noted."""
        if not isinstance(value, list):
            self.add("must be an array", pointer)
            return []
        if len(value) > most:
            self.add(f"no more than {most} items allowed", pointer)
        if len(value) < least:
            self.add(f"no fewer than {least} items allowed", pointer)
        return value

    def text(self, value: Any, most: int, pointer: str, *, plain_only: bool = False) -> None:
        """Note a value that is no text object of 1 to `most` characters; None passes."""
        if value is None:
            return
        if not isinstance(value, dict):
            self.add("must be an object", pointer)
            return
        kinds = ("plain_text",) if plain_only else ("plain_text", "mrkdwn")
        if value.get("type") not in kinds:
            self.add(f"must be one of: {', '.join(kinds)}", f"{pointer}/type")
        if self.required(value, "text", pointer):
            self.length(value["text"], most, f"{pointer}/text", least=1)

    def unique(self, values: Iterable[tuple[Any, str]], name: str) -> None:
        """Note every value that was there before; pairs of value and pointer, None passes."""
        seen: set[str] = set()
        for value, pointer in values:
            if isinstance(value, str) and value in seen:
                self.add(f"`{name}` {value} already exists", pointer)
            seen.add(str(value))
