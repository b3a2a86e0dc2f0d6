"""A local workspace in a thread, and its control API as plain calls."""

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import requests
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk.socket_mode import SocketModeClient

from workspace.server import in_thread
from workspace.settings import Settings

BOT_TOKEN = "xoxb-local"
APP_TOKEN = "xapp-local"
Connect = Callable[[App], SocketModeHandler]

_GIVE_UP_S = 20.0
_Found = TypeVar("_Found")


@dataclass(frozen=True)
class WorkspaceHandle:
    """A running workspace at `url`, for example `http://127.0.0.1:40123`."""

    url: str

    @property
    def api_url(self) -> str:
        """What a Slack client takes as its base URL."""
        return f"{self.url}/api/"

    def control(
        self,
        path: str,
        body: dict[str, Any] | None = None,
        *,
        method: str | None = None,
        files: dict[str, bytes] | None = None,
        query: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        """The answer of `/control/{path}`; AssertionError when the call is refused.

        GET without a body, else POST; multipart with `files`, a name to its bytes each.
        """
        wanted = method or ("GET" if body is None and not files else "POST")
        sent: dict[str, Any] = {"json": body}
        if files:
            fields = {k: v if isinstance(v, str) else json.dumps(v) for k, v in (body or {}).items()}
            sent = {"data": fields, "files": [("files", pair) for pair in files.items()]}
        answer = requests.request(wanted, f"{self.url}/control/{path}", params=query, timeout=30, **sent)
        assert answer.ok, f"{wanted} /control/{path}: {answer.status_code} {answer.text}"
        parsed: dict[str, Any] = answer.json()
        return parsed

    def say(self, channel: str, user: str, text: str, *, thread_ts: str | None = None) -> str:
        """Post as a person; the message's timestamp."""
        body = {"channel": channel, "user": user, "text": text}
        ts: str = self.control("messages", body | ({"thread_ts": thread_ts} if thread_ts else {}))["ts"]
        return ts

    def share(self, channel: str, user: str, text: str, files: dict[str, bytes]) -> str:
        """Post files as a person; the message's timestamp."""
        ts: str = self.control("messages", {"channel": channel, "user": user, "text": text}, files=files)["ts"]
        return ts

    def advance(self, seconds: float) -> None:
        """Move the workspace's clock on."""
        self.control("clock", {"advance_s": seconds})

    def messages(self, channel: str, thread_ts: str | None = None) -> list[dict[str, Any]]:
        """What a channel or a thread holds, oldest first."""
        query = {"channel": channel} | ({"thread_ts": thread_ts} if thread_ts else {})
        found: list[dict[str, Any]] = self.control("messages", query=query)["messages"]
        return found

    def replies_of_bot(self, channel: str, thread_ts: str) -> list[dict[str, Any]]:
        """The bot's replies in a thread so far."""
        return [m for m in self.messages(channel, thread_ts) if m["bot_id"]]

    def wait_for_reply(self, channel: str, thread_ts: str) -> dict[str, Any]:
        """The bot's first reply in a thread."""
        return wait_for(lambda: self.replies_of_bot(channel, thread_ts))[0]


def _has_begun(client: SocketModeClient) -> bool:
    """Whether the client has begun to read, or is cut off; closed before that, it would wait for ever."""
    session = client.current_session
    return session is None or not client.is_connected() or session.last_ping_pong_time is not None


def hang_up(workspace: WorkspaceHandle, *clients: SocketModeClient) -> None:
    """Close socket clients at once: by themselves they sit out their reads first, seconds each time."""
    for client in clients:
        client.auto_reconnect_enabled = False
    wait_for(lambda: all(_has_begun(client) for client in clients))
    workspace.control("faults", {"kind": "half_open", "seconds": 0})
    wait_for(lambda: workspace.control("state")["connections"] == 0)
    for client in clients:
        client.message_processor.event.set()
        client.enqueue_message("")
        client.close()


def wait_for(look: Callable[[], _Found]) -> _Found:
    """What `look` returns as soon as it is true; AssertionError when it does not become so."""
    end = time.monotonic() + _GIVE_UP_S
    while not (found := look()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
    return found


@contextlib.contextmanager
def running_workspace(settings: Settings | None = None) -> Iterator[WorkspaceHandle]:
    """A workspace on a free port, stopped on leaving."""
    with in_thread(settings=settings) as server:
        yield WorkspaceHandle(server.url)
