"""A new ticket for the seat that is registered under an account's name: its owner may have lost the old one, or was
registered by somebody else. Not here: who is the owner (gateway.accounts)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.lobby.lobby import ticket_digest
from gateway.server.at_once import TRY_AGAIN
from gateway.server.requests import Reissue, check_granted
from gateway.server.scribe import NotStored, say_not_stored
from gateway.store.records import Conflict, TicketRow
from protocols.core.errors import Refused, Why

if TYPE_CHECKING:
    from gateway.server.table_task import TableTask


async def ask(table: TableTask, name: str, ticket: str) -> int:
    """Make ``ticket`` the one of the seat that is registered for ``name``; the seat. Refused: there is none."""
    request = Reissue(name, ticket)
    await table.put(request)
    await request.done.wait()
    check_granted(request)
    return request.seat


async def serve(table: TableTask, request: Reissue) -> None:
    """Serve a Reissue: the new ticket is stored in place of the old one. Whoever sits there stays."""
    number, names = table.state.table, [name.casefold() for name in table.state.registered]
    try:
        if request.name.casefold() not in names:
            raise Refused(Why.NOT_SEATED, f"no seat of table {number} is registered for {request.name}")
        seat = names.index(request.name.casefold())
        await table.ledger.write([], tickets=(TicketRow(ticket_digest(request.ticket), number, seat),))
        table.house.lobby.revoke(number, seat)
        table.house.lobby.issue(request.ticket, number, seat)
        request.seat = seat
    except Refused as refused:
        request.refused = refused
    except NotStored as error:
        say_not_stored(error, table=number)
        request.refused = Refused(Why.OVERLOAD, TRY_AGAIN)
    except Conflict:
        request.refused = Refused(Why.OVERLOAD, TRY_AGAIN)
        raise
    finally:
        request.done.set()
