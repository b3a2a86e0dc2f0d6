"""A real MinerU server of this environment, on a port of its own."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from retrieval.settings import ModelAddress

KEY = "well-house"
_STARTS_WITHIN_S = 150


@contextmanager
def mineru_server(folder: Path) -> Iterator[ModelAddress]:
    """Its address, as long as it runs. It offers the tier that needs no weights."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("mineru-api")), "--host", "127.0.0.1", "--port", str(port)]
    options = ["--tier", "flash", "--api-key", KEY, "--upload-dir", str(folder / "uploads")]
    told = {"MINERU_HOME": str(folder / "home"), "MINERU_MODEL_SOURCE": "local", "HF_HUB_OFFLINE": "1"}
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([*command, *options], stdout=log, stderr=log, env=os.environ | told)
    address = ModelAddress("MINERU", f"http://127.0.0.1:{port}", None, KEY)
    try:
        _wait_for(server, address.base_url, folder / "log")
        yield address
    finally:
        server.kill()
        server.wait()


def asked(server: ModelAddress, path: str) -> dict[str, object]:
    """The server's answer to a question by one who knows the key."""
    headers = {"Authorization": f"Bearer {server.key}"}
    found: dict[str, object] = requests.get(server.base_url + path, headers=headers, timeout=30).json()
    return found


def _wait_for(server: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    until = time.monotonic() + _STARTS_WITHIN_S
    while time.monotonic() < until and server.poll() is None:
        try:
            if requests.get(f"{url}/v1/health", timeout=5).ok:
                return
        except requests.RequestException:
            time.sleep(0.1)
    raise AssertionError(f"the MinerU server did not start: {log.read_text('utf-8', 'replace')[-2000:]}")
