"""Resting tables: unfinished tables without a task, because nothing happens at them until a player or a deadline comes.

A server that starts claims every unfinished table under a new epoch and lets all of them rest. A table is woken, its
record replayed, when it is asked for, or when its deadline has come: then in batches, oldest first, and with a share of
the time. A table that all have left, where no clock runs and no house bot plays, rests again (runner.py).
"""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from sys import intern
from typing import Final, NamedTuple

import msgspec
import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway import registry
from gateway.commits.commit_queue import CommitQueue
from gateway.config import Config
from gateway.lobby.lobby import Lobby
from gateway.store import codec
from gateway.store.records import EventRow, Held, Loaded, TableRow
from gateway.table import clock as clocks
from gateway.table.evolve import replaying
from gateway.table.refusals import NOT_READ, try_again
from gateway.table.state import State, Status, by_days, seated_anew, waiting
from gateway.tables.journal import Journal
from protocols.core.errors import BoardgateError, Refused, Why
from protocols.core.events import ClockSet, TurnStarted
from protocols.core.model import SeatKind

BATCH_TABLES: Final = 32
BATCH_EVENTS: Final = 4000
"""Tables and events that are read at once: some twenty milliseconds of the database, and a few megabytes."""

SLICE_S: Final = 0.003
"""Seconds of replaying after which others are served: a delay that no player notices."""

REST: Final = 2.0
"""Times as long as replaying took nothing is replayed in the background: it gets a third of one core at most."""

AGAIN_S: Final = 5.0
"""Seconds until tables that are due, and could not be read, are tried again."""

AT_ONCE: Final = 256
"""Tables that are claimed at once: some milliseconds without a look at anything else."""

CLAIMED_S: Final = 10.0
"""Seconds that clients wait for the part of the record that they name."""

LISTED_S: Final = 5.0
"""Seconds that newcomers wait for claimed tables to run."""

OTHERS_S: Final = 0.3
"""Seconds for which a claimed table waits for players at other nodes to say that they are there, though one asks."""

STALE: Final = 1000
"""Deadlines of tables that rest no more which may be kept, beside one for each table that does."""

CLOCKS: Final = (TurnStarted.__name__, ClockSet.__name__)
"""The kinds of events that write a clock."""

READING: Final = "the record is being read, try again in a moment"

_log = structlog.get_logger()


class Rest(msgspec.Struct):
    """One resting table. ``due`` is its deadline on the server's monotonic line, math.inf: it has none.

    ``since`` is when this server claimed it and has not replayed it yet, None for a table it has run itself. Until
    ``heard`` its players at other nodes say that they are ``here``: a seat is given up, or seems left, otherwise.
    """

    epoch: int
    status: str
    events: int
    due: float
    since: float | None
    given: Adoption | None = None
    heard: float = 0.0
    here: frozenset[int] = frozenset()


class Waking:
    """A table that is asked for or replayed: ``over`` is set when it runs or cannot; ``failed``: not just now."""

    def __init__(self) -> None:
        self.over = trio.Event()
        self.failed = False


class Adoption(NamedTuple):
    """The way of a table from another process to this one: it was claimed, or given, ``since`` then.

    The players of the seats in ``here`` are there still, as clients of other nodes. None: those of all seats are, as
    where it was given. The player to move had been thinking for ``thought_s`` when it was given.
    """

    since: float
    here: frozenset[int] | None = frozenset()
    thought_s: float = 0.0


Start = Callable[[State, Journal, Sequence[str], Adoption | None], Awaitable[None]]
"""Runs a table, by its state, its page, the addresses of its seats, and how it came here, None: it was here before.
Returns when it can be asked."""


def _until_due_s(grace_s: float, adjourned_s: float) -> Mapping[str, float]:
    return {Status.OPEN: 0.0, Status.PLAYING: grace_s, Status.ADJOURNED: adjourned_s}


class DatabaseGone(BoardgateError):
    """The database failed while the server claimed its tables; the next start claims them."""


def database_gone(error: SQLAlchemyError) -> DatabaseGone:
    """The database's own error as the reason for which a server does not start."""
    said, *_ = str(getattr(error, "orig", None) or error).splitlines()
    return DatabaseGone(f"the database failed while its tables were claimed: {said}")


