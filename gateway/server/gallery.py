"""Those who look on at a table: how they come in, and what they may say. Not here: telling them events (cursors.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog

from gateway.server.about import about
from gateway.server.connection import Connection
from gateway.server.cursors import OBSERVERS, Cursors, meant_for
from gateway.server.requests import Look
from gateway.store.records import Unreadable
from gateway.table.decide import one_line
from protocols.core.commands import Command, Say
from protocols.core.errors import Refused, Why
from protocols.core.events import Event, Said
from protocols.core.told import Seated

if TYPE_CHECKING:
    from gateway.server.table_task import TableTask

NOT_NOW: Final = "the record cannot be read now, try again"

_log = structlog.get_logger()


async def show(table: TableTask, request: Look) -> None:
    """Serve a Look: nothing happens at the table, so nothing is stored."""
    try:
        if table.state.house.private or table.cursors.crowded:
            raise Refused(Why.TABLE_FULL, "nobody more may look on at this table")
        past = tuple(event for event in await table.ledger.read() if _public(event))
        request.connection.table = table
        table.cursors.watch(request.connection, request.name)
        request.connection.tell([Seated(table.state.table, None, (*past, *table.turn()))])
    except Refused as refused:
        request.refused = refused
    except (Unreadable, ValueError) as error:
        _log.error("nobody can look on", error=str(error), **about(request.connection, table))
        request.refused = Refused(Why.OVERLOAD, NOT_NOW)
    finally:
        request.done.set()


def listen(cursors: Cursors, observer: Connection, name: str, command: Command) -> None:
    """Observers may talk among themselves; nothing of it is kept."""
    try:
        if not isinstance(command, Say) or command.to != OBSERVERS:
            raise Refused(Why.NOT_SEATED, "you look on; observers talk to observers only")
        observer.paced(command)
        cursors.tell([Said(None, OBSERVERS, one_line(command.text), name)])
    except Refused as refused:
        observer.refuse(refused.why, refused.text)


def _public(event: Event) -> bool:
    """Whether an observer hears of it."""
    return type(event) is not Said or meant_for(event, None)
