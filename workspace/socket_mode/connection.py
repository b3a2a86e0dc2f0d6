"""One WebSocket of the app: frames out, acks in, and the ways in which it can break."""

import json
from collections.abc import Callable

from aiohttp import WSMsgType, web

from workspace.json_types import Json
from workspace.state import APP_ID

# Slack closes the socket with 1009 when an ack is larger.
ACK_MOST_BYTES = 20_480

_CLOSING_S = 1.0

DEBUG_HOST = "applink-local"


class Connection:
    """A WebSocket that an app opened with its ticket."""

    def __init__(self, request: web.Request) -> None:
        self._request = request
        # Pings are answered here, so that a half-open connection can leave them unanswered.
        self._socket = web.WebSocketResponse(autoping=False, max_msg_size=ACK_MOST_BYTES, timeout=_CLOSING_S)
        self.half_open = False
        self.leaving = False

    async def open(self) -> None:
        """Finish the handshake."""
        await self._socket.prepare(self._request)

    async def hello(self, connections: int, life_s: int) -> None:
        """Greet the app, as Slack does first."""
        debug = {"host": DEBUG_HOST, "build_number": 1, "approximate_connection_time": life_s}
        info = {"app_id": APP_ID}
        await self.send({"type": "hello", "num_connections": connections, "connection_info": info, "debug_info": debug})

    async def send(self, frame: Json) -> None:
        """Send a frame; on a half-open or lost connection it vanishes, which nobody on this side notices."""
        if self.half_open or self._socket.closed:
            return
        try:
            await self._socket.send_str(json.dumps(frame))
        except ConnectionError:
            return

    async def receive(self, on_ack: Callable[[Json], None]) -> web.WebSocketResponse:
        """Hand over acks until the connection is closed from either side."""
        async for frame in self._socket:
            if self.half_open:
                continue
            if frame.type is WSMsgType.PING:
                await self._socket.pong(frame.data)
            elif frame.type is WSMsgType.TEXT:
                self._read(frame.data, on_ack)
        return self._socket

    def _read(self, text: str, on_ack: Callable[[Json], None]) -> None:
        try:
            ack = json.loads(text)
        except ValueError:
            return
        if isinstance(ack, dict) and "envelope_id" in ack:
            on_ack(ack)

    async def close(self) -> None:
        """Say goodbye with a close frame."""
        await self._socket.close()

    def drop(self) -> None:
        """Break the TCP connection without a word."""
        if self._request.transport is not None:
            self._request.transport.abort()