class Recovery:
    """Every resting table by its number; ``grace_s`` and ``adjourned_s`` are those of most tables."""

    def __init__(self, commits: CommitQueue, lobby: Lobby, start: Start, grace_s: float, adjourned_s: float) -> None:
        self._commits = commits
        self._lobby = lobby
        self._start = start
        self._until_due_s = _until_due_s(grace_s, adjourned_s)
        self._tables: dict[int, Rest] = {}
        self._waking: dict[int, Waking] = {}
        self._ended = False  # nobody wakes a table any more
        self._bells: dict[int, trio.Event] = {}  # of tables that are followed while they rest
        self._asked: deque[int] = deque()
        self._due: list[tuple[float, int]] = []  # a heap; stale where the table rests no more, or until another time
        self._news = trio.Event()
        self._unlisted: set[int] = set()  # claimed tables where somebody waits for an opponent, until they run
        self._listed = trio.Event()
        self._whole = True  # nothing is left to be claimed
        self._part = trio.Event()

    def reread(self, config: Config) -> None:
        """Take tables that are claimed from now on to wait as long as these settings say."""
        self._until_due_s = _until_due_s(config.seats.grace_s, config.seats.adjourned_s)

    def __contains__(self, table: int) -> bool:
        return table in self._tables

    def __len__(self) -> int:
        return len(self._tables)

    def last(self, table: int) -> int:
        """The number of a resting table's last event; 0 where it does not rest."""
        rest = self._tables.get(table)
        return 0 if rest is None else rest.events

    def statuses(self) -> Counter[str]:
        """Number of resting tables, by status."""
        return Counter(rest.status for rest in self._tables.values())

    def __iter__(self) -> Iterator[int]:
        return iter(self._tables)

    def drop(self, table: int) -> None:
        """Another server has the table; one that is being woken finds that out by itself."""
        if table in self._tables and table not in self._waking:
            self.hand_on(table)

    async def claim(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Claim every unfinished table, part by part; started with the first.

        DatabaseGone: a server without its games would be no use.
        """
        log, after, count = self._commits.log, 0, 0
        self._whole = False
        try:
            last = await self._commits.call(log.last_table)
            while not self._whole:
                rows = await self._commits.call(log.claim, after, last, AT_ONCE)
                held = await self._commits.call(log.holders, [row.table for row in rows])
                self.take(rows, held)
                after = rows[-1].table if rows else last
                self.claimed(whole=len(rows) < AT_ONCE)
                if not count:
                    task_status.started()
                count += len(rows)
        except SQLAlchemyError as error:
            raise database_gone(error) from error
        if count:
            _log.info("tables claimed", count=count)

    def claimed(self, *, whole: bool) -> None:
        """A part of the record is known from now on; ``whole``: no other is to come."""
        self._whole = whole
        self._part.set()
        self._part = trio.Event()

    async def until(self, known: Callable[[], bool]) -> None:
        """Return when this is known, or every table is claimed. Refused (OVERLOAD): that takes too long."""
        with trio.move_on_after(CLAIMED_S):
            while not (self._whole or known()):
                await self._part.wait()
            return
        raise Refused(Why.OVERLOAD, READING)

    def take(self, rows: Sequence[TableRow], held: Held, thought_s: float | None = None, others_s: float = 0.0) -> None:
        """The tables are this server's now, and rest.

        ``thought_s``: they were given with their players, and that long the player to move has been thinking. Where no
        game is on, players who are at other nodes have ``others_s`` to say that they are there.
        """
        now = trio.current_time()
        for row in rows:
            seats = held.seats.get(row.table, ())
            self._lobby.known(row, seats)
            rest = self._claimed(row, now)
            if row.status in (Status.OPEN, Status.OVER):
                rest.due += others_s
            rest.heard = now + min(others_s, OTHERS_S)
            if row.status == Status.OPEN and any(seat.kind == SeatKind.PLAYER for seat in seats):
                self._unlisted.add(row.table)
            if thought_s is not None:
                rest.given, rest.due = Adoption(now, None, thought_s), now
            self.keep(row.table, rest)
            if thought_s is not None:
                self._ask_for(row.table)
        self._lobby.restore((ticket.digest, ticket.table, ticket.seat) for ticket in held.tickets)

    async def all_listed(self) -> None:
        """Return when newcomers can be led to all claimed tables where somebody waits: they run, or never will."""
        with trio.move_on_after(LISTED_S):
            while self._unlisted:
                await self._listed.wait()

    def _is_listed(self, table: int) -> None:
        self._unlisted.discard(table)
        if not self._unlisted:
            self._listed.set()
            self._listed = trio.Event()

    def present(self, table: int, seat: int) -> None:
        """A player of a claimed table, which may be being woken, is there still: its seat is not given up."""
        rest = self._tables.get(table)
        if rest is not None:
            rest.here |= {seat}

    def rest(self, table: int) -> Rest | None:
        """The table's rest; None where it does not, or is being woken."""
        return None if table in self._waking else self._tables.get(table)

    def epoch(self, table: int) -> int:
        """The epoch of a table that rests or is being woken; 0: it does neither."""
        rest = self._tables.get(table)
        return 0 if rest is None else rest.epoch

    def hand_on(self, table: int) -> None:
        """A resting table was given to another server."""
        self._tables.pop(table, None)
        self._is_listed(table)
        if table in self._bells:
            self._bells.pop(table).set()

    @property
    def unread(self) -> int:
        """Number of tables that wait to be replayed now."""
        return len(self._waking)

    def _claimed(self, row: TableRow, now: float) -> Rest:
        """An open table is replayed soon, a game when its grace is over unless a player comes before."""
        due = now + self._until_due_s.get(Status(row.status), 0.0)
        return Rest(row.epoch, intern(row.status), row.last_seq, due, now)

    def rests(self, state: State, journal: Journal, due: float) -> None:
        """A table of this server has no task any more."""
        self.keep(state.table, Rest(journal.epoch, state.status.value, journal.seq, due, None))

    def keep(self, table: int, rest: Rest) -> None:
        """The table rests so."""
        self._tables[table] = rest
        if rest.due < math.inf:
            heappush(self._due, (rest.due, table))
            if len(self._due) > 2 * len(self._tables) + STALE:
                self._due = [(kept.due, number) for number, kept in self._tables.items() if kept.due < math.inf]
                heapify(self._due)
        self._news.set()

    async def wake(self, table: int) -> None:
        """Return when the table runs, or rests no more for another reason.

        Refused (OVERLOAD): its record could not be read just now, and it rests on.
        """
        if table not in self._tables and table not in self._waking:
            return
        if self._ended:
            raise try_again(NOT_READ)
        waking = self._ask_for(table)
        await waking.over.wait()
        if waking.failed:
            raise try_again(NOT_READ)

    def _ask_for(self, table: int) -> Waking:
        """Wake the table before those that are only due."""
        if table not in self._waking:
            self._waking[table] = Waking()
            self._asked.append(table)
            self._news.set()
        return self._waking[table]

    def bell(self, table: int) -> trio.Event | None:
        """Set when the table rests no more; None where it does not rest."""
        if table not in self._tables:
            return None
        return self._bells.setdefault(table, trio.Event())

    async def tend(self) -> None:
        """Wake the tables that are asked for, and those that are due, until cancelled: then who waits waits no more."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._tend_asked, nursery)
                nursery.start_soon(self._tend_due)
        finally:
            self._ended = True
            for waking in self._waking.values():
                waking.failed = True
                waking.over.set()

    async def _tend_asked(self, nursery: trio.Nursery) -> None:
        """The first step of another table is not awaited: it may take as long as the database is in trouble."""
        while True:
            if not self._asked:
                await self._news_until(math.inf)
                continue
            await self._wake(self._batch(self._next_asked()), 0.0, nursery)

    async def _tend_due(self) -> None:
        """A batch at a time, its first steps stored: a database in trouble does not fill the memory with tables."""
        while True:
            tables = self._batch(self._next_due())
            if not tables:
                await self._news_until(self._due[0][0] if self._due else math.inf)
                continue
            async with trio.open_nursery() as nursery:
                read = await self._wake(tables, REST, nursery)
            if not read:
                await trio.sleep(AGAIN_S)

    async def _news_until(self, when: float) -> None:
        if self._news.is_set():
            self._news = trio.Event()
        with trio.move_on_at(when):
            await self._news.wait()

    def _next_asked(self) -> Iterator[int]:
        while self._asked:
            yield self._asked.popleft()

    def _next_due(self) -> Iterator[int]:
        """The tables whose deadline has come and that are not being woken: they are from now on.

        A table that rests again until the same moment has two deadlines here.
        """
        now = trio.current_time()
        while self._due and self._due[0][0] <= now:
            due, table = heappop(self._due)
            rest = self._tables.get(table)
            if rest is not None and rest.due == due and table not in self._waking:
                self._waking[table] = Waking()
                yield table

    def _batch(self, tables: Iterator[int]) -> list[int]:
        """The first of them, as many as are read at once."""
        found, events = [], 0
        for table in tables:
            found.append(table)
            events += self._tables[table].events
            if len(found) >= BATCH_TABLES or events >= BATCH_EVENTS:
                break
        return found

    async def _wake(self, tables: Sequence[int], rest: float, nursery: trio.Nursery) -> bool:
        """Read and replay these, and run each in the nursery. False: none of them could be read.

        Replaying is followed by ``rest`` times as long without it.
        """
        begun = time.perf_counter()
        try:
            found = {loaded.row.table: loaded for loaded in await self._load(tables)}
        except SQLAlchemyError as error:
            _log.warning("resting tables cannot be read", tables=tables, error=str(error))
            self._rest_on(tables)
            return False
        await trio.sleep(rest * (time.perf_counter() - begun))
        for table in tables:
            loaded = found.get(table)
            nursery.start_soon(self._run, table, loaded, await self._replayed(table, loaded, rest))
        return True

    async def _load(self, tables: Sequence[int]) -> list[Loaded]:
        """A connection to the database may have been lost; then it answers another one."""
        try:
            return await self._commits.call(self._commits.log.load, tables)
        except SQLAlchemyError as error:
            _log.warning("tables could not be read, once more", tables=tables, error=str(error))
            return await self._commits.call(self._commits.log.load, tables)

    async def _replayed(self, table: int, loaded: Loaded | None, rest: float) -> State | None:
        """None where another server has the table, or its record cannot be read: it is left alone then."""
        if loaded is None or loaded.row.epoch != self._tables[table].epoch:
            _log.warning("another server has taken the table over", table=table)
            return None
        row, found, begun = loaded.row, None, time.perf_counter()
        events = (codec.decode(stored.kind, stored.body) for stored in loaded.rows)
        try:
            for state in replaying(table, registry.game_of_record(row.game), row.secret, events):
                found = state
                if (spent := time.perf_counter() - begun) > SLICE_S:
                    await trio.sleep(rest * spent)
                    begun = time.perf_counter()
        except Exception as error:
            _log.error("a table cannot be read and is left alone", table=table, error=repr(error))
            return None
        return found

    async def _run(self, table: int, loaded: Loaded | None, state: State | None) -> None:
        rest = self._tables[table]
        await trio.sleep_until(min(rest.due, rest.heard))
        del self._tables[table]
        try:
            if loaded is None or state is None:
                self._lobby.dropped(table)
                return
            row, rows = loaded.row, loaded.rows
            journal = Journal(self._commits, table, row.epoch)
            journal.go_on_after(rows, loaded.served())
            addresses = [""] * len(state.seats)
            for seat in loaded.seats:
                addresses[seat.seat] = seat.address
            waits_s = state.house.waits_s - (time.time() - row.opened_at)
            now = trio.current_time()
            if rest.since is None:
                state = waiting(state, rest.due)
            else:
                state = waiting(seated_anew(state, now), now + waits_s)
            adoption = (
                None if rest.since is None else rest.given or Adoption(rest.since, rest.here, _thought_s(state, rows))
            )
            await self._start(state, journal, addresses, adoption)
        finally:
            self._is_listed(table)
            self._waking.pop(table).over.set()
            if table in self._bells:
                self._bells.pop(table).set()

    def _rest_on(self, tables: Sequence[int]) -> None:
        """The tables could not be read just now; clients that wait for one of them are told so."""
        for table in tables:
            waking = self._waking.pop(table)
            waking.failed = True
            waking.over.set()
            self.keep(table, self._tables[table])


def _thought_s(state: State, rows: Sequence[EventRow]) -> float:
    """Seconds since the running clock of a correspondence game was written, as far as they are charged; 0.0 elsewhere.

    The record knows the calendar; its monotonic line is another process's.
    """
    if state.clock is None or not by_days(state):
        return 0.0
    written = next((row.at for row in reversed(rows) if row.kind in CLOCKS), time.time())
    return clocks.by_calendar(state.clock, time.time() - written)
