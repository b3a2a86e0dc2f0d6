"""Modals, opened with a trigger and kept in a stack a person, and the Home tab of each person."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from workspace.errors import SlackError
from workspace.json_types import Json
from workspace.view_checks import checked_view

_STACK_MOST = 3


@dataclass(slots=True)
class Trigger:
    """What allows one modal to be opened for `user`, once, until `expires_at` seconds since the epoch."""

    user: str
    expires_at: float
    used: bool = False
    opened: list[str] = field(default_factory=list)
    first_opened: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class OpenView:
    """A modal, or the Home tab, that `user` sees; `body` is Slack's view object."""

    user: str
    body: Json


class Views:
    """Every modal that is open, and the triggers that may open one."""

    def __init__(self, clock: Callable[[], float], trigger_life_s: float) -> None:
        self._clock = clock
        self.trigger_life_s = trigger_life_s
        self._triggers: dict[str, Trigger] = {}
        self._open: dict[str, OpenView] = {}
        self._homes: dict[str, OpenView] = {}

    def new_trigger(self, user: str) -> str:
        """An id that allows one modal for `user`."""
        now = self._clock()
        trigger_id = f"{int(now * 1000)}.{secrets.randbelow(10**10):010d}.{secrets.token_hex(16)}"
        self._triggers[trigger_id] = Trigger(user, now + self.trigger_life_s)
        return trigger_id

    def trigger(self, trigger_id: str) -> Trigger:
        """What became of a trigger."""
        return self._triggers[trigger_id]

    def open(self, trigger_id: str, view: Any, *, push: bool = False) -> OpenView:
        """A new modal, on top of the person's others with `push`; SlackError for a bad trigger or view."""
        trigger = self._usable_trigger(trigger_id)
        body = checked_view(view)
        stack = self.stack(trigger.user) if push else []
        if len(stack) >= _STACK_MOST:
            raise SlackError("push_limit_reached")
        trigger.used = True
        opened = self.show(trigger.user, body, stack)
        trigger.opened.append(opened.body["id"])
        trigger.first_opened.set()
        return opened

    def show(self, user: str, body: Json, stack: list[OpenView]) -> OpenView:
        """A checked view shown on top of `stack`."""
        view_id = f"V0{secrets.token_hex(5).upper()}"
        root_id = stack[0].body["id"] if stack else view_id
        previous_id = stack[-1].body["id"] if stack else None
        place = {"id": view_id, "root_view_id": root_id, "previous_view_id": previous_id}
        opened = OpenView(user, {**body, **place, "hash": _new_hash(self._clock())})
        self._open[view_id] = opened
        return opened

    def _usable_trigger(self, trigger_id: str) -> Trigger:
        trigger = self._triggers.get(trigger_id)
        if trigger is None:
            raise SlackError("invalid_trigger_id")
        if trigger.used:
            raise SlackError("exchanged_trigger_id")
        if self._clock() > trigger.expires_at:
            raise SlackError("expired_trigger_id")
        return trigger

    def replace(self, view_id: str, view: Any, *, expected_hash: str | None = None) -> OpenView:
        """The modal with another content under the same id; SlackError `not_found` or `hash_conflict`."""
        current = self.get(view_id)
        if current is None:
            raise SlackError("not_found")
        if expected_hash is not None and expected_hash != current.body["hash"]:
            raise SlackError("hash_conflict")
        place = {key: current.body[key] for key in ("id", "root_view_id", "previous_view_id")}
        kind = str(current.body["type"])
        current.body = {**checked_view(view, kind=kind), **place, "hash": _new_hash(self._clock())}
        return current

    def get(self, view_id: str) -> OpenView | None:
        """The open modal, or the Home tab, with that id."""
        return self._open.get(view_id) or next((h for h in self._homes.values() if h.body["id"] == view_id), None)

    def home(self, user: str) -> OpenView | None:
        """The person's Home tab, once the app has published one."""
        return self._homes.get(user)

    def publish(self, user: str, view: Any, *, expected_hash: str | None = None) -> OpenView:
        """The person's Home tab with this content; SlackError `hash_conflict`, or what is wrong with the view."""
        body, before = checked_view(view, kind="home"), self._homes.get(user)
        if before and expected_hash is not None and expected_hash != before.body["hash"]:
            raise SlackError("hash_conflict")
        view_id = before.body["id"] if before else f"V0{secrets.token_hex(5).upper()}"
        place = {"id": view_id, "root_view_id": view_id, "previous_view_id": None}
        self._homes[user] = OpenView(user, {**body, **place, "hash": _new_hash(self._clock())})
        return self._homes[user]

    def named(self, external_id: str) -> OpenView | None:
        """The open modal that the app gave that external id."""
        return next((v for v in self._open.values() if v.body["external_id"] == external_id), None)

    def stack(self, user: str) -> list[OpenView]:
        """The person's open modals, the one on top last."""
        return [view for view in self._open.values() if view.user == user]

    def close(self, view_id: str) -> None:
        """Close one modal; the one below it shows again."""
        self._open.pop(view_id, None)

    def clear(self, user: str) -> None:
        """Close all of a person's modals."""
        self._open = {key: view for key, view in self._open.items() if view.user != user}

    def ids(self) -> list[str]:
        """The ids of the open modals, oldest first."""
        return list(self._open)


def _new_hash(now: float) -> str:
    return f"{int(now)}.{secrets.token_hex(4)}"
