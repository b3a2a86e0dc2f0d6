"""Every change in the workspace to the pages that are watching, as server-sent events."""

import asyncio
import json
from collections.abc import AsyncGenerator

from workspace.json_types import Json

# A page that has not read this many changes is cut off; it loads everything anew when it reconnects.
_BACKLOG_MOST = 1000
# How long a page that has lost its stream waits before it comes back.
_COME_BACK_MS = 500


class Feed:
    """Changes, given to every watcher in order."""

    def __init__(self) -> None:
        self._watchers: set[asyncio.Queue[Json | None]] = set()
        self._closed = False

    def publish(self, kind: str, change: Json) -> None:
        """Tell every watcher of a change."""
        for watcher in list(self._watchers):
            if watcher.qsize() >= _BACKLOG_MOST:
                self._watchers.discard(watcher)
                watcher.put_nowait(None)
            else:
                watcher.put_nowait({"type": kind, **change})

    async def watch(self) -> AsyncGenerator[str]:
        """Each change from now on as the text of one server-sent event, until the feed is closed."""
        watcher: asyncio.Queue[Json | None] = asyncio.Queue()
        self._watchers.add(watcher)
        try:
            yield f"retry: {_COME_BACK_MS}\n: connected\n\n"
            while not self._closed and (change := await watcher.get()) is not None:
                yield f"data: {json.dumps(change)}\n\n"
        finally:
            self._watchers.discard(watcher)

    def close(self) -> None:
        """End every watcher's stream for good."""
        self._closed = True
        self.cut()

    def cut(self) -> None:
        """End every watcher's stream; new ones are welcome."""
        for watcher in self._watchers:
            watcher.put_nowait(None)
