"""Knows the tables of this server by number: opens them, wakes them, and notices when their tasks end."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError
from structlog.contextvars import bind_contextvars, clear_contextvars

from gateway import registry
from gateway.admission.chat_limits import ChatLimits
from gateway.background import Background
from gateway.commits.commit_queue import CommitQueue
from gateway.config import Config
from gateway.lobby.join_options import JoinOptions
from gateway.lobby.lobby import Lobby
from gateway.log_context import log_context
from gateway.metrics import Metrics
from gateway.store.records import TableRow
from gateway.table.state import State, Status, opened
from gateway.tables.bots import HouseBots
from gateway.tables.journal import Journal
from gateway.tables.recovery import Recovery
from gateway.tables.rematching import Rematching
from gateway.tables.requests import Taken
from gateway.tables.runner import Collaborators, TableRunner
from protocols.core.errors import Refused, Why
from protocols.core.events import TableOpened

_log = structlog.get_logger()

FULL: Final = "server overload, try again later"


class Tables(Mapping[int, TableRunner]):
    """The running tables by number. ``check`` raises Refused while no table is to be opened.

    ``displaced`` is called when a table turns out to be another server's.
    """

    def __init__(
        self,
        config: Config,
        commits: CommitQueue,
        lobby: Lobby,
        metrics: Metrics,
        background: Background,
        bots: HouseBots,
        chat: ChatLimits,
        check: Callable[[], None],
        displaced: Callable[[], None],
    ) -> None:
        self._most = config.limits.tables
        self._commits = commits
        self._lobby = lobby
        self._background = background
        self._bots = bots
        self._check = check
        self._running: dict[int, TableRunner] = {}
        self._last = 0
        self.recovery = Recovery(commits, lobby, self.take_over, config.seats.grace_s, config.seats.adjourned_s)
        self.rematching = Rematching(lobby, self, background)
        self._shared = Collaborators(
            lobby,
            metrics,
            background,
            chat,
            bots,
            self.rematching,
            commits.well,
            displaced,
            self._ended,
            config.limits.observers,
        )

    def __getitem__(self, number: int) -> TableRunner:
        return self._running[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._running)

    def __len__(self) -> int:
        return len(self._running)

    def unfinished(self, number: int) -> bool:
        """True if this table runs or rests."""
        return number in self._running or number in self.recovery

    async def find(self, number: int | None) -> TableRunner | None:
        """The table of this number, woken where it rests; None: there is none, or it is over.

        Refused (OVERLOAD): its record cannot be read just now.
        """
        if number is None:
            return None
        if number not in self._running:
            await self.recovery.wake(number)
        return self._running.get(number)

    def bell(self, number: int) -> trio.Event | None:
        """Set when the table's next event is stored, or it runs again, or ends; None: it is over.

        Waiting for it wakes no table: looking at many of them costs the players no time.
        """
        table = self._running.get(number)
        return self.recovery.bell(number) if table is None else table.subscribers.bell()

    def next_number(self) -> int:
        """A number that no table of this server has had."""
        self._last += 1
        return self._last

    async def count_on(self) -> None:
        """Go on behind the highest number in the record: another server may have taken some."""
        highest = await self._commits.call(self._commits.log.last_table)
        self._last = max(self._last, highest)  # others may have counted on meanwhile

    async def number_taken(self) -> None:
        """Go on behind the numbers that another server has taken. Refused (OVERLOAD): they cannot be read just now."""
        try:
            await self.count_on()
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
        row = TableRow(number, 1, "open", settings.game, settings.variant, secret, time.time())
        journal = Journal(self._commits, row.table, row.epoch, row, TableOpened(settings, sought.house))
        table = TableRunner(self._shared, state, journal)
        self._running[number] = table
        self._lobby.report(state, state)
        self._background.nursery.start_soon(self._run, table)
        return table

    async def take_over(
        self, state: State, journal: Journal, addresses: Sequence[str] = (), since: float | None = None
    ) -> None:
        """Run a table of the record; returns when it can be asked. The arguments are TableRunner's."""
        nursery = self._background.nursery
        if nursery is not None:
            table = self._running[state.table] = TableRunner(self._shared, state, journal, addresses, since)
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
        if rests_until is not None:
            self.recovery.rests(table.state, table.journal, rests_until)
        else:
            self._bots.leave(number)
            self._lobby.left(table.state)

    def playing(self) -> int:
        """Number of games being played."""
        return sum(table.state.status is Status.PLAYING for table in self._running.values())

    def epochs(self) -> dict[int, int]:
        """The epochs of the running tables that are stored."""
        return {number: table.journal.epoch for number, table in self._running.items() if not table.journal.blank}

    def let_go(self, number: int) -> None:
        """The table is another server's now."""
        if (table := self._running.get(number)) is not None:
            self._background.start_soon(table.put_late, Taken())
        self.recovery.drop(number)
