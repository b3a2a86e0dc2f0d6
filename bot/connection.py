"""An app-level token to a guarded Socket Mode connection."""

import contextlib
import logging
import select
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk.errors import SlackApiError, SlackClientNotConnectedError
from slack_sdk.socket_mode import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

from bot.clients import CONNECTION_ERRORS, error_code, is_token_error
from bot.settings import APP_VARIABLE, refused_token
from retrieval.errors import ServiceUnavailable

logger = logging.getLogger(__name__)

_ENVELOPES_AT_ONCE = 40
_PING_EVERY_S = 3.0
_RECEIVED_AT_ONCE_BYTES = 64 * 1024
"""Most envelopes in one piece: the Slack client gives up one whose next piece is late."""

_PONG_MISSING_S = 10.0
_HELLO_WITHIN_S = 30.0
_LOOK_EVERY_S = 1.0
_DEAD_AFTER_S = 180.0


class _Lanes(SocketModeHandler):
    """Handles events in threads of their own: they wait for the store, and a command must not wait for them."""

    def __init__(self, app: App, app_token: str) -> None:
        super().__init__(
            app,
            app_token,
            concurrency=_ENVELOPES_AT_ONCE,
            ping_interval=_PING_EVERY_S,
            receive_buffer_size=_RECEIVED_AT_ONCE_BYTES,
        )
        self.events = ThreadPoolExecutor(_ENVELOPES_AT_ONCE, "events")

    def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override]  # as Bolt's
        if req.type == "events_api":
            self.events.submit(self._handle_event, client, req)
        else:
            super().handle(client, req)

    def _handle_event(self, client: SocketModeClient, req: SocketModeRequest) -> None:
        try:
            super().handle(client, req)
        except (SlackClientNotConnectedError, *CONNECTION_ERRORS) as error:
            logger.warning("an event could not be acknowledged, Slack sends it again: %s", error)
        except Exception:
            logger.exception("handling an event failed; Slack sends it again")


class Connection:
    """The WebSocket over which Slack's events come. `lost` is set when it stays dead for minutes.

    The Slack client notices a broken socket after five failed pings and a silent one after four missed answers
    only; a guard looks closer, because whoever writes meanwhile waits.
    """

    def __init__(self, app: App, app_token: str, *, dead_after_s: float = _DEAD_AFTER_S) -> None:
        self._dead_after_s = dead_after_s
        handler = _Lanes(app, app_token)
        self._events = handler.events
        self._client = handler.client
        self._client.message_listeners.append(self._on_envelope)
        self._said_hello = threading.Event()
        self._closing = threading.Event()
        self._guard = threading.Thread(target=self._stand_guard, name="socket-guard", daemon=True)
        self.lost = threading.Event()

    def open(self) -> None:
        """Connect and wait for Slack's hello. Raises ConfigurationError, ServiceUnavailable."""
        try:
            self._client.connect()
        except SlackApiError as error:
            if is_token_error(error) or error_code(error) == "missing_scope":
                raise refused_token(APP_VARIABLE, error_code(error)) from None
            raise ServiceUnavailable(f"Slack opens no connection: {error_code(error)}") from None
        except CONNECTION_ERRORS as error:
            raise ServiceUnavailable(f"Slack opens no connection: {error}") from None
        if not self._said_hello.wait(_HELLO_WITHIN_S):
            raise ServiceUnavailable("the WebSocket to Slack does not come up; is it blocked by a firewall?")
        self._guard.start()

    def close(self) -> None:
        """Disconnect."""
        self._closing.set()
        self._hang_up()
        self._client.close()
        self._events.shutdown()

    def _stand_guard(self) -> None:
        alive_at = time.monotonic()
        while not self._closing.wait(_LOOK_EVERY_S):
            if self._is_broken():
                self._reconnect()
            if self._client.is_connected():
                alive_at = time.monotonic()
            elif time.monotonic() - alive_at > self._dead_after_s:
                logger.error("no connection to Slack for %d seconds", self._dead_after_s)
                self.lost.set()
                return

    def _is_broken(self) -> bool:
        session = self._client.current_session
        if session is None or not session.is_active():
            return False
        pong_at = session.last_ping_pong_time
        silent = pong_at is not None and time.time() - pong_at > _PONG_MISSING_S
        return silent or session.consecutive_check_state_error_count > 0 or _has_hung_up(session.sock)

    def _reconnect(self) -> None:
        logger.warning("the connection to Slack is broken, opening a new one")
        try:
            self._hang_up()
            self._client.disconnect()
            self._client.connect_to_new_endpoint()
        except (SlackApiError, *CONNECTION_ERRORS) as error:
            logger.warning("no new connection to Slack yet: %s", error)

    def _hang_up(self) -> None:
        """End the read that the client is in; it would hold up closing for seconds."""
        sock = self._client.current_session.sock if self._client.current_session else None
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def _on_envelope(self, _client: object, message: dict[str, object], _raw: str | None) -> None:
        if message.get("type") != "hello":
            return
        connections = message.get("num_connections")
        expected = 2 if self._said_hello.is_set() else 1  # Slack may not have let go of our own last one yet
        if isinstance(connections, int) and connections > expected:
            logger.warning(
                "Slack counts %d connections of this app; another bot with the same app token takes its messages",
                connections,
            )
        self._said_hello.set()


def _has_hung_up(sock: socket.socket | None) -> bool:
    """Whether the other side has closed the socket, which the Slack client does not see."""
    poller = select.poll()
    try:
        poller.register(sock or -1, getattr(select, "POLLRDHUP", 0))
        return bool(poller.poll(0))
    except (ValueError, OSError):
        return False
