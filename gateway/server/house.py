"""Everything that runs: the lobby, the record, the tables and the connections; start and stop.

Not here: reading the record's tables (adoption.py), how a table works (table_task.py), what settings mean
(gateway.config), and HTTP (gateway.web).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, Protocol

import structlog
import trio

from gateway import registry
from gateway.config import Config
from gateway.lobby.lobby import Lobby
from gateway.lobby.wishes import Wanted
from gateway.server.adoption import adopt
from gateway.server.connection import Connection
from gateway.server.ledger import Ledger
from gateway.server.limits import Doors
from gateway.server.listen import Door
from gateway.server.peer import Peer
from gateway.server.reception import Reception
from gateway.server.scribe import Scribe
from gateway.server.table_task import TableTask
from gateway.server.wire_log import WireLog
from gateway.store.records import TableRow
from gateway.table.state import State, opened
from protocols.core.commands import PlayMove
from protocols.core.errors import Refused, Why
from protocols.core.events import Said, TableOpened
from protocols.core.model import HouseRules, Move

SWEEP_S: Final = 0.5
"""Seconds between two looks at every connection's deadlines; they are that exact."""

STUCK_S: Final = 5.0
"""Seconds a step may wait for the disk before the server calls itself not ready."""

FAREWELL: Final = "the server is stopping; come back in a moment, your seat is kept"

_log = structlog.get_logger()


class Thinker(Protocol):
    """What a server needs of house bots."""

    async def choose(self, game_name: str, position: Any, level: int) -> Move:
        """A legal move for the seat to move."""


