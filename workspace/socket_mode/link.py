"""All of the app's connections: events out until they are acknowledged, interactions out once."""

import asyncio
import itertools
import secrets
import time
from collections.abc import Coroutine
from typing import Any

from aiohttp import web

from workspace.clock import Clock
from workspace.faults import Fault, Faults
from workspace.feed import Feed
from workspace.json_types import Json
from workspace.settings import Settings
from workspace.socket_mode.connection import DEBUG_HOST, Connection
from workspace.socket_mode.envelope import Envelope
from workspace.traffic import Traffic

_CONNECTIONS_MOST = 10
_CONNECTION_LIFE_S = 18_060


class Link:
    """The app's side of Socket Mode as Slack runs it."""

    def __init__(self, settings: Settings, faults: Faults, feed: Feed, clock: Clock, traffic: Traffic) -> None:
        self._settings = settings
        self.faults = faults
        self._feed = feed
        self._clock = clock
        self._traffic = traffic
        self._tickets: set[str] = set()
        self._connections: list[Connection] = []
        self._connected = asyncio.Event()
        self._turn = itertools.count()
        self._waiting: dict[str, Envelope] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def new_ticket(self) -> str:
        """A ticket that opens one connection."""
        ticket = secrets.token_urlsafe(16)
        self._tickets.add(ticket)
        return ticket

    @property
    def connections(self) -> int:
        """How many connections the workspace believes to be open."""
        return len(self._connections)

    @property
    def unacknowledged(self) -> int:
        """How many envelopes still wait for their ack, or for a connection."""
        return len(self._waiting)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """One connection from its handshake to its end."""
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            return web.json_response({"ok": False, "error": "invalid_ticket"}, status=404)
        self._tickets.remove(ticket)
        connection = Connection(request)
        await connection.open()
        if self.connections >= _CONNECTIONS_MOST:
            await self._say_goodbye(connection, "too_many_websockets")
            await connection.close()
            return await connection.receive(self._acknowledge)
        await connection.hello(self.connections + 1, _CONNECTION_LIFE_S)
        self._connections.append(connection)
        self._connected.set()
        self._announce("hello")
        try:
            return await connection.receive(self._acknowledge)
        finally:
            self._connections.remove(connection)
            if not self._connections:
                self._connected.clear()
            self._announce("closed")

    def send_event(self, payload: Json) -> None:
        """Deliver an event, again and again at Slack's intervals until it is acknowledged."""
        envelope = self._new_envelope("events_api", payload)
        self._start(self._deliver(envelope, self.faults.take("late"), self.faults.take("duplicate")))

    async def _deliver(self, envelope: Envelope, late: Fault | None, duplicate: Fault | None) -> None:
        try:
            if late:
                await self._clock.sleep_until(self._clock() + late.delay_s)
            for envelope.attempt, delay_s in enumerate((0.0, *self._settings.retry_delays_s)):
                await self._unless_acked(envelope, delay_s)
                if envelope.acked.done():
                    return
                await self._send_to_one(envelope, copies=2 if duplicate and not envelope.attempt else 1)
                await asyncio.wait({envelope.acked}, timeout=self._settings.ack_timeout_s)
        finally:
            self._forget(envelope)

    async def _unless_acked(self, envelope: Envelope, delay_s: float) -> None:
        """Wait so long by the workspace's clock, or until the ack."""
        pause = asyncio.ensure_future(self._clock.sleep_until(self._clock() + delay_s))
        ends: set[asyncio.Future[Any]] = {envelope.acked, pause}
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            pause.cancel()

    async def _send_to_one(self, envelope: Envelope, *, copies: int) -> None:
        # An event that finds no connection waits for one, so that an app that starts later gets it.
        while not self._connections:
            await self._connected.wait()
        for _ in range(copies):
            await self._send(envelope, self._next_connection())

    async def _send(self, envelope: Envelope, connection: Connection) -> None:
        frame = envelope.frame()
        if envelope.entry is None:
            envelope.entry = self._traffic.note("envelope", envelope.name, frame, note=envelope.note)
            envelope.sent_at_s = time.monotonic()
        else:
            envelope.entry.attempts += 1
            self._traffic.changed(envelope.entry)
        await connection.send(frame)

    async def request(self, kind: str, payload: Json) -> Json | None:
        """Deliver an interaction once: the ack's payload ({} without one), or None after the ack time-out."""
        if not self._connections:
            return None
        envelope = self._new_envelope(kind, payload)
        try:
            await self._send(envelope, self._next_connection())
            return await asyncio.wait_for(envelope.acked, self._settings.ack_timeout_s)
        except TimeoutError:
            return None
        finally:
            self._forget(envelope)

    def _new_envelope(self, kind: str, payload: Json) -> Envelope:
        envelope = Envelope(kind, payload, asyncio.get_running_loop().create_future())
        self._waiting[envelope.id] = envelope
        return envelope

    def _forget(self, envelope: Envelope) -> None:
        self._waiting.pop(envelope.id, None)
        if envelope.entry is not None and envelope.entry.state == "waiting":
            self._traffic.end(envelope.entry, "unanswered", None, time.monotonic() - envelope.sent_at_s)

    def _next_connection(self) -> Connection:
        staying = [c for c in self._connections if not c.leaving] or self._connections
        return staying[next(self._turn) % len(staying)]

    def _acknowledge(self, ack: Json) -> None:
        envelope = self._waiting.get(str(ack["envelope_id"]))
        if envelope is not None and not envelope.acked.done():
            envelope.acked.set_result(ack.get("payload") or {})
            if envelope.entry is not None:
                self._traffic.end(envelope.entry, "ok", ack, time.monotonic() - envelope.sent_at_s)

    async def strike(self, fault: Fault) -> None:
        """Break every connection that is open now, in the ordered way."""
        for connection in list(self._connections):
            if fault.kind == "drop":
                connection.drop()
            elif fault.kind == "half_open":
                connection.half_open = True
            else:
                connection.leaving = True
                await self._say_goodbye(connection, fault.error)
            if fault.kind != "drop" and (fault.kind == "disconnect" or fault.seconds is not None):
                grace_s = self._settings.disconnect_grace_s if fault.seconds is None else fault.seconds
                self._start(self._close_later(connection, grace_s))

    async def _say_goodbye(self, connection: Connection, reason: str) -> None:
        frame: Json = {"type": "disconnect", "reason": reason, "debug_info": {"host": DEBUG_HOST}}
        self._traffic.note("socket", "disconnect", frame, note=reason, state="ok")
        await connection.send(frame)

    async def _close_later(self, connection: Connection, delay_s: float) -> None:
        await asyncio.sleep(delay_s)
        await connection.close()

    def _announce(self, change: str) -> None:
        self._feed.publish("connections", {"connections": self.connections})
        self._traffic.note("socket", change, None, note=f"{self.connections} open", state="ok")

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def forget(self) -> None:
        """Stop delivering what is under way; the connections stay."""
        for task in list(self._tasks):
            task.cancel()
        self._waiting.clear()

    async def close(self) -> None:
        """Stop delivering and close every connection."""
        self.forget()
        await asyncio.gather(*(connection.close() for connection in list(self._connections)))
