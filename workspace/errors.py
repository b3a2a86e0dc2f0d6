"""What can go wrong, as the caller is told it.

WorkspaceError
├── SlackError      a Web API call is refused: Slack's error name
└── ControlError    a control call is refused: HTTP status and a sentence
"""

from collections.abc import Sequence

from workspace.json_types import Json


class WorkspaceError(Exception):
    """Base of everything the workspace refuses on purpose."""


class SlackError(WorkspaceError):
    """A Web API call refused with Slack's own error name, with a message per fault where Slack gives one."""

    def __init__(self, name: str, messages: Sequence[str] = ()) -> None:
        super().__init__(name)
        self.name = name
        self.messages = tuple(messages)

    def body(self) -> Json:
        """Slack's answer: `ok`, `error`, and the messages where there are any."""
        answer: Json = {"ok": False, "error": self.name}
        if self.messages:
            answer["errors"] = list(self.messages)
            answer["response_metadata"] = {"messages": [f"[ERROR] {message}" for message in self.messages]}
        return answer


class ControlError(WorkspaceError):
    """A control call refused: HTTP status, error name and a sentence for the person who made it."""

    def __init__(self, status: int, name: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.name = name

    def body(self) -> Json:
        """The answer's JSON."""
        return {"error": self.name, "message": str(self)}
