"""An app on Slack's own socket client that acknowledges nothing by itself."""

import json
from typing import Any, Protocol

from slack_sdk import WebClient
from slack_sdk.socket_mode import SocketModeClient

from tests.running_workspace import APP_TOKEN, WorkspaceHandle, wait_for


class RawApp:
    """A connected app that keeps every frame and acknowledges only what it is told to."""

    def __init__(self, workspace: WorkspaceHandle, *, reconnect: bool) -> None:
        self.frames: list[dict[str, Any]] = []
        web_client = WebClient(base_url=workspace.api_url)
        self.client = SocketModeClient(
            APP_TOKEN,
            web_client=web_client,
            auto_reconnect_enabled=reconnect,
            ping_interval=0.2,
            receive_buffer_size=64 * 1024,  # a frame whose second piece is late would be given up
        )
        self.client.on_message_listeners.append(lambda text: self.frames.append(json.loads(text)))
        self.client.connect()
        wait_for(lambda: self.frames)

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        """The frames of that type so far."""
        return [frame for frame in self.frames if frame["type"] == kind]

    def of_events(self) -> list[dict[str, Any]]:
        """The deliveries of events so far."""
        return self.of_type("events_api")

    def ack(self, envelope_id: str, payload: Any = None) -> None:
        """Acknowledge one envelope."""
        ack = {"envelope_id": envelope_id} | ({} if payload is None else {"payload": payload})
        self.client.send_message(json.dumps(ack))


class ConnectRaw(Protocol):
    """Connects one more app to the quick workspace."""

    def __call__(self, *, reconnect: bool = False) -> RawApp: ...


def unacknowledged(workspace: WorkspaceHandle) -> int:
    return int(workspace.control("state")["unacknowledged"])
