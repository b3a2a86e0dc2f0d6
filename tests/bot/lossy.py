"""Slack's Web API behind a line that loses things."""

import contextlib
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import requests


@dataclass
class LossyLine:
    """`requests_lost` and `answers_lost` say how many calls of a method get lost on the way there and back, the
    latter after `answers_kept` good ones; `held` says how many wait until `go`."""

    url: str = ""
    requests_lost: Counter[str] = field(default_factory=Counter)
    answers_lost: Counter[str] = field(default_factory=Counter)
    answers_kept: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    go: threading.Event = field(default_factory=threading.Event)

    def strikes(self, kind: Counter[str], method: str) -> bool:
        """Whether this call is one of them; counted down."""
        kind[method] -= 1
        return kind[method] >= 0


@contextlib.contextmanager
def lossy_line(api_url: str) -> Iterator[LossyLine]:
    """A line to the Web API at that address."""
    line = LossyLine()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            method = self.path.rsplit("/", 1)[-1]
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if line.strikes(line.held, method):
                line.go.wait(30)
                self.close_connection = True
                return
            if line.strikes(line.requests_lost, method):
                self.close_connection = True
                return
            headers = {**self.headers, "Host": urlsplit(api_url).netloc}
            answer = requests.post(f"{api_url}{method}", data=body, headers=headers, timeout=30)
            if not line.strikes(line.answers_kept, method) and line.strikes(line.answers_lost, method):
                self.close_connection = True
                return
            self.send_response(answer.status_code)
            for name in ("Content-Type", "Retry-After"):
                if name in answer.headers:
                    self.send_header(name, answer.headers[name])
            self.end_headers()
            self.wfile.write(answer.content)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    line.url = f"http://127.0.0.1:{server.server_port}/api/"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield line
    finally:
        line.go.set()
        server.shutdown()
        thread.join()
        server.server_close()
