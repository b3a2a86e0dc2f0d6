"""A model server that takes the same time for every call: `python -m evals.stress.steady_models PORT LATENCY_MS`.

It gives vectors and scores without sense in the shapes of ms-swift (`/swift/…`: one text a call, a list is refused)
and of vLLM (`/vllm/…`: lists), so that only the client's way of asking decides how long a job takes.
"""

import asyncio
import hashlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import requests
from aiohttp import web

_WIDTH = 256
_STARTS_WITHIN_S = 60


@contextmanager
def steady_models(latency_ms: float) -> Iterator[str]:
    """The address of a running one, in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen([sys.executable, "-m", "evals.stress.steady_models", str(port), str(latency_ms)]) as process:
        try:
            _wait_for(address)
            yield address
        finally:
            process.terminate()


def _wait_for(address: str) -> None:
    deadline = time.monotonic() + _STARTS_WITHIN_S
    while True:
        try:
            requests.get(f"{address}/health", timeout=5)
            return
        except requests.ConnectionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _vector(text: str) -> list[float]:
    seed = hashlib.sha256(text.encode()).digest()
    return [byte - 127.5 for byte in seed * (_WIDTH // len(seed))]


async def _embeddings(request: web.Request) -> web.Response:
    asked = (await request.json())["input"]
    if isinstance(asked, list) and request.match_info["server"] == "swift":
        wrong = {"type": "string_type", "loc": ["body", "input"], "msg": "Input should be a valid string"}
        return web.json_response({"detail": [wrong]}, status=422)
    texts = asked if isinstance(asked, list) else [asked]
    data = [{"object": "embedding", "index": i, "embedding": _vector(text)} for i, text in enumerate(texts)]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return web.json_response({"object": "list", "model": "steady", "data": data, "usage": usage})


async def _chat(request: web.Request) -> web.Response:
    messages = (await request.json())["messages"]
    score = hashlib.sha256(messages[-1]["content"].encode()).digest()[0] / 256
    message = {"role": "assistant", "content": [score]}
    return web.json_response({"model": "steady", "choices": [{"index": 0, "message": message}]})


async def _rerank(request: web.Request) -> web.Response:
    documents = (await request.json())["documents"]
    scores = [hashlib.sha256(text.encode()).digest()[0] / 256 for text in documents]
    results: list[dict[str, Any]] = [{"index": i, "relevance_score": score} for i, score in enumerate(scores)]
    return web.json_response({"model": "steady", "results": results})


async def _models(_request: web.Request) -> web.Response:
    return web.json_response({"object": "list", "data": [{"id": "steady", "object": "model"}]})


def _app(latency_s: float) -> web.Application:
    @web.middleware
    async def take_time(request: web.Request, handler: Any) -> web.StreamResponse:
        if request.method == "POST":
            await asyncio.sleep(latency_s)
        response: web.StreamResponse = await handler(request)
        return response

    app = web.Application(middlewares=[take_time], client_max_size=64 * 1024**2)
    app.router.add_get("/health", _models)
    app.router.add_get("/{server}/models", _models)
    app.router.add_post("/{server}/embeddings", _embeddings)
    app.router.add_post("/{server}/chat/completions", _chat)
    app.router.add_post("/{server}/rerank", _rerank)
    return app


if __name__ == "__main__":
    web.run_app(_app(float(sys.argv[2]) / 1000), host="127.0.0.1", port=int(sys.argv[1]), print=None)
