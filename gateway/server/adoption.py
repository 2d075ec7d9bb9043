"""After a restart: every table of the record that is not over is taken over, and its seats wait for their players.

Not here: what becomes of a table then (gateway.table.seating.adopt).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway import registry
from gateway.server.ledger import Ledger
from gateway.server.table_task import TableTask
from gateway.store.records import TableRow, Unreadable
from gateway.table.evolve import replay
from gateway.table.state import waiting
from protocols.core.errors import BoardgateError

if TYPE_CHECKING:
    from gateway.server.house import House

SHOWN: Final = 1000
"""Tables between two lines about how far it is: a second's work or so."""

_log = structlog.get_logger()


class DatabaseGone(BoardgateError):
    """The database has answered, and does not any more; the next start takes over what is left."""


async def adopt(house: House) -> None:
    """Take every unfinished table over under a new epoch. One whose record cannot be read is logged and left alone.

    DatabaseGone: none can be read, and a server without its games would be no use to anybody.
    """
    rows = await house.scribe.call(house.scribe.log.claim)
    for count, row in enumerate(rows, 1):
        try:
            await _adopt_in_two_tries(house, row)
        except DatabaseGone:
            raise
        except Exception as error:
            _log.error("a table cannot be read and is left alone", table=row.table, error=repr(error))
        if count % SHOWN == 0:
            _log.info("tables taken over", count=count, of=len(rows))
    if rows:
        _log.info("tables taken over", count=len(house.tables), of=len(rows))


async def _adopt_in_two_tries(house: House, row: TableRow) -> None:
    """The connection may have been lost, and not the record: then the database answers the next one."""
    for last in (False, True):
        try:
            await _adopt_one(house, row)
        except (Unreadable, SQLAlchemyError) as error:
            await _require_an_answer(house)
            if last:
                raise
            _log.warning("a table could not be read, once more", table=row.table, error=str(error))
        else:
            return


async def _require_an_answer(house: House) -> None:
    try:
        await house.scribe.call(house.scribe.log.last_table)
    except SQLAlchemyError as error:
        said, *_ = str(getattr(error, "orig", None) or error).splitlines()
        raise DatabaseGone(f"the database failed while its tables were taken over: {said}") from error


async def _adopt_one(house: House, row: TableRow) -> None:
    scribe = house.scribe
    record = await scribe.read(row.table)
    state = replay(row.table, registry.game(row.game), row.secret, [stored.event for stored in record])
    state = waiting(state, trio.current_time() + state.house.waits_s - (time.time() - row.opened_at))
    ledger = Ledger(scribe, row.table, row.epoch)
    ledger.go_on_after(record[-1].seq, record[-1].digest)
    addresses = [""] * len(state.seats)
    for seat in await scribe.call(scribe.log.seats, row.table):
        addresses[seat.seat] = seat.address
    tickets = await scribe.call(scribe.log.tickets, row.table)
    house.lobby.restore((ticket.digest, ticket.table, ticket.seat) for ticket in tickets)
    await house.take_over(TableTask(house, state, ledger, addresses))
