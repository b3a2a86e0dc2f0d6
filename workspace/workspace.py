"""The one object that holds every part of a running workspace together."""

import time
from collections.abc import Callable

from workspace.clock import Clock
from workspace.faults import Faults
from workspace.feed import Feed
from workspace.files import Files
from workspace.rate_limits import RateLimits
from workspace.response_urls import ResponseUrls
from workspace.seed import seeded_state
from workspace.settings import Settings
from workspace.socket_mode import Link
from workspace.state import Message
from workspace.traffic import Traffic
from workspace.views import Views


class Workspace:
    """State, modals, files, faults, traffic and connections of one workspace; made inside a running event loop."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        self.settings = settings
        self.clock = Clock(clock)
        self.base_url = ""
        self.feed = Feed()
        self.traffic = Traffic(self.clock, self.feed)
        self._fill()
        self.link = Link(settings, self.faults, self.feed, self.clock, self.traffic)

    def _fill(self) -> None:
        self.state = seeded_state(self.clock)
        self.files = Files(self.clock)
        self.views = Views(self.clock, self.settings.trigger_life_s)
        self.faults = Faults()
        self.rate_limits = RateLimits(self.clock)
        self.response_urls = ResponseUrls(self.clock)

    def permalink(self, message: Message) -> str:
        """The address under which the page shows a message."""
        thread = f"?thread_ts={message.thread_ts}&cid={message.channel}" if message.thread_ts else ""
        return f"{self.base_url}/archives/{message.channel}/p{message.ts.replace('.', '')}{thread}"

    def reset(self) -> None:
        """Everything as after start; the app's connections stay."""
        self.link.forget()
        self.clock.move_to(0.0)
        self.traffic.clear()
        self._fill()
        self.link.faults = self.faults
        self.feed.publish("reset", {})
