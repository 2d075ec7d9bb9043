"""Rows of the record as plain values: no SQL, no I/O.

What every step makes is a struct of msgspec: a frozen dataclass takes ten times as long to make.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

import msgspec

from gateway.tally import StoreTally
from protocols.core.errors import BoardgateError
from protocols.core.events import Event

FORMER: Final = "former player"
"""The name that the public is shown in place of a deleted account's (former.py). Nobody may be called so."""


HIGHEST: Final = (1 << 63) - 1
"""A number that no table reaches."""


class EventRow(msgspec.Struct, frozen=True, gc=False):
    """One event as it is stored. ``at`` is Unix time in seconds, ``digest`` the 32 bytes that chain it (codec.link).

    ``served`` is the id of the command whose step ends with it, where other nodes may be asked for it; else 0.
    """

    seq: int
    at: float
    kind: str
    body: str
    digest: bytes
    served: int = 0


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event as it is read back."""

    seq: int
    at: float
    event: Event
    digest: bytes


@dataclass(frozen=True, slots=True)
class TableRow:
    """The row of a table. ``status`` is "open", "playing", "adjourned" or "over".

    ``secret`` are the 32 bytes the table's dice come from; it leaves the server only in GameEnded. ``epoch`` counts
    the processes that have owned the table: who holds an older one may not write. ``pair`` are the two names the table
    was registered for (``pair_of``), None elsewhere: there is one table of a game and pair that is not over. A game
    that begins again at a table whose pair was registered anew meanwhile loses it.
    ``last_seq`` is the seq of its last event when the row was read. ``node`` is the node that serves the table, None
    where none does, and always where one process has the database (nodes.py). ``registrant`` is an account or an
    address, in the registrar's words; None for the host, and where nobody registered the table.
    """

    table: int
    epoch: int
    status: str
    game: str
    variant: str
    secret: bytes
    opened_at: float
    pair: str | None = None
    last_seq: int = 0
    node: int | None = None
    registrant: str | None = None


def pair_of(names: Sequence[str]) -> str | None:
    """Two names in any order as one text, which no third name is part of; None unless it is two."""
    return "\n".join(sorted(names)) if len(names) == 2 and all(names) else None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """The present holder of a seat, and for dialects without tickets the address (host only) that held it last."""

    seat: int
    kind: int
    name: str
    address: str = ""


USED: Final = -1


@dataclass(frozen=True, slots=True)
class TicketRow:
    """A ticket: the SHA-256 of the secret, never the secret. ``seat`` USED: an invitation that stands for none now."""

    digest: bytes
    table: int
    seat: int


class Held(NamedTuple):
    """The holders at the tables that are not over: seats by table and number, and every ticket."""

    seats: dict[int, list[SeatRow]]
    tickets: list[TicketRow]


class Loaded(NamedTuple):
    """One table as it is stored: its row, its seats by number, its events in order and not decoded yet."""

    row: TableRow
    seats: list[SeatRow]
    rows: list[EventRow]

    def served(self) -> frozenset[int]:
        """The ids of the commands that were served, where other nodes may be asked for them."""
        return frozenset(row.served for row in self.rows if row.served)


@dataclass(frozen=True, slots=True)
class Act:
    """An act with a host's rights; acts.py says what each means, and whose words these are.

    ``by`` did ``act`` to ``object``, ``at`` Unix time in seconds. ``detail`` is JSON, an object of texts and numbers.
    ``id`` is its place in the log, None while it is not stored.
    """

    at: float
    by: str
    act: str
    object: str
    detail: str = "{}"
    id: int | None = None


class Notice(msgspec.Struct, frozen=True):
    """News for the player of a seat. ``kind`` is "turn" (in a correspondence game), "joined" (a person has taken a seat
    that was free) or "back" (another player has come back)."""

    seat: int
    kind: str


class Player(msgspec.Struct, frozen=True):
    """The player of one seat: ``name`` as it was shown there, "" where nobody played.

    ``account`` is the folded name of the account, "" of guests and house bots. ``engine`` is what made the moves, as
    its name, version and level, "" of people and of programs that do not say.
    """

    name: str
    account: str = ""
    engine: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """One game of a table: ``number`` counts them from 1.

    ``seq``, ``at`` (Unix time in seconds) and ``digest`` are of the event that ended it, ``started_at`` is that of its
    first. ``players`` and ``places`` are by seat: 1 is the best, those who share one have the better, a seat without a
    player has 0. ``fewest`` are the moves of the player who made fewest. ``opening`` is SHA-256 of how it began.
    ``why`` it does not count is a code of gateway/record/ended.py, "" where it does. ``related``: two of its
    accounts came from one address. ``ordinal`` is its place among all games, None until it has one; ``annulled_at``
    is Unix time, None: it is not.
    """

    table: int
    number: int
    seq: int
    at: float
    digest: bytes
    started_at: float
    game: str
    variant: str
    width: int
    rated: bool
    reason: str
    players: tuple[Player, ...]
    places: tuple[int, ...]
    plies: int
    fewest: int
    opening: bytes
    why: str = ""
    related: bool = False
    ordinal: int | None = None
    annulled_at: float | None = None


class RowChanges(msgspec.Struct, frozen=True, kw_only=True):
    """Changes to the record beside the events of a step; the fields are those of Append."""

    status: str | None = None
    seats: tuple[SeatRow, ...] = ()
    tickets: tuple[TicketRow, ...] = ()
    revoked: tuple[int, ...] = ()
    turned: int = 0
    acts: tuple[Act, ...] = ()
    seen: tuple[int, ...] = ()
    notices: tuple[Notice, ...] = ()
    results: tuple[Result, ...] = ()


UNCHANGED: Final = RowChanges()


class Append(msgspec.Struct):
    """One step of one table: its events and what else changes with them, stored whole or not at all.

    ``after`` is the seq of the last event stored before (0: none). ``opened`` creates the table's row first,
    ``status`` changes it; ``seats`` are replaced; all tickets of the seats in ``revoked`` and of those that get new
    ``tickets`` are dropped first, and at last all tickets of the table move ``turned`` seats on. ``acts`` are noted
    with it; where nothing else is to be stored ``table`` is None, see ``noted``. Notices of the seats in ``seen`` are
    out of date, then there are these ``notices``. ``results`` are of the games that it ends. ``error`` is None once it
    is stored, else why not. ``handed`` is when it was handed over to the writer, ``committed`` when the writer's answer
    came, both in trio's seconds.
    """

    table: int | None
    epoch: int
    after: int
    rows: tuple[EventRow, ...]
    opened: TableRow | None = None
    status: str | None = None
    seats: tuple[SeatRow, ...] = ()
    tickets: tuple[TicketRow, ...] = ()
    revoked: tuple[int, ...] = ()
    turned: int = 0
    acts: tuple[Act, ...] = ()
    seen: tuple[int, ...] = ()
    notices: tuple[Notice, ...] = ()
    results: tuple[Result, ...] = ()
    error: BaseException | None = None
    handed: float = 0.0
    committed: float = 0.0


def noted(act: Act) -> Append:
    """The step that notes an act which changes no table."""
    return Append(None, 0, 0, (), acts=(act,))


class Conflict(BoardgateError):
    """Another server has written to this table: a seq or an id is taken, or the epoch is old. Nothing was stored."""


class MaybeStored(BoardgateError):
    """The database failed while a step was committed: it may be stored. Handing it in again tells."""


class PairTaken(Conflict):
    """The two have a registered game that is not over."""


class Unreadable(BoardgateError):
    """The database could not be read; the cause is chained."""


class Log(Protocol):
    """The record as a server uses it: in SQL (log.py), or the twin in memory (memory.py)."""

    tally: StoreTally

    def submit(self, *appends: Append) -> None:
        """Queue steps; ``deliver`` (given at construction) gets each back, with the batch it was committed in.

        A step that is there already, the last of its table and under its epoch, is stored: it may be handed in again.
        Never blocks. Steps of one table are stored in the order they were submitted. RuntimeError after ``close``.
        """

    def read(self, table: int, after: int = 0) -> list[StoredEvent]:
        """The events of a table with seq > ``after``, in order; blocks on the database.

        Unreadable when it fails, ValueError when what it holds is no event.
        """

    def claim(self, after: int = 0, last: int = HIGHEST, most: int = HIGHEST) -> list[TableRow]:
        """Take over tables that are not over: each gets a new epoch, which the rows returned carry.

        By rising number, the first ``most`` of those behind ``after``, up to ``last``.
        """

    def holders(self, of: Sequence[int] | None = None) -> Held:
        """The seats and tickets of these tables, or of all, as far as they are not over."""

    def ticketed(self, digest: bytes) -> int | None:
        """The table where the ticket with this digest stands for a seat, unless it is over; None: none does."""

    def paired(self, pair: str) -> int | None:
        """The newest table of this pair (``pair_of``) that is not over; None: there is none."""

    def registered_by(self, registrant: str) -> int:
        """The number of tables of this registrant that are not over."""

    def load(self, numbers: Sequence[int]) -> list[Loaded]:
        """These tables with their seats and events, by rising id; those that do not exist are left out."""

    def last_table(self) -> int:
        """The highest table id ever used, 0 when there is none."""

    def close(self) -> None:
        """Store what is queued, then stop. Idempotent."""
