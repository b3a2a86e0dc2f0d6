"""A payload on its way to the app, and the frame that carries it."""

import asyncio
import time
import uuid
from dataclasses import dataclass, field

from workspace.json_types import Json
from workspace.traffic import Entry

_NOTES = ("text", "callback_id", "reaction", "tab")


@dataclass(slots=True)
class Envelope:
    """A payload until it is acknowledged; `attempt` counts deliveries from 0."""

    kind: str
    payload: Json
    acked: "asyncio.Future[Json]"
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    attempt: int = 0
    entry: Entry | None = None
    sent_at_s: float = field(default_factory=time.monotonic)

    def frame(self) -> Json:
        """The JSON that goes over the socket."""
        is_event = self.kind == "events_api"
        retry = {"retry_attempt": self.attempt, "retry_reason": "timeout" if self.attempt else ""}
        return {
            "envelope_id": self.id,
            "type": self.kind,
            "accepts_response_payload": not is_event,
            **(retry if is_event else {}),
            "payload": self.payload,
        }

    @property
    def name(self) -> str:
        """What it carries, in Slack's words: the event's type, the interaction's type, or the command."""
        event = self.payload.get("event", {})
        kind = event.get("type") or self.payload.get("type") or self.payload.get("command")
        return f"{kind}.{event['subtype']}" if event.get("subtype") else str(kind)

    @property
    def note(self) -> str:
        """The words in it that tell it from others of its kind."""
        source = {**self.payload, **self.payload.get("view", {}), **self.payload.get("event", {})}
        acted = [action.get("action_id") for action in self.payload.get("actions", [])]
        said = [source.get(key) for key in _NOTES]
        return " · ".join(str(part) for part in (*acted, *said) if part)
