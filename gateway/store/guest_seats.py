"""Seats that accounts have kept from the time when their people were guests.

A row joins an account with a ticket; the ticket's own row says for which seat it stands, so a seat that another person
has taken since is not kept. The first account that keeps a ticket has it for good.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, Engine, delete, select, text

from gateway.store.records import USED
from gateway.store.schema import guest_seats, scores, tickets

_KEEP: Final = text(
    "INSERT INTO guest_seats (table_id, digest, folded, kept_at) "
    "SELECT table_id, digest, CAST(:folded AS VARCHAR), CAST(:now AS DOUBLE PRECISION) FROM tickets "
    f"WHERE table_id = :table AND digest = :digest AND seat <> {USED} ON CONFLICT DO NOTHING"
)


class GuestTicket(NamedTuple):
    """The ticket of a seat of this table, by its SHA-256."""

    table: int
    digest: bytes


class KeptSeat(NamedTuple):
    """A seat that an account has kept, and the digest of its ticket."""

    table: int
    seat: int
    digest: bytes


def keep(connection: Connection, name: str, kept: Sequence[GuestTicket], now: float) -> None:
    """The account of this name has these seats from now on. A ticket that stands for none, or is kept, is left out.

    What was counted of those tables is counted anew.
    """
    numbers = [table for table, _ in kept]
    old = (scores.c.folded == name.casefold()) & scores.c.table_id.in_(numbers)
    connection.execute(delete(scores).where(old))
    for table, digest in sorted(kept):
        connection.execute(_KEEP, {"folded": name.casefold(), "now": now, "table": table, "digest": digest})


def kept_seats(reading: Engine, name: str, numbers: Sequence[int]) -> list[KeptSeat]:
    """The seats at these tables that the account of this name has kept, by rising table and seat."""
    same = (tickets.c.table_id == guest_seats.c.table_id) & (tickets.c.digest == guest_seats.c.digest)
    wanted = select(guest_seats.c.table_id, tickets.c.seat, guest_seats.c.digest).join(tickets, same)
    wanted = wanted.where(guest_seats.c.folded == name.casefold(), tickets.c.seat != USED)
    wanted = wanted.where(guest_seats.c.table_id.in_(numbers)).order_by(guest_seats.c.table_id, tickets.c.seat)
    with reading.connect() as connection:
        return [KeptSeat(*row) for row in connection.execute(wanted)] if numbers else []
