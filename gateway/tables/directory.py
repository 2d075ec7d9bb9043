"""Knows the tables of this server by number: opens them, wakes them, and notices when their tasks end."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError
from structlog.contextvars import bind_contextvars, clear_contextvars

from gateway import registry
from gateway.admission.table_limits import ChatLimits, StorageLimits
from gateway.background import Background
from gateway.commits.commit_queue import CommitQueue
from gateway.config import Config
from gateway.lobby.join_options import JoinOptions
from gateway.lobby.lobby import Lobby
from gateway.log_context import log_context
from gateway.metrics import Metrics
from gateway.store.records import TableRow
from gateway.table.state import State, Status, opened
from gateway.tables.asked import AskedAnywhere, AskedHere, AskedTable, anywhere
from gateway.tables.bots import HouseBots
from gateway.tables.elsewhere import Elsewhere, Player
from gateway.tables.journal import Journal
from gateway.tables.move_times import MoveTimes
from gateway.tables.numbering import FULL
from gateway.tables.presence import Attendance, Presence, attendance, presence
from gateway.tables.recovery import Adoption, Recovery
from gateway.tables.rematching import Rematching
from gateway.tables.requests import Taken
from gateway.tables.runner import RatedGames, TableParts, TableRunner
from gateway.tables.seams import Subscriber, Table
from protocols.core.errors import Refused, Why
from protocols.core.events import TableOpened

_log = structlog.get_logger()


class Tables(Mapping[int, TableRunner]):
    """The running tables by number. ``check`` raises Refused while no table is to be opened.

    ``elsewhere`` returns the tables of other nodes, which need these. ``ratings`` hears of rated games.
    """

    def __init__(
        self,
        config: Config,
        commits: CommitQueue,
        lobby: Lobby,
        metrics: Metrics,
        times: MoveTimes,
        background: Background,
        bots: HouseBots,
        chat: ChatLimits,
        storage: StorageLimits,
        check: Callable[[], None],
        elsewhere: Callable[[], Elsewhere],
        ratings: RatedGames,
    ) -> None:
        self._most = config.limits.tables
        self.times = times
        self._commits = commits
        self._lobby = lobby
        self._background = background
        self._bots = bots
        self._check = check
        self._running: dict[int, TableRunner] = {}
        self._opening: set[int] = set()
        self.elsewhere = elsewhere
        self.recovery = Recovery(commits, lobby, self.take_over, config.seats.grace_s, config.seats.adjourned_s)
        self.rematching = Rematching(lobby, self, background)
        self._shared = TableParts(
            lobby,
            metrics,
            times,
            background,
            chat,
            storage,
            bots,
            self.rematching,
            commits.well,
            self._ended,
            lambda table, left: elsewhere().hand_on(table, left),
            config.limits.observers,
            ratings,
        )

    def reread(self, config: Config) -> None:
        """Keep to the limits of these settings. Tables that run stay, and so do those who look on."""
        self._most = config.limits.tables
        self._shared = replace(self._shared, observers=config.limits.observers)
        for table in self._running.values():
            table.subscribers.most = config.limits.observers

    def __getitem__(self, number: int) -> TableRunner:
        return self._running[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._running)

    def __len__(self) -> int:
        return len(self._running)

    def has(self, number: int) -> bool:
        """True if this table runs or rests here, or is about to."""
        return number in self._running or number in self.recovery or number in self._opening

    @contextmanager
    def opening(self, number: int) -> Iterator[None]:
        """The table's first step is stored: nobody takes it in meanwhile. It must run when that is done."""
        self._opening.add(number)
        try:
            yield
        finally:
            self._opening.discard(number)

    def unfinished(self, number: int) -> bool:
        """True if this table runs or rests, here or at another node. One that is about to is not stored yet."""
        return (self.has(number) and number not in self._opening) or self.elsewhere().knows(number)

    @property
    def settled(self) -> bool:
        """False for some seconds behind another node's death: a game that is over may have a rematch at a third."""
        return self.elsewhere().settled

    async def find(self, number: int | None, anew: bool = False) -> Table | None:
        """The table of this number, of this server or another node; None: there is none, or it is over.

        ``anew``: by the database, whatever was heard. Refused (OVERLOAD): its record cannot be read just now.
        """
        table = await self.local(number)
        if table is None and number is not None:
            return await self.elsewhere().find(number, anew) or await self.local(number)
        return table

    async def watch(self, number: int | None, newcomer: Subscriber, name: str) -> None:
        """Let a client look on at the table of this number, of any node. Refused as by it; (TABLE_FULL): it is over."""
        await anywhere(partial(self.find, number), lambda table: table.watch(newcomer, name))

    async def local(self, number: int | None) -> TableRunner | None:
        """The table of this number, woken where it rests; None: this server has none, or it is over.

        Refused (OVERLOAD): its record cannot be read just now.
        """
        if number is None:
            return None
        if number not in self._running:
            await self.recovery.until(lambda: self.has(number))
            await self.recovery.wake(number)
        return self._running.get(number)

    def asked(self, number: int) -> AskedAnywhere:
        """The table of this number, of any node, for requests that come from no client there."""
        return AskedAnywhere(partial(self._asked, number), self.elsewhere().next_id)

    async def _asked(self, number: int, anew: bool) -> AskedTable | None:
        table = await self.local(number)
        if table is None:
            if (found := await self.elsewhere().asked(number, anew=anew)) is not None:
                return found
            table = await self.local(number)  # it has come here
        return None if table is None else AskedHere(table)

    def players(self, number: int) -> list[Player]:
        """The players' clients: all of them at a table of this server, else those that are connected here."""
        table = self._running.get(number)
        if table is None:
            return self.elsewhere().players(number)
        at = [(seat.index, seat.name, table.subscribers.at(seat.index)) for seat in table.state.seats]
        return [(seat, name, client) for seat, name, client in at if client is not None]

    async def presence(self, number: int) -> Presence:
        """The presence at this table: nobody where it does not run. Refused (OVERLOAD): its node does not answer."""
        if number not in self._running and self.elsewhere().knows(number):
            return await self.elsewhere().presence(number)
        return self.presence_here(number)

    def presence_here(self, number: int) -> Presence:
        """The same at a table of this server."""
        table = self._running.get(number)
        return Presence() if table is None else presence(table.state, table.subscribers)

    async def attendance(self, number: int) -> Attendance:
        """The presence at this table with observers' names. Refused as ``presence``."""
        if number not in self._running and self.elsewhere().knows(number):
            return await self.elsewhere().attendance(number)
        return self.attendance_here(number)

    def attendance_here(self, number: int) -> Attendance:
        """The same at a table of this server, for another node that asks."""
        table = self._running.get(number)
        return Attendance() if table is None else attendance(table.state, table.subscribers)

    def bell(self, number: int, after: int = 0) -> trio.Event | None:
        """Set when the table's next event is stored, or it runs again, or ends; None: it is over.

        ``after`` is the last event that is known: another node is asked for those behind it. Waiting for a bell wakes
        no table: looking at many of them costs the players no time.
        """
        if (table := self._running.get(number)) is not None:
            return table.subscribers.bell()
        if number not in self.recovery and self.elsewhere().knows(number):
            return self.elsewhere().bell(number, after)
        return self.recovery.bell(number)

    def next_number(self) -> int:
        """A number that no table has had. Refused (OVERLOAD): the database has given none for a while."""
        return self.elsewhere().numbers.next()

    async def number_taken(self) -> None:
        """Go on behind the numbers that another server has taken. Refused (OVERLOAD): they cannot be read just now."""
        try:
            await self.elsewhere().numbers.count_on()
        except SQLAlchemyError as error:
            _log.warning("the number of the newest table cannot be read", error=str(error))
            raise Refused(Why.OVERLOAD, "the table could not be stored, try again") from None

    def check_room(self) -> None:
        """Refused (OVERLOAD): there are too many tables, or no more are to be opened."""
        self._check()
        if self._background.nursery is None or len(self._running) >= self._most:
            raise Refused(Why.OVERLOAD, FULL)

    def open(self, sought: JoinOptions) -> TableRunner:
        """A new table, running. Refused (OVERLOAD), as by ``check_room``."""
        self.check_room()
        assert self._background.nursery is not None
        number = self.next_number()
        settings, secret = sought.settings, secrets.token_bytes(32)
        state = opened(number, registry.game(settings.game), settings, sought.house, secret)
        now, me = time.time(), self.elsewhere().me
        row = TableRow(number, 1, "open", settings.game, settings.variant, secret, now, node=me)
        journal = Journal(self._commits, row.table, row.epoch, row, TableOpened(settings, sought.house))
        table = TableRunner(self._shared, state, journal)
        self._running[number] = table
        self._lobby.report(state, state)
        self._background.nursery.start_soon(self._run, table)
        return table

    async def take_over(
        self,
        state: State,
        journal: Journal,
        addresses: Sequence[str] = (),
        adoption: Adoption | None = None,
    ) -> None:
        """Run a table of the record; returns when it can be asked. The arguments are TableRunner's."""
        nursery = self._background.nursery
        if nursery is not None:
            table = self._running[state.table] = TableRunner(self._shared, state, journal, addresses, adoption)
            await nursery.start(self._run, table)

    async def _run(self, table: TableRunner, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        clear_contextvars()  # the task that opened it works for another client
        bind_contextvars(**log_context(table))
        await table.run(task_status)

    def _ended(self, table: TableRunner, rests_until: float | None) -> None:
        """A table's task has ended: it rests, or is over."""
        number = table.state.table
        if self._running.pop(number, None) is None:
            return
        if rests_until is not None and not table.given:
            self.recovery.rests(table.state, table.journal, rests_until)
            return
        self._bots.leave(number)
        if not (table.given or (table.taken and self.elsewhere().several)):  # else its node tells of it
            self._lobby.left(table.state)

    def playing(self) -> int:
        """Number of games being played."""
        return sum(table.state.status is Status.PLAYING for table in self._running.values())

    def let_go(self, number: int) -> None:
        """The table is another server's now."""
        if (table := self._running.get(number)) is not None:
            self._background.start_soon(table.put_late, Taken())
        self.recovery.drop(number)
