"""Steps of made-up tables, for tests of the record: their contents do not matter there, their order does."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.store import codec
from gateway.store.records import Append, SeatRow, StoredEvent, TableRow, TicketRow
from protocols.core.events import Event, Said

AT = 1_770_000_000.25
SECRET = bytes(range(32))


def said(*words: str) -> tuple[Event, ...]:
    return tuple(Said(0, "all", word) for word in words)


def opening(table: int, *words: str, epoch: int = 1, seats: Sequence[SeatRow] = ()) -> Append:
    """The first step of a table: its row, and an event a word."""
    row = TableRow(table, epoch, "open", "tic_tac_toe", "standard", SECRET, AT)
    rows = codec.rows(codec.GENESIS, table, 0, AT, said(*words))
    return Append(table, epoch, 0, rows, opened=row, seats=tuple(seats))


def later(
    before: Append,
    *words: str,
    epoch: int | None = None,
    status: str | None = None,
    seats: Sequence[SeatRow] = (),
    tickets: Sequence[TicketRow] = (),
    revoked: tuple[int, ...] = (),
) -> Append:
    """The step that follows ``before`` at its table, an event a word."""
    assert before.table is not None
    after = before.after + len(before.rows)
    digest = before.rows[-1].digest if before.rows else codec.GENESIS
    rows = codec.rows(digest, before.table, after, AT, said(*words))
    epoch = before.epoch if epoch is None else epoch
    changes = {"seats": tuple(seats), "tickets": tuple(tickets), "revoked": revoked}
    return Append(before.table, epoch, after, rows, None, status, **changes)  # type: ignore[arg-type]


def words(stored: Sequence[StoredEvent]) -> list[str]:
    """The deliveries, in order."""
    return [event.event.text for event in stored if isinstance(event.event, Said)]
