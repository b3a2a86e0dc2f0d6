"""Answers that come whole and in time, or not at all."""

import time
from collections.abc import Iterator

import httpx

from retrieval.budget import time_left_s


def keep_to_time(response: httpx.Response) -> None:
    """A response hook of an httpx client: once the headers are there, the whole body may take as long as the request's
    read timeout, and no longer than the question has. By itself httpx limits the wait from one piece to the next, so
    that a trickle would never end.
    """
    if isinstance(response.stream, httpx.SyncByteStream):
        left_s = time_left_s(response.request.extensions["timeout"]["read"])
        response.stream = _InTime(response.stream, time.monotonic() + left_s)


class _InTime(httpx.SyncByteStream):
    def __init__(self, pieces: httpx.SyncByteStream, deadline: float) -> None:
        self._pieces = pieces
        self._deadline = deadline

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            if time.monotonic() > self._deadline:
                raise httpx.ReadTimeout("the answer comes too slowly")
            yield piece

    def close(self) -> None:
        self._pieces.close()
