"""What of the workspace can be set: Slack's times, what the app is configured with, and the page's examples."""

from dataclasses import dataclass, field

from workspace.errors import ControlError
from workspace.json_types import Json

_TEXTS = ("hints", "events", "scopes")
_TIMES = ("ack_timeout_s", "trigger_life_s", "disconnect_grace_s", "view_wait_s")
_SCOPES = (
    *("app_mentions:read", "channels:history", "channels:join", "channels:read", "chat:write", "commands"),
    *("files:read", "groups:history", "groups:read", "im:history", "im:read", "im:write", "mpim:history", "mpim:read"),
    *("reactions:read", "reactions:write", "usergroups:read", "users:read"),
)


@dataclass(slots=True)
class Settings:
    """Times in seconds, as Slack's unless a test sets shorter ones.

    `events` are the event types that the app subscribed to, none meaning all; `scopes` are those that its bot token
    is said to have, and do not limit it; `shortcuts` are its message shortcuts as pairs of callback_id and name.
    """

    ack_timeout_s: float = 3.0
    retry_delays_s: tuple[float, ...] = (0.0, 60.0, 300.0)
    trigger_life_s: float = 3.0
    disconnect_grace_s: float = 10.0
    view_wait_s: float = 1.0
    hints: list[str] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    scopes: list[str] = field(default_factory=lambda: list(_SCOPES))
    shortcuts: dict[str, str] = field(default_factory=dict)

    def subscribed(self, event_type: str) -> bool:
        """Whether the app gets events of that type."""
        return not self.events or event_type in self.events

    def change(self, wanted: Json) -> None:
        """Take over the values in `wanted`; ControlError when one is unknown or of the wrong kind."""
        for key, value in wanted.items():
            if key in _TIMES and _is_time(value):
                setattr(self, key, float(value))
            elif key == "retry_delays_s" and isinstance(value, list) and all(map(_is_time, value)):
                self.retry_delays_s = tuple(float(delay) for delay in value)
            elif key in _TEXTS and isinstance(value, list) and all(isinstance(text, str) for text in value):
                setattr(self, key, list(value))
            elif key == "shortcuts" and isinstance(value, dict) and all(isinstance(v, str) for v in value.values()):
                self.shortcuts = dict(value)
            else:
                raise ControlError(400, "invalid_setting", f"{key} cannot be set to {value!r}.")


def _is_time(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
