"""Read-only queries for people: tables and their records, for the command line and the web.

The queries that a server needs to run tables are in log.py. No view has a ticket, an address or a secret of dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Select, func, select

from gateway.store import codec
from gateway.store.engine import Reads
from gateway.store.guest_seats import KeptSeat, kept_seats
from gateway.store.records import FORMER, USED, EventRow, StoredEvent
from gateway.store.schema import OPEN, OVER, accounts, events, guest_seats, players, seats, tables, tickets
from protocols.core import standing
from protocols.core.events import (
    Declined,
    Event,
    GameAdjourned,
    GameEnded,
    GameResumed,
    GameStarted,
    Proposed,
    Said,
    SeatLeft,
    SeatsTurned,
    SeatTaken,
    TableOpened,
)
from protocols.core.model import HouseRules, SeatKind, Settings
from protocols.core.proposals import Start

PAGE: Final = 1000
"""Rows read in one transaction: a longer one would keep SQLite from reclaiming its write-ahead log."""

_PROPOSING: Final = tuple(kind.__name__ for kind in (Proposed, Declined, SeatLeft, *standing.LAPSING))
"""Events after which other proposals stand than before."""

_TURNING: Final = tuple(
    kind.__name__ for kind in (SeatTaken, SeatsTurned, GameStarted, GameAdjourned, GameResumed, GameEnded)
)
"""Events that ``turning_points`` finds."""

_SEATING: Final = tuple(kind.__name__ for kind in (SeatTaken, SeatLeft, SeatsTurned))
"""Events that ``seating`` finds."""

_TALKING: Final = (Said.__name__, *_SEATING)
"""Events that ``talk`` finds."""

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class SeatView:
    """The present holder of a seat."""

    seat: int
    kind: SeatKind
    name: str


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as a list shows it. ``events`` counts its record, ``private`` is as it was opened.

    ``settings`` and ``variant`` are those of its running or last game. Before the first they are what the player who
    has waited longest proposes, or as the table was opened.

    A private table is found by ticket only, unless it is ``watched``: public lists leave it out.
    """

    table: int
    status: str
    game: str
    variant: str
    opened_at: float
    events: int
    settings: Settings | None
    private: bool
    seats: tuple[SeatView, ...]
    watched: bool = False

    @property
    def hidden(self) -> bool:
        """True if strangers see no such table."""
        return self.private and not self.watched


