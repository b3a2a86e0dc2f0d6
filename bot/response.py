"""What the bot says to a message, from being composed to being seen to stand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.reply import Part, parts
from retrieval.types import Notice


@dataclass(frozen=True, slots=True)
class Response:
    """What to post, how it is remembered, and its record for the audit. Remembered without words it is no part of
    the conversation."""

    parts: Sequence[Part]
    remembered: str = ""
    record: Mapping[str, Any] | None = None

    @property
    def text(self) -> str:
        """What it says, as Markdown."""
        return "\n\n".join(part.markdown for part in self.parts)

    def as_json(self) -> dict[str, Any]:
        """What `from_json` makes the same response of."""
        parts = [part.as_json() for part in self.parts]
        return {"parts": parts, "remembered": self.remembered, "record": self.record}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Response":
        return cls([Part.from_json(part) for part in kept["parts"]], str(kept["remembered"]), kept.get("record"))

    @classmethod
    def notice(cls, text: str) -> "Response":
        """A reply that later questions do not lean on."""
        return cls(parts(Notice("not_allowed", text)))

    @classmethod
    def apology(cls, number: str) -> "Response":
        """The one reply to a message whose answer failed; `number` leads to the cause in the log."""
        return cls.notice(
            f"Sorry, something went wrong on my side and I could not answer (incident {number}). "
            "Please try again; if it happens again, pass this number on to the people who run me."
        )

    @classmethod
    def out_of_order(cls, number: str) -> "Response":
        """The one reply where a service that the answer needs does not answer."""
        return cls.notice(
            f"Sorry, a service that I need for answering is not available right now (incident {number}). "
            "Please ask again in a few minutes."
        )
