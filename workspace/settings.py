"""What of the workspace can be set: Slack's times, and the examples the page shows to a newcomer."""

from dataclasses import dataclass, field

from workspace.errors import ControlError
from workspace.json_types import Json

_TIMES = ("ack_timeout_s", "trigger_life_s", "disconnect_grace_s", "view_wait_s")


@dataclass(slots=True)
class Settings:
    """Times in seconds, as Slack's unless a test sets shorter ones."""

    ack_timeout_s: float = 3.0
    retry_delays_s: tuple[float, ...] = (0.0, 60.0, 300.0)
    trigger_life_s: float = 3.0
    disconnect_grace_s: float = 10.0
    view_wait_s: float = 1.0
    hints: list[str] = field(default_factory=list)

    def change(self, wanted: Json) -> None:
        """Take over the values in `wanted`; ControlError when one is unknown or of the wrong kind."""
        for key, value in wanted.items():
            if key in _TIMES and _is_time(value):
                setattr(self, key, float(value))
            elif key == "retry_delays_s" and isinstance(value, list) and all(map(_is_time, value)):
                self.retry_delays_s = tuple(float(delay) for delay in value)
            elif key == "hints" and isinstance(value, list) and all(isinstance(hint, str) for hint in value):
                self.hints = list(value)
            else:
                raise ControlError(400, "invalid_setting", f"{key} cannot be set to {value!r}.")


def _is_time(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