class Views(Reads):
    """Queries over one database; may be used from several threads. ``close`` lets its connections go."""

    def tables(self, state: str = "", game: str = "", limit: int = 100, before: int | None = None) -> list[TableView]:
        """The newest tables first, at most ``limit``; "" is any state or game, ``before`` goes on below that id."""
        wanted = _tables().order_by(tables.c.id.desc()).limit(limit)
        if state:
            wanted = wanted.where(tables.c.status == state)
        if game:
            wanted = wanted.where(tables.c.game == game)
        if before is not None:
            wanted = wanted.where(tables.c.id < before)
        with self._reading.connect() as connection:
            return _views(connection, wanted)

    def table(self, table: int) -> TableView | None:
        """One table, None when there is none of this id."""
        with self._reading.connect() as connection:
            found = _views(connection, _tables().where(tables.c.id == table))
        return found[0] if found else None

    def several(self, numbers: Sequence[int]) -> list[TableView]:
        """These tables, the newest first; those that do not exist are left out."""
        if not numbers:
            return []
        with self._reading.connect() as connection:
            return _views(connection, _tables().where(tables.c.id.in_(numbers)).order_by(tables.c.id.desc()))

    def opened(self, numbers: Sequence[int]) -> dict[int, tuple[str, bool]]:
        """The game of each of these tables, and whether it was opened as a private one."""
        with self._reading.connect() as connection:
            rows = connection.execute(_tables().where(tables.c.id.in_(numbers))).all() if numbers else []
        found = {row.id: (row.game, _event(row)) for row in rows if row.kind == TableOpened.__name__}
        return {
            table: (game, isinstance(first, TableOpened) and first.house.private)
            for table, (game, first) in found.items()
        }

    def seated(self, name: str, *, over: bool, limit: int = 30, before: int | None = None) -> list[TableView]:
        """The tables where this person has ever sat, as a guest too if its account has kept them, the newest first,
        private ones among them: those that are over, or those that are not. ``before`` goes on below that id."""
        found: set[int] = set()
        with self._reading.connect() as connection:
            for sat in (players, guest_seats):  # a union of both would be read whole
                wanted = select(sat.c.table_id).join(tables, tables.c.id == sat.c.table_id)
                wanted = wanted.where(sat.c.folded == name.casefold())
                wanted = wanted.where(tables.c.status == OVER if over else tables.c.status != OVER)
                if before is not None:
                    wanted = wanted.where(sat.c.table_id < before)
                found |= set(connection.execute(wanted.order_by(sat.c.table_id.desc()).limit(limit)).scalars())
            newest = sorted(found, reverse=True)[:limit]
            return _views(connection, _tables().where(tables.c.id.in_(newest)).order_by(tables.c.id.desc()))

    def kept_seats(self, name: str, numbers: Sequence[int]) -> list[KeptSeat]:
        """The seats at these tables that the account of this name has kept from its time as a guest."""
        return kept_seats(self._reading, name, numbers)

    def account_since(self, name: str) -> float | None:
        """Unix time when the account of this name was made; None: there is none."""
        wanted = select(accounts.c.created_at).where(accounts.c.folded == name.casefold())
        with self._reading.connect() as connection:
            return connection.execute(wanted).scalar()

    def stood_for(self, digest: bytes) -> tuple[int, int | None] | None:
        """The newest table where the ticket with this digest stood for a seat until the game was over, and the seat;
        or until it was used as an invitation, and None. None: there is no such table."""
        wanted = select(tickets.c.table_id, tickets.c.seat).join(tables, tables.c.id == tickets.c.table_id)
        wanted = wanted.where(tickets.c.digest == digest, (tables.c.status == OVER) | (tickets.c.seat == USED))
        with self._reading.connect() as connection:
            row = connection.execute(wanted.order_by(tickets.c.table_id.desc()).limit(1)).first()
        return None if row is None else (row.table_id, row.seat if row.seat != USED else None)

    def seats_of(self, digests: Sequence[bytes]) -> list[tuple[bytes, int, int]]:
        """Each ticket with one of these digests, its table, and the seat that it stands for there, or stood for until
        the game was over. Used invitations are left out."""
        wanted = select(tickets.c.digest, tickets.c.table_id, tickets.c.seat).where(tickets.c.digest.in_(digests))
        with self._reading.connect() as connection:
            rows = connection.execute(wanted.where(tickets.c.seat != USED)) if digests else ()
            return [(row.digest, row.table_id, row.seat) for row in rows]

    def turning_points(self, numbers: Sequence[int]) -> dict[int, list[StoredEvent]]:
        """Of these tables the events that say who played and how games ended, without any move."""
        columns = (events.c.table_id, events.c.seq, events.c.at, events.c.kind, events.c.body, events.c.digest)
        wanted = select(*columns).where(events.c.table_id.in_(numbers), events.c.kind.in_(_TURNING))
        found: dict[int, list[StoredEvent]] = {number: [] for number in numbers}
        with self._reading.connect() as connection:
            for row in connection.execute(wanted.order_by(events.c.table_id, events.c.seq)) if numbers else ():
                if (event := _event(row)) is not None:
                    found[row.table_id].append(StoredEvent(row.seq, row.at, event, row.digest))
        return found

    def seating(self, numbers: Sequence[int], name: str) -> dict[int, list[Event]]:
        """The events by which seats of these tables were taken and left, in order, where this person has ever sat."""
        wanted = select(events.c.table_id, events.c.kind, events.c.body)
        wanted = wanted.join(players, players.c.table_id == events.c.table_id).where(
            players.c.folded == name.casefold()
        )
        wanted = wanted.where(events.c.table_id.in_(numbers), events.c.kind.in_(_SEATING))
        found: dict[int, list[Event]] = {}
        with self._reading.connect() as connection:
            for row in connection.execute(wanted.order_by(events.c.table_id, events.c.seq)) if numbers else ():
                if (event := _event(row)) is not None:
                    found.setdefault(row.table_id, []).append(event)
        return found

    def talk(self, numbers: Sequence[int]) -> dict[int, list[Event]]:
        """Of these tables what was said, and who came and went, in order."""
        wanted = select(events.c.table_id, events.c.kind, events.c.body)
        wanted = wanted.where(events.c.table_id.in_(numbers), events.c.kind.in_(_TALKING))
        found: dict[int, list[Event]] = {number: [] for number in numbers}
        with self._reading.connect() as connection:
            for row in connection.execute(wanted.order_by(events.c.table_id, events.c.seq)) if numbers else ():
                if (event := _event(row)) is not None:
                    found[row.table_id].append(event)
        return found

    def rows(self, table: int, after: int = 0) -> Iterator[EventRow]:
        """The record of a table as it is stored, from the event after ``after``; read page by page."""
        columns = (events.c.seq, events.c.at, events.c.kind, events.c.body, events.c.digest)
        wanted = select(*columns).where(events.c.table_id == table).order_by(events.c.seq).limit(PAGE)
        while True:
            with self._reading.connect() as connection:
                page = [EventRow(*row) for row in connection.execute(wanted.where(events.c.seq > after))]
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].seq

    def events(self, table: int, after: int = 0) -> Iterator[StoredEvent]:
        """The record as events. ValueError when what is stored is none."""
        return stored(self.rows(table, after))


def stored(rows: Iterable[EventRow]) -> Iterator[StoredEvent]:
    """Rows as events. ValueError when what is stored is none."""
    for row in rows:
        yield StoredEvent(row.seq, row.at, codec.decode(row.kind, row.body), row.digest)


