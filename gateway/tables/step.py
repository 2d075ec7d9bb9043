"""Plans one step of a table: from a draft to what is stored, told and reported.

``plan`` is pure. The table's task and the fast path alike store a planned step and then carry it out (runner.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from gateway.lobby.claims import TicketClaim
from gateway.store.records import UNCHANGED, USED, Append, RowChanges, SeatRow, TicketRow
from gateway.table.draft import Draft
from gateway.table.state import State, Status
from gateway.tables.noticing import notices, seen, turn_changes
from gateway.tables.requests import Sit
from protocols.core.events import Event, SeatsTurned
from protocols.core.model import SeatKind

_OVER: Final = (Status.OVER, Status.CLOSED)


class Step(msgspec.Struct):
    """A decided step.

    ``rows`` are UNCHANGED by most steps. ``addresses`` are by seat, of clients that may be unable to keep a ticket,
    after the step. ``turned``: all players move so many seats on. ``decided`` and ``evolved`` are when it was, in
    trio's seconds; ``append`` is what was stored of it, None where nothing was yet.
    """

    before: State
    after: State
    events: list[Event]
    addresses: list[str]
    sit: Sit | None = None
    rows: RowChanges = UNCHANGED
    turned: int = 0
    decided: float = 0.0
    append: Append | None = None
    evolved: float = 0.0


def plan(draft: Draft, before: State, addresses: list[str], sit: Sit | None = None, leaves: int | None = None) -> Step:
    """The step from ``before`` to the draft's state.

    ``sit`` is the request that it serves, if it seats a client; ``leaves`` the seat whose holder goes for good
    and keeps no ticket for it.
    """
    after, events = draft.state, draft.events
    if after.seats is before.seats and after.status is before.status and sit is None:
        return Step(before, after, events, addresses, rows=turn_changes(before, after))
    by = _turned(events)
    held = list(addresses)
    if sit is not None:
        held[sit.taken(events)] = sit.newcomer.address if sit.join.by_address else ""
    held = held[-by:] + held[:-by]
    return Step(before, after, events, held, sit, _row_changes(before, draft, held, sit, leaves, by), by)


def _row_changes(
    before: State, draft: Draft, held: Sequence[str], sit: Sit | None, leaves: int | None, by: int
) -> RowChanges:
    after = draft.state
    tickets: tuple[TicketRow, ...] = ()
    revoked: tuple[int, ...] = ()
    if sit is not None:
        seat = sit.taken(draft.events)
        if sit.ticket is not None:
            tickets = (TicketRow(sit.ticket.digest, after.table, seat),)
            if isinstance(sit.claim, TicketClaim):
                tickets += (TicketRow(sit.claim.digest, after.table, USED),)
        if sit.seat is None or sit.ticket is not None:
            revoked = (seat,)  # earlier holders have no claim to it any more
    if leaves is not None and after.seats[(leaves + by) % len(after.seats)].kind is SeatKind.OPEN:
        revoked = (leaves,)  # by its number before the seats turned, as tickets have them still
    seats: tuple[SeatRow, ...] = ()
    changed = after.seats is not before.seats or before.status in _OVER
    if changed and not (before.status in _OVER and after.status in _OVER):
        seats = tuple(  # once a game is over, its players stay written until the next
            SeatRow(seat.index, seat.kind, seat.name, address) for seat, address in zip(after.seats, held, strict=True)
        )
    status = None
    if after.status is not before.status:
        status = "over" if after.status is Status.CLOSED else after.status.value
    return RowChanges(
        status=status,
        seats=seats,
        tickets=tickets,
        revoked=revoked,
        turned=by,
        seen=seen(before, after, draft.events),
        notices=notices(before, after, draft.events),
    )


def _turned(events: Sequence[Event]) -> int:
    return next((event.by for event in events if isinstance(event, SeatsTurned)), 0)
