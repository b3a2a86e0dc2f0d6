"""What went between the workspace and the app, newest last, bounded in memory."""

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from workspace.feed import Feed
from workspace.json_types import Json

KEPT_MOST = 500
_BODY_MOST_CHARS = 20_000
_NOTE_MOST_CHARS = 140


@dataclass(slots=True)
class Entry:
    """One envelope with its ack, one Web API call with its answer, or one thing that befell a connection."""

    number: int
    at: float
    kind: str
    name: str
    note: str
    sent: Any
    state: str
    answer: Any = None
    took_ms: float | None = None
    attempts: int = 1

    def summary(self) -> Json:
        """What a list shows: `at` in seconds since the epoch, `took_ms` until the ack or the answer."""
        return {
            "number": self.number,
            "at": self.at,
            "kind": self.kind,
            "name": self.name,
            "note": self.note,
            "state": self.state,
            "took_ms": self.took_ms,
            "attempts": self.attempts,
        }

    def whole(self) -> Json:
        """The summary, and what was sent and answered."""
        return {**self.summary(), "sent": self.sent, "answer": self.answer}


class Traffic:
    """The last entries, told to the pages as they come and change."""

    def __init__(self, clock: Callable[[], float], feed: Feed) -> None:
        self._clock = clock
        self._feed = feed
        self._numbers = itertools.count(1)
        self._entries: dict[int, Entry] = {}

    def note(self, kind: str, name: str, sent: Any, *, note: str = "", state: str = "waiting") -> Entry:
        """A new entry; the oldest goes when there are too many."""
        entry = Entry(next(self._numbers), self._clock(), kind, name, note[:_NOTE_MOST_CHARS], snapshot(sent), state)
        self._entries[entry.number] = entry
        if len(self._entries) > KEPT_MOST:
            del self._entries[next(iter(self._entries))]
        self.changed(entry)
        return entry

    def end(self, entry: Entry, state: str, answer: Any, took_s: float) -> None:
        """The entry has its ack or its answer, after so many seconds."""
        entry.state, entry.answer, entry.took_ms = state, snapshot(answer), round(took_s * 1000, 1)
        self.changed(entry)

    def changed(self, entry: Entry) -> None:
        """Tell the pages how an entry stands now."""
        self._feed.publish("traffic", {"entry": entry.summary()})

    def entries(self) -> list[Entry]:
        """The entries kept, oldest first."""
        return list(self._entries.values())

    def get(self, number: int) -> Entry | None:
        """The entry of that number, while it is kept."""
        return self._entries.get(number)

    def clear(self) -> None:
        """Forget every entry."""
        self._entries.clear()


def snapshot(body: Any) -> Any:
    """The body as it is now, which later changes do not reach, cut where it is very long."""
    text = json.dumps(body, ensure_ascii=False, default=str)
    if len(text) <= _BODY_MOST_CHARS:
        return json.loads(text)
    return {"cut": f"{text[:_BODY_MOST_CHARS]}…", "characters": len(text)}
