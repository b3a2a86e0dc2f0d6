"""The workspace's clock: the machine's, moved on by a test that does not want to wait."""

import asyncio
import time
from collections.abc import Callable


class Clock:
    """Seconds since the epoch, `offset_s` ahead of (or behind) the machine's clock."""

    def __init__(self, machine: Callable[[], float] = time.time) -> None:
        self._machine = machine
        self.offset_s = 0.0
        self._moved = asyncio.Event()

    def __call__(self) -> float:
        """The time by this clock, in seconds since the epoch."""
        return self._machine() + self.offset_s

    def move_to(self, offset_s: float) -> None:
        """Set the distance from the machine's clock; whoever sleeps looks at the clock again."""
        self.offset_s = offset_s
        self._moved.set()
        self._moved = asyncio.Event()

    async def sleep_until(self, moment: float) -> None:
        """Return when this clock shows `moment` (seconds since the epoch) or later."""
        while (left_s := moment - self()) > 0:
            moved = self._moved
            try:
                await asyncio.wait_for(moved.wait(), left_s)
            except TimeoutError:
                continue
