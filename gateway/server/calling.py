"""Calling those who wait for a game to another table: what the lobby says of it, done by the tables' tasks.

A table lets go of whom it calls, in its own turn and only while its game has not begun; the dialect then asks for a
seat like a newcomer. Not here: who can play whom (gateway.lobby.matching).
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import structlog
import trio

from gateway.server.about import about
from gateway.server.requests import Call, Sit
from gateway.server.scribe import NotStored
from gateway.table.decide import decide
from gateway.table.draft import Draft
from gateway.table.state import Status
from protocols.core.commands import Propose
from protocols.core.errors import Refused, Why
from protocols.core.proposals import Start
from protocols.core.told import Unmatched

if TYPE_CHECKING:
    from gateway.server.connection import Connection
    from gateway.server.house import House
    from gateway.server.table_task import TableTask

_log = structlog.get_logger()


def look_around(house: House, table: int) -> None:
    """Call whom the lobby wants called after a step at ``table``, and tell a peer that waits in vain."""
    for number, seat in house.lobby.calls(table):
        task = house.tables.get(number)
        connection = None if task is None else task.cursors.at(seat)
        if task is not None and connection is not None:
            house.look_after(task.put_late, Call(connection))
    for number, seat, others in house.lobby.unmatched():
        task = house.tables.get(number)
        connection = None if task is None else task.cursors.at(seat)
        if connection is not None:
            connection.tell([Unmatched(tuple(others))])


def lost(house: House, connection: Connection) -> None:
    """A connection has ended, perhaps on the way to another table: whoever waits there is played by the next one."""
    if connection.party is not None and connection.party.called is not None:
        house.lobby.settled(connection.party)
        look_around(house, 0)


async def evict(house: House, table: TableTask, number: int) -> None:
    """Call the connection of that number away from a table, where another one comes to play who sits there."""
    found = next((connection for connection in house.connections if connection.number == number), None)
    if found is not None:
        await table.put(Call(found))


def check(table: TableTask, request: Sit) -> None:
    """Refused (TABLE_FULL): a party that cannot be called later would sit apart from one that it matches."""
    party = request.connection.party if request.seat is None else None
    if party is not None and table.house.lobby.strays(table.state, party):
        raise Refused(Why.TABLE_FULL, "the player whom you match waits at another table")


async def renew(table: TableTask, take: Callable[[Draft], Awaitable[None]]) -> None:
    """A peer that sat down ready wants what it wanted, also after another one declined that and left: it is proposed
    again, at a registered table as well."""
    found = table.house.lobby.lapsed(table.state.table) or _void(table)
    if found is not None and table.state.status is Status.OPEN:
        with contextlib.suppress(Refused, NotStored):
            await take(decide(table.state, found[0], Propose(found[1]), trio.current_time()))


def _void(table: TableTask) -> tuple[int, Start] | None:
    """A seat at a registered table that sat down ready and proposes nothing; and what it wants."""
    state = table.state
    if not any(state.registered):
        return None
    starts = {made.seat for made in state.proposals if isinstance(made.proposal, Start)}
    for seat in range(len(state.seats)):
        connection = table.cursors.at(seat)
        if connection is not None and connection.ready and seat not in starts:
            return seat, Start()
    return None


def goes(table: TableTask, connection: Connection) -> bool:
    """Whether ``connection`` still sits at ``table`` before any game, with a reason to go."""
    if connection.table is not table or connection.seat is None or table.state.status is not Status.OPEN:
        return False
    if not table.house.lobby.leaves(table.state.table, connection.seat):
        look_around(table.house, table.state.table)
        return False
    name = table.state.seats[connection.seat].name
    _log.info("called to another table", name=name, **about(connection))
    return True