def ndjson_lines(
    table: int, rows: Iterable[EventRow], heard: Callable[[EventRow], bool] = lambda row: True
) -> Iterator[str]:
    """One line an event, without line ends: table, seq, at, kind, digest (hexadecimal), body.

    ``body`` stands last and is the stored text unchanged, so a check of the digests takes it from behind
    ``"body":`` to the last brace, and the microseconds from ``at``. A row that is not ``heard`` has none: its digest
    is needed to check the rows behind it. A line with ``"renamed":true`` has another body than the one that is stored,
    with FORMER in place of a name; its digest is that of what is stored.
    """
    for row in rows:
        body = f'{_renamed(row)},"body":{row.body}' if heard(row) else ""
        yield (
            f'{{"table":{table},"seq":{row.seq},"at":"{moment(row.at)}","kind":"{row.kind}",'
            f'"digest":"{row.digest.hex()}"{body}}}'
        )


def _renamed(row: EventRow) -> str:
    """No person has such a name, and within a text of JSON its quotes would be escaped."""
    return ',"renamed":true' if f'"name":"{FORMER}"' in row.body else ""


def moment(at: float) -> str:
    """Unix time in seconds as ISO 8601 in UTC, always with six digits of a second."""
    when = EPOCH + timedelta(microseconds=codec.microseconds(at))
    return when.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _tables() -> Select[Any]:
    """Every table with the body of its first event, which says what was agreed when it was opened."""
    columns = (tables.c.id, tables.c.status, tables.c.game, tables.c.variant, tables.c.opened_at, tables.c.last_seq)
    first = (events.c.table_id == tables.c.id) & (events.c.seq == 1)
    return select(*columns, events.c.kind, events.c.body).select_from(tables.outerjoin(events, first))


def _views(connection: Connection, wanted: Select[Any]) -> list[TableView]:
    found = connection.execute(wanted).all()
    ids = [row.id for row in found]
    held, played = _seats(connection, ids), _played(connection, ids)
    played |= _proposed(connection, [row.id for row in found if row.status == OPEN])
    return [_view(row, tuple(held.get(row.id, ())), played.get(row.id)) for row in found]


def _view(row: Any, held: tuple[SeatView, ...], played: Settings | None) -> TableView:
    opened = _event(row) if row.kind == TableOpened.__name__ else None
    settings, house = (opened.settings, opened.house) if isinstance(opened, TableOpened) else (None, HouseRules())
    settings = played or settings
    variant = played.variant if played else row.variant
    seen = settings, house.private, held, house.watched
    return TableView(row.id, row.status, row.game, variant, row.opened_at, row.last_seq, *seen)


def _event(row: Any) -> Event | None:
    """The event of a row; None for a body that makes no sense, which verify reports and a list passes over."""
    try:
        return codec.decode(row.kind, row.body)
    except ValueError:
        return None


def _played(connection: Connection, ids: list[int]) -> dict[int, Settings]:
    """The settings of the running or last game of each table; tables without a game are left out."""
    started = (events.c.table_id.in_(ids)) & (events.c.kind == GameStarted.__name__)
    last = select(events.c.table_id, func.max(events.c.seq).label("seq")).where(started).group_by(events.c.table_id)
    latest = last.subquery()
    same = (events.c.table_id == latest.c.table_id) & (events.c.seq == latest.c.seq)
    wanted = select(events.c.table_id, events.c.kind, events.c.body).join(latest, same)
    found: dict[int, Settings] = {}
    for row in connection.execute(wanted) if ids else ():
        begun = _event(row)
        if isinstance(begun, GameStarted):
            found[row.table_id] = begun.settings
    return found


def _proposed(connection: Connection, ids: list[int]) -> dict[int, Settings]:
    """The oldest proposal to start that stands at each of these tables; those without one are left out."""
    said = events.c.kind.in_(_PROPOSING)
    wanted = select(events.c.table_id, events.c.kind, events.c.body).where(events.c.table_id.in_(ids), said)
    stand: dict[int, standing.Standing] = {}
    for row in connection.execute(wanted.order_by(events.c.table_id, events.c.seq)) if ids else ():
        if (event := _event(row)) is not None:
            stand[row.table_id] = standing.after(stand.get(row.table_id, ()), event)
    starts = ((table, made.proposal) for table, all_made in stand.items() for made in reversed(all_made))
    return {table: start.settings for table, start in starts if isinstance(start, Start) and start.settings}


def _seats(connection: Connection, ids: list[int]) -> dict[int, list[SeatView]]:
    wanted = select(seats).where(seats.c.table_id.in_(ids)).order_by(seats.c.table_id, seats.c.seat)
    held: dict[int, list[SeatView]] = {}
    for row in connection.execute(wanted) if ids else ():
        held.setdefault(row.table_id, []).append(SeatView(row.seat, SeatKind(row.kind), row.name))
    return held
