"""The record in memory, the twin of log.py: for tests of clocks, and for nothing that must survive.

``submit`` stores at once and calls ``deliver`` before it returns: no thread, no wait, so a test's clock may jump.
Several servers of one test share a record: each has a log of its own over it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from gateway.store import codec
from gateway.store.batch import CLOSED
from gateway.store.records import (
    HIGHEST,
    USED,
    Act,
    Append,
    Conflict,
    EventRow,
    Held,
    Loaded,
    PairTaken,
    Result,
    SeatRow,
    StoredEvent,
    TableRow,
    TicketRow,
)
from gateway.store.schema import OVER
from gateway.store.writer import Deliver
from gateway.tally import StoreTally


@dataclass(slots=True)
class Kept:
    """One table: its row as it stands now, and what belongs to it."""

    row: TableRow
    events: list[EventRow] = field(default_factory=list)
    seats: dict[int, SeatRow] = field(default_factory=dict)
    tickets: dict[bytes, TicketRow] = field(default_factory=dict)

    def read(self) -> TableRow:
        """The row as a database has it."""
        return replace(self.row, last_seq=len(self.events))


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """What several logs share: the tables by number, and the acts that came with steps."""

    tables: dict[int, Kept] = field(default_factory=dict)
    acts: list[Act] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)


class MemoryLog:
    """records.Log in memory, over a record of its own or a shared one; ``acts`` and ``results`` came with steps."""

    def __init__(self, deliver: Deliver, record: MemoryRecord | None = None) -> None:
        record = record or MemoryRecord()
        self.tally = StoreTally()
        self.acts = record.acts
        self.results = record.results
        self._deliver = deliver
        self._tables = record.tables
        self._closed = False

    def submit(self, *appends: Append) -> None:
        """Store each step and deliver it, alone in its batch. RuntimeError after ``close``."""
        if self._closed:
            raise RuntimeError(f"the record is closed: nothing more of table {appends[0].table} can be stored")
        for append in appends:
            try:
                self._store(append)
                append.error = None
            except Conflict as conflict:
                append.error = conflict
            self._deliver([append])

    def read(self, table: int, after: int = 0) -> list[StoredEvent]:
        """The events of a table with seq > ``after``, in order."""
        kept = self._tables.get(table)
        found = kept.events[after:] if kept else []
        return [StoredEvent(row.seq, row.at, codec.decode(row.kind, row.body), row.digest) for row in found]

    def claim(self, after: int = 0, last: int = HIGHEST, most: int = HIGHEST) -> list[TableRow]:
        """Take over the first ``most`` tables of (after, last] that are not over, under new epochs; by rising id."""
        unfinished = [kept for _, kept in sorted(self._tables.items()) if kept.row.status != OVER]
        taken = [kept for kept in unfinished if after < kept.row.table <= last][:most]
        for kept in taken:
            kept.row = replace(kept.row, epoch=kept.row.epoch + 1)
        return [kept.read() for kept in taken]

    def holders(self, of: Sequence[int] | None = None) -> Held:
        """The seats and tickets of these tables, or of all, as far as they are not over; tickets by table and seat."""
        unfinished = [
            kept
            for table, kept in sorted(self._tables.items())
            if kept.row.status != OVER and (of is None or table in of)
        ]
        tickets = [row for kept in unfinished for row in kept.tickets.values() if row.seat != USED]
        return Held(
            {kept.row.table: [row for _, row in sorted(kept.seats.items())] for kept in unfinished},
            sorted(tickets, key=lambda row: (row.table, row.seat, row.digest)),
        )

    def ticketed(self, digest: bytes) -> int | None:
        """The table where the ticket with this digest stands for a seat, unless it is over; None: none does."""
        unfinished = (kept for kept in self._tables.values() if kept.row.status != OVER)
        standing = (kept for kept in unfinished if digest in kept.tickets and kept.tickets[digest].seat != USED)
        return next((kept.row.table for kept in standing), None)

    def paired(self, pair: str) -> int | None:
        """The newest table of this pair (``records.pair_of``) that is not over; None: there is none."""
        rows = [kept.row for kept in self._tables.values() if kept.row.pair == pair]
        return max((row.table for row in rows if row.status != OVER), default=None)

    def registered_by(self, registrant: str) -> int:
        """The number of tables of this registrant that are not over."""
        rows = [kept.row for kept in self._tables.values() if kept.row.registrant == registrant]
        return sum(row.status != OVER for row in rows)

    def load(self, numbers: Sequence[int]) -> list[Loaded]:
        """These tables with their seats and events, by rising id; those that do not exist are left out."""
        found = [kept for table, kept in sorted(self._tables.items()) if table in numbers]
        return [
            Loaded(
                kept.read(),
                [row for _, row in sorted(kept.seats.items())],
                list(kept.events),
            )
            for kept in found
        ]

    def last_table(self) -> int:
        """The highest table id ever used, 0 when there is none."""
        return max(self._tables, default=0)

    def close(self) -> None:
        """Take nothing more. Idempotent; what is stored can still be read."""
        self._closed = True

    def _store(self, append: Append) -> None:
        table = append.table
        if table is None:
            self.acts += (act for act in append.acts if act not in self.acts)
            return
        if self._ends_with(table, append):
            return
        kept = self._joined(table, append)
        self._tables[table] = kept
        self.acts += append.acts
        self.results += append.results
        kept.events += append.rows
        if append.status is not None:
            pair = None if append.status != OVER and self._holder(kept.row) else kept.row.pair
            kept.row = replace(kept.row, status=append.status, pair=pair)
        if append.rows and append.rows[-1].kind == CLOSED:
            kept.row = replace(kept.row, node=None)
        kept.seats |= {row.seat: row for row in append.seats}
        freed = {*append.revoked, *(row.seat for row in append.tickets)} - {USED}
        kept.tickets = {digest: row for digest, row in kept.tickets.items() if row.seat not in freed}
        kept.tickets |= {row.digest: row for row in append.tickets}
        if append.turned:
            seats = len(append.seats)
            kept.tickets = {
                digest: row if row.seat == USED else replace(row, seat=(row.seat + append.turned) % seats)
                for digest, row in kept.tickets.items()
            }

    def _ends_with(self, table: int, append: Append) -> bool:
        """True if this very step is the last that its table was given, under the same epoch."""
        kept = self._tables.get(table)
        if kept is None or not append.rows:
            return False
        return kept.row.epoch == append.epoch and kept.events[-1:] == list(append.rows[-1:])

    def _check_pair(self, row: TableRow) -> None:
        if other := self._holder(row):
            raise PairTaken(f"table {row.table}: table {other} is not over")

    def _holder(self, row: TableRow) -> int | None:
        """The other table that is registered for the pair of ``row`` and is not over."""
        if row.pair is None:
            return None
        others = (kept.row for table, kept in self._tables.items() if table != row.table)
        same = (row.game, row.pair)
        return next(
            (other.table for other in others if (other.game, other.pair) == same and other.status != OVER), None
        )

    def _joined(self, table: int, append: Append) -> Kept:
        """The table that the step continues, nothing changed yet. Conflict when it does not."""
        kept = self._tables.get(table)
        if append.opened is not None:
            if kept is not None:
                raise Conflict(f"table {table} exists")
            self._check_pair(append.opened)
            kept = Kept(append.opened)
        if kept is None:
            raise Conflict(f"table {table} does not exist")
        stands, epoch = len(kept.events), kept.row.epoch
        if append.after != stands or append.epoch != epoch:
            wanted = f"not at {append.after} of {append.epoch}"
            raise Conflict(f"table {table} stands at event {stands} of epoch {epoch}, {wanted}")
        for due, row in enumerate(append.rows, stands + 1):
            if row.seq != due:
                raise Conflict(f"table {table}: event {row.seq} where {due} is due")
        return kept