class House:
    """One server process. ``run`` it once; ``bots`` None: there are no house bots."""

    def __init__(self, config: Config, scribe: Scribe, bots: Thinker | None = None) -> None:
        self.config = config
        self.scribe = scribe
        self.bots = bots
        self.lobby = Lobby()
        self.reception = Reception(self)
        self.doors = Doors(config.limits)
        self.tables: dict[int, TableTask] = {}
        self.connections: set[Connection] = set()
        self._stopping = False
        self._numbers = 0
        self._last_table = 0
        self._nursery: trio.Nursery | None = None

    def house_rules(self) -> HouseRules:
        """How tables treat their seats unless their listener says otherwise."""
        seats = self.config.seats
        bot_after_s = seats.bot_after_s if self.bots is not None else None
        abandoned = seats.abandoned if self.bots is not None else "loss"
        return HouseRules(seats.grace_s, bot_after_s, abandoned, seats.adjourned_s)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve until cancelled. Started once every unfinished table of the record has been taken over.

        When cancelled: connections and tables end at once, without a word in the record; ``farewell`` comes before.
        """
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                self._last_table = await self.scribe.call(self.scribe.log.last_table)
                await adopt(self)
                nursery.start_soon(self._sweep)
                task_status.started()
                await trio.sleep_forever()
        finally:
            self._nursery = None

    def look_after(self, task: Callable[..., Awaitable[None]], *arguments: Any) -> None:
        """Run a short-lived task for somebody who cannot wait. When the server stops it is simply not run."""
        if self._nursery is not None:
            self._nursery.start_soon(self._look_after, task, arguments)

    async def _look_after(self, task: Callable[..., Awaitable[None]], arguments: tuple[Any, ...]) -> None:
        try:
            await task(*arguments)
        except Exception:
            _log.exception("task failed", task=task.__qualname__)

    async def farewell(self) -> None:
        """Let nobody in any more and tell everybody that the server stops, in whatever words their dialect has.

        Returns when all that waits for clients has left, or after ``shutdown_s``: some may not read.
        """
        self._stopping = True
        here = list(self.connections)
        for connection in here:
            if connection.table is not None:
                connection.tell([Said(None, "all", FAREWELL)])
        with trio.move_on_after(self.config.limits.shutdown_s):
            for connection in here:
                await connection.drained()

    def not_ready(self) -> list[str]:
        """Why the server should get no new players; empty when it is well."""
        reasons = []
        if self._nursery is None or self._stopping:
            reasons.append("starting or stopping")
        if (waiting_s := self.scribe.oldest_s()) > STUCK_S:
            reasons.append(f"storing has taken {waiting_s:.0f} s")
        return reasons

    def enter(self, door: Door, peer: Peer, address: str) -> None:
        """Somebody connected at ``door``: let them in, or hang up when there is no place."""
        if self._nursery is None or self._stopping or not self.doors.take(address):
            peer.close()
            return
        self._numbers += 1
        connection = Connection(self, door, peer, door.dialect(door.options), address, self._numbers)
        if door.dialect.quick_ack:
            peer.acknowledge_at_once()
        if door.wire_log or self.config.log.wire:
            connection.wire_log = self._wire_log(door, address)
        self.connections.add(connection)
        self._nursery.start_soon(self._attend, connection)

    def _wire_log(self, door: Door, address: str) -> WireLog | None:
        """A new transcript; None when there is no room for one: a conversation without it is better than none."""
        path = Path(self.config.server.data) / "wire" / f"{door.dialect.name}-{time.time_ns()}-{self._numbers}.txt"
        try:
            return WireLog(path, door.dialect, door.options, address)
        except OSError as error:
            _log.warning("no wire log", file=str(path), error=str(error))
            return None

    async def _attend(self, connection: Connection) -> None:
        try:
            await connection.run()
        finally:
            self.connections.discard(connection)
            self.doors.release(connection.address)

    def open_table(self, sought: Wanted) -> TableTask:
        """A new table, running. Refused (OVERLOAD): there are too many."""
        if self._nursery is None or len(self.tables) >= self.config.limits.tables:
            raise Refused(Why.OVERLOAD, "server overload, try again later")
        self._last_table += 1
        settings, secret = sought.settings, secrets.token_bytes(32)
        state = opened(self._last_table, registry.game(settings.game), settings, sought.house, secret)
        row = TableRow(self._last_table, 1, "open", settings.game, settings.variant, secret, time.time())
        ledger = Ledger(self.scribe, row.table, row.epoch, row, TableOpened(settings, sought.house))
        table = TableTask(self, state, ledger)
        self.tables[self._last_table] = table
        self.lobby.report(state, state)
        self._nursery.start_soon(table.run)
        return table

    async def take_over(self, table: TableTask) -> None:
        """Run a table of the record; returns when it can be asked."""
        if self._nursery is not None:
            self.tables[table.state.table] = table
            await self._nursery.start(table.run)

    def closed(self, table: TableTask) -> None:
        """A table's task has ended."""
        if self.tables.pop(table.state.table, None) is not None:
            self.lobby.left(table.state)

    async def bot_move(self, state: State) -> PlayMove | None:
        """What a house bot plays in ``state``, after a pause that people can follow; None when there are no bots."""
        if self.bots is None:
            return None
        begun = trio.current_time()
        try:
            move = await self.bots.choose(state.game.name, state.position, self.config.bots.level)
        except trio.ClosedResourceError:
            return None
        await trio.sleep_until(begun + self.config.bots.pause_s)
        return PlayMove(move, ply=state.ply)

    async def _sweep(self) -> None:
        """Close connections whose deadline has passed."""
        while True:
            await trio.sleep(SWEEP_S)
            now = trio.current_time()
            for connection in list(self.connections):
                connection.chase(now)
                why = self._overdue(connection, now)
                if why:
                    _log.info("connection closed", connection=connection.number, why=why)
                    connection.close()

    def _overdue(self, connection: Connection, now: float) -> str:
        limits = self.config.limits
        patience_s = limits.lobby_s if connection.dialect.patient else limits.handshake_s
        if connection.table is None and now - connection.since > patience_s:
            return "took no seat in time"
        if limits.idle_s is not None and now - connection.heard > limits.idle_s:
            return "idle"
        if connection.unread_since is not None and now - connection.unread_since > limits.unread_s:
            return "does not read"
        return ""
