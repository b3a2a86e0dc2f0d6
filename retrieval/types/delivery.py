"""Messages of a chat, as the bot remembers them."""

import datetime as dt
from dataclasses import dataclass
from typing import Literal

DeliveryState = Literal["heard", "accepted", "answered", "failed"]


@dataclass(frozen=True, slots=True)
class ThreadMessage:
    """A message of a chat as the bot has seen or sent it. `thread` is the timestamp of the thread's root.

    "heard": part of a thread, not to be answered. "accepted": to be answered. "answered", "failed": done.
    """

    channel: str
    ts: str
    thread: str
    author: str
    text: str
    by_bot: bool = False
    state: DeliveryState = "heard"


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a person thinks of the reply that stands at `ts`."""

    channel: str
    ts: str
    person: str
    value: Literal["good", "bad"]
    given_at: dt.datetime
