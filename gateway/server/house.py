"""Everything that runs: the lobby, the record, the tables and the connections; start and stop.

Not here: the tables without a task (resting.py), how a table works (table_task.py), what settings mean
(gateway.config), and HTTP (gateway.web).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError
from structlog.contextvars import bind_contextvars, clear_contextvars

from gateway import registry
from gateway.config import Config
from gateway.lobby.lobby import Lobby
from gateway.lobby.wishes import Wanted
from gateway.net.log_limiter import LogLimiter
from gateway.server import calling
from gateway.server.about import about
from gateway.server.barred import Barred
from gateway.server.connection import Connection
from gateway.server.disk import Disk
from gateway.server.drain import Drain
from gateway.server.entry import Logins, NoLogins
from gateway.server.given_back import GivenBack
from gateway.server.ledger import Ledger
from gateway.server.limits import Doors
from gateway.server.listen import Entrance
from gateway.server.metrics import NO_PLACE, Metrics
from gateway.server.ownership import Ownership
from gateway.server.peer import Peer
from gateway.server.reception import Reception
from gateway.server.registrar import Registrar
from gateway.server.requests import Taken
from gateway.server.resting import Resting
from gateway.server.scribe import Scribe
from gateway.server.sweep import sweep
from gateway.server.table_task import TableTask
from gateway.server.threshold import Threshold
from gateway.server.visitors import Visitors
from gateway.server.wire_log import WireLog
from gateway.store.accounts import Accounts
from gateway.store.accounts_memory import MemoryAccounts
from gateway.store.bans import Bans, MemoryBans
from gateway.store.records import TableRow
from gateway.table.bout import Bout
from gateway.table.state import State, opened
from protocols.core.commands import PlayMove
from protocols.core.errors import Refused, Why
from protocols.core.events import Said, TableOpened
from protocols.core.model import HouseRules, Move

ACCOUNTS_S: Final = 5.0
"""Seconds until a name that was registered on the command line is nobody else's here."""

OVERLAP_S: Final = 600.0
"""Seconds that are looked at again: clocks of several machines differ, and a transaction may take its time."""

STUCK_S: Final = 5.0
"""Seconds a step may wait for the disk before the server calls itself not ready."""

FAREWELL: Final = "the server is stopping; come back in a moment, your seat is kept"

_log = structlog.get_logger()


class Thinker(Protocol):
    """What a server needs of house bots."""

    async def choose(self, game_name: str, position: Any, level: int, bout: Bout) -> Move:
        """A legal move for the seat to move."""

    async def settle(self, game_name: str, position: Any, level: int, bout: Bout) -> tuple[int, ...] | None:
        """The squares of what is dead where play has stopped; None where they have no opinion, whatever the cause."""

    def names(self, game_name: str) -> tuple[str, ...]:
        """The house bots of this game that players can choose, the usual one first."""

    def release(self, table: int) -> None:
        """Nothing more is asked about the game this table has played, if there was one."""


