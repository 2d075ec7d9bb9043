"""What a step changes in the record beside its events: the table's status, its seats, the tickets for them.

Not here: storing it (ledger.py), deciding any of it (gateway.table).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from gateway.lobby.lobby import ticket_digest
from gateway.server.requests import Sit
from gateway.store.records import SeatRow, TicketRow
from gateway.table.draft import Draft
from gateway.table.state import State, Status
from protocols.core.events import Event, SeatsTurned

_OVER: Final = (Status.OVER, Status.CLOSED)


class Beside(NamedTuple):
    """As ``Ledger.write`` takes it; see gateway.store.records.Append."""

    status: str | None
    seats: tuple[SeatRow, ...]
    tickets: tuple[TicketRow, ...]
    revoked: tuple[int, ...]
    turned: int


def addresses(before: Sequence[str], draft: Draft, request: Sit | None) -> list[str]:
    """By seat, the addresses of those who may be unable to keep a ticket, after the step."""
    after = list(before)
    if request is not None:
        after[request.taken(draft.events)] = request.connection.address if request.join.by_address else ""
    by = turned(draft.events)
    return after[-by:] + after[:-by]


def beside(before: State, draft: Draft, held: Sequence[str], request: Sit | None) -> Beside:
    """What goes with the step from ``before``; ``held`` are the addresses after it."""
    after = draft.state
    tickets: tuple[TicketRow, ...] = ()
    revoked: tuple[int, ...] = ()
    if request is not None:
        seat = request.taken(draft.events)
        if request.ticket:
            tickets = (TicketRow(ticket_digest(request.ticket), after.table, seat),)
        if request.seat is None:
            revoked = (seat,)  # who held it before has no claim to it any more
    seats: tuple[SeatRow, ...] = ()
    changed = after.seats is not before.seats or before.status in _OVER
    if changed and not (before.status in _OVER and after.status in _OVER):
        seats = tuple(  # once a game is over, who played stays written until the next
            SeatRow(place.index, place.kind, place.name, address)
            for place, address in zip(after.seats, held, strict=True)
        )
    status = None
    if after.status is not before.status:
        status = "over" if after.status is Status.CLOSED else after.status.value
    return Beside(status, seats, tickets, revoked, turned(draft.events))


def turned(events: Sequence[Event]) -> int:
    """By how many seats everybody moved on."""
    return next((event.by for event in events if isinstance(event, SeatsTurned)), 0)
