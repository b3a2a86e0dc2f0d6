"""A real HTTP server on this machine that answers as a test says."""

import contextlib
import json
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class Request:
    """What came in. `body` is the JSON of a POST, None without one; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Response:
    """What goes out: `body` as it is when a string or bytes, as JSON otherwise."""

    status: int = 200
    body: Any = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def content(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()

    @property
    def content_type(self) -> str:
        return "text/plain" if isinstance(self.body, str | bytes) else "application/json"


class Hang:
    """No answer, for as long as the server runs."""


class Reset:
    """The connection is closed without an answer."""


@dataclass(frozen=True)
class Trickle:
    """An answer that announces more than ever comes: one byte every `pause_s`."""

    pause_s: float = 0.02


Answer = Response | Hang | Reset | Trickle


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # clients come in crowds

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._connections: set[socket.socket] = set()
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._connections.add(request)
        super().process_request(request, client_address)

    def close_request(self, request: Any) -> None:
        self._connections.discard(request)
        super().close_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Shown, unless it is only the client that went away."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def hang_up(self) -> None:
        """End the connections that clients keep for later."""
        for connection in tuple(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class ModelServer:
    """Context manager. `url` has no path; `requests` are those that came, in order. `answer` runs in the threads
    of the connections, several at once. Leaving waits for no call.

    One request a connection, so that nothing is left open for the next test, unless it is to `keep_alive`.
    """

    def __init__(self, answer: Callable[[Request], Answer], *, keep_alive: bool = False) -> None:
        self._answer = answer
        self._protocol = "HTTP/1.1" if keep_alive else "HTTP/1.0"
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self.requests: list[Request] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.hang_up()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = self._protocol
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                server._handle(self)

            def do_POST(self) -> None:
                server._handle(self)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler

    def _handle(self, http: BaseHTTPRequestHandler) -> None:
        length = int(http.headers.get("Content-Length") or 0)
        content = http.rfile.read(length)
        if len(content) < length:  # whoever asked has gone in the middle of it
            http.close_connection = True
            return
        headers = {name.lower(): value for name, value in http.headers.items()}
        request = Request(http.command, http.path, headers, json.loads(content) if content else None)
        with self._lock:
            self.requests.append(request)
        answer = self._answer(request)
        if not isinstance(answer, Response):
            http.close_connection = True
        match answer:
            case Response() as response:
                _send(http, response)
            case Trickle(pause_s):
                self._trickle(http, pause_s)
            case Hang():
                self._closing.wait()

    def _trickle(self, http: BaseHTTPRequestHandler, pause_s: float) -> None:
        http.send_response(200)
        http.send_header("Content-Type", "application/json")
        http.send_header("Content-Length", "1000000")
        http.end_headers()
        try:
            while not self._closing.wait(pause_s):
                http.wfile.write(b" ")
                http.wfile.flush()
        except OSError:  # the client gave up, as it should
            http.close_connection = True


def _send(http: BaseHTTPRequestHandler, response: Response) -> None:
    headers = {"Content-Type": response.content_type, "Content-Length": str(len(response.content))}
    try:
        http.send_response(response.status)
        for name, value in (headers | dict(response.headers)).items():
            http.send_header(name, value)
        http.end_headers()
        http.wfile.write(response.content)
    except OSError:  # the client gave up
        http.close_connection = True