class House:
    """One server process; ``run`` it once. ``bots``, ``accounts``, ``bans`` or ``logins`` None: there are none."""

    def __init__(
        self,
        config: Config,
        scribe: Scribe,
        bots: Thinker | None = None,
        accounts: Accounts | None = None,
        bans: Bans | None = None,
        logins: Logins | None = None,
    ) -> None:
        self.logins: Logins = logins or NoLogins()
        self.accounts = accounts or MemoryAccounts()
        self.bans = bans or MemoryBans()
        self.config = config
        self.scribe = scribe
        self.bots = bots
        self.lobby = Lobby()
        self.visitors = Visitors(self.lobby.notices)
        self.barred = Barred(self)
        self.reception = Reception(self)
        self.registrar = Registrar(self)
        self.doors = Doors(config.limits, self.barred.address)
        self.drain = Drain(self)
        self.disk = Disk(config)
        self.given_back = GivenBack()
        self.lines = LogLimiter()
        self.threshold = Threshold(self)
        self.metrics = Metrics()
        self.tables: dict[int, TableTask] = {}
        self.resting = Resting(scribe, self.lobby, self._wake, config.seats.grace_s, config.seats.adjourned_s)
        self.connections: set[Connection] = set()
        self.ownership = Ownership(scribe, self._epochs, self.resting.epochs, self._let_go)
        self._stopping = False
        self._numbers = 0
        self._last_table = 0
        self._nursery: trio.Nursery | None = None

    def house_rules(self) -> HouseRules:
        """How tables treat their seats unless their listener says otherwise."""
        seats = self.config.seats
        bot_after_s = seats.bot_after_s if self.bots is not None else None
        abandoned = seats.abandoned if self.bots is not None else "loss"
        return HouseRules(seats.grace_s, bot_after_s, abandoned, seats.adjourned_s, deserted=seats.deserted)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve until cancelled. Started once every unfinished table of the record is claimed and known to the lobby.

        When cancelled: connections and tables end at once, without a word in the record; ``farewell`` comes before.
        """
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                nursery.start_soon(self.scribe.tend)
                await self.count_on()
                await self._learn_names(0.0)
                await self.barred.learn()
                await self.resting.claim()
                nursery.start_soon(self.resting.tend)
                nursery.start_soon(self.ownership.watch)
                nursery.start_soon(self._follow_accounts)
                nursery.start_soon(self.barred.follow)
                nursery.start_soon(self.visitors.follow)
                nursery.start_soon(sweep, self)
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
            _log.exception("task failed", task=task.__qualname__, **about(getattr(task, "__self__", None), *arguments))

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
        reasons = [] if self.running else ["starting or stopping"]
        if (waiting_s := self.scribe.oldest_s()) > STUCK_S:
            reasons.append(f"storing has taken {waiting_s:.0f} s")
        return [*reasons, *self.ownership.reasons(), *self.disk.reasons, *self.drain.reasons()]

    def enter(self, door: Entrance, peer: Peer, address: str, account: str = "") -> None:
        """Somebody connected at ``door``: let them in, or hang up when there is no place. ``account`` has logged in."""
        if self._nursery is None or self._stopping or not self.doors.take(address):
            self.metrics.turned_away[NO_PLACE] += 1
            peer.close()
            return
        self._numbers += 1
        self.metrics.entered[door.dialect.name] += 1
        connection = Connection(self, door, peer, door.dialect(door.options), address, self._numbers)
        connection.account = account
        if door.dialect.quick_ack:
            peer.acknowledge_at_once()
        if door.wire_log or self.config.log.wire:
            connection.wire_log = self._wire_log(door, address)
        self.connections.add(connection)
        self._nursery.start_soon(self._attend, connection)

    def _wire_log(self, door: Entrance, address: str) -> WireLog | None:
        """A new transcript; None when there is no room for one: a conversation without it is better than none."""
        path = Path(self.config.server.data) / "wire" / f"{door.dialect.name}-{time.time_ns()}-{self._numbers}.txt"
        try:
            return WireLog(path, door.dialect, door.options, address)
        except OSError as error:
            _log.warning("no wire log", file=str(path), error=str(error), connection=self._numbers, peer=address)
            return None

    async def _attend(self, connection: Connection) -> None:
        clear_contextvars()  # whoever let it in may have said who that is
        _log.debug("connected", **about(connection))
        try:
            await connection.run()
        finally:
            _log.debug("gone", **about(connection))
            calling.lost(self, connection)
            self.connections.discard(connection)
            self.doors.release(connection.address)

    @property
    def running(self) -> bool:
        """Whether tables can be opened."""
        return self._nursery is not None and not self._stopping

    def next_table(self) -> int:
        """A number that no table of this server has had."""
        self._last_table += 1
        return self._last_table

    async def count_on(self) -> None:
        """Go on behind the highest number in the record: another server may have taken some."""
        self._last_table = max(self._last_table, await self.scribe.call(self.scribe.log.last_table))

    def open_table(self, sought: Wanted) -> TableTask:
        """A new table, running. Refused (OVERLOAD): there are too many, or there shall be no more."""
        self.drain.check()
        if self._nursery is None or len(self.tables) >= self.config.limits.tables:
            raise Refused(Why.OVERLOAD, "server overload, try again later")
        number = self.next_table()
        settings, secret = sought.settings, secrets.token_bytes(32)
        state = opened(number, registry.game(settings.game), settings, sought.house, secret)
        row = TableRow(number, 1, "open", settings.game, settings.variant, secret, time.time())
        ledger = Ledger(self.scribe, row.table, row.epoch, row, TableOpened(settings, sought.house))
        table = TableTask(self, state, ledger)
        self.tables[number] = table
        self.lobby.report(state, state)
        self._nursery.start_soon(self._run, table)
        return table

    async def _run(self, table: TableTask, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        clear_contextvars()  # who opened it is not who plays
        bind_contextvars(**about(table))
        await table.run(task_status)

    async def take_over(self, table: TableTask) -> None:
        """Run a table of the record; returns when it can be asked."""
        if self._nursery is not None:
            self.tables[table.state.table] = table
            await self._nursery.start(self._run, table)

    async def _wake(self, state: State, ledger: Ledger, addresses: Sequence[str], since: float | None) -> None:
        await self.take_over(TableTask(self, state, ledger, addresses, since))

    async def table(self, number: int | None) -> TableTask | None:
        """The table of this number, woken where it rests; None: there is none, or it is over.

        Refused (OVERLOAD): its record cannot be read just now.
        """
        if number is None:
            return None
        if number not in self.tables:
            await self.resting.wake(number)
        return self.tables.get(number)

    def bell(self, number: int) -> trio.Event | None:
        """Set when the table's next event is stored, or it runs again, or ends; None: it is over.

        Waiting for it wakes no table: whoever looks at many of them costs nobody any time.
        """
        task = self.tables.get(number)
        return self.resting.bell(number) if task is None else task.cursors.bell()

    def _epochs(self) -> dict[int, int]:
        """The epochs of the running tables that are stored."""
        return {number: task.ledger.epoch for number, task in self.tables.items() if not task.ledger.blank}

    def _let_go(self, number: int) -> None:
        """The table is another server's now."""
        if (task := self.tables.get(number)) is not None:
            self.look_after(task.put_late, Taken())
        self.resting.drop(number)

    def rests(self, table: TableTask, due: float) -> None:
        """A table's task ends because nothing happens there until ``due``."""
        del self.tables[table.state.table]
        self.resting.rests(table.state, table.ledger, due)

    def closed(self, table: TableTask) -> None:
        """A table's task has ended."""
        if self.tables.pop(table.state.table, None) is not None:
            self.bots_leave(table.state.table)
            self.lobby.left(table.state)

    async def bot_move(self, state: State, tell: Callable[[str], None]) -> PlayMove | None:
        """What a house bot plays in ``state``, after a pause that people can follow; None when there are no bots.

        ``tell`` is given what the players should hear. Where the bot's clock is short, so is the pause.
        """
        if self.bots is None or state.turn is None:
            return None
        bind_contextvars(**about(state))
        begun = trio.current_time()
        bout = Bout(state.table, state.games, state.settings.time, state.clock, tell, state.house.bot)
        try:
            move = await self.bots.choose(state.game.name, state.position, self._level(state), bout)
        except trio.ClosedResourceError:
            return None
        await trio.sleep_until(begun + min(self.config.bots.pause_s, bout.share_s(state.turn, begun)))
        return PlayMove(move, ply=state.ply)

    async def bots_settle(self, state: State) -> tuple[int, ...] | None:
        """What house bots take for dead in ``state``; None where they do not say.

        trio.ClosedResourceError: the server stops.
        """
        if self.bots is None:
            return None
        bind_contextvars(**about(state))
        bout = Bout(state.table, state.games, bot=state.house.bot)
        return await self.bots.settle(state.game.name, state.position, self._level(state), bout)

    def _level(self, state: State) -> int:
        """How well house bots play at this table: as its player asked, else as the settings say."""
        return state.house.bot_level or self.config.bots.level

    def bot_names(self, game_name: str) -> tuple[str, ...]:
        """The house bots of this game that players can choose; () where there are none."""
        return () if self.bots is None else self.bots.names(game_name)

    def bots_leave(self, table: int) -> None:
        """The game that house bots played at this table goes on without them, or not at all."""
        if self.bots is not None:
            self.bots.release(table)

    async def _follow_accounts(self) -> None:
        """Learn the names of accounts that other processes add: from now on guests do not get them."""
        while True:
            await trio.sleep(ACCOUNTS_S)
            try:
                await self._learn_names(time.time() - OVERLAP_S)
            except SQLAlchemyError as error:
                _log.warning("accounts cannot be read", error=str(error))

    async def _learn_names(self, since: float) -> None:
        self.lobby.names.own(await self.scribe.call(self.accounts.names, since))
