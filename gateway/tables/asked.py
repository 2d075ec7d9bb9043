"""Asks a table for what requests ask that come from no client there: a move, a ticket, its end, a word to its player.

``AskedTable`` is the contract; ``AskedHere`` fulfils it for a table that runs here, gateway.cluster for those of other
nodes, ``AskedAnywhere`` for one that may change its node meanwhile.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar

import trio

from gateway.lobby.claims import Ticket
from gateway.table import seating
from gateway.table.refusals import NOT_STORED, AskElsewhere, TableClosed, TryAgain, away, closed_here, try_again
from gateway.table.state import Status
from gateway.tables.mover import Mover
from gateway.tables.runner import TableRunner
from protocols.core.commands import PlayMove
from protocols.core.errors import Refused, Why
from protocols.core.events import Said
from protocols.core.model import SeatKind

T = TypeVar("T")
R = TypeVar("R")

MOVES_S: Final = 8.0
"""Seconds within which a move is asked again of the nodes that have the table: longer than it takes to take it over."""

AGAIN_S: Final = 0.25
"""Seconds until then."""


class Moved(NamedTuple):
    """The table behind a move: moves made, whose turn it is, and its status."""

    ply: int
    turn: int | None
    status: Status


class AskedTable(Protocol):
    """A table of any node. Refused (TABLE_FULL): it is over; (OVERLOAD): its node does not answer just now."""

    async def move(self, seat: int, address: str, move: PlayMove, since: float, id: int) -> Moved:
        """Make a move of ``seat``, heard at ``since``; it is stored and told. Refused: it was not made.

        By its ``id`` it is made once, however many nodes are asked; 0: no other node is there to ask.
        """

    async def reissue(self, name: str, ticket: Ticket) -> int:
        """Make ``ticket`` the one of the seat that is registered for ``name``; the seat. Refused: there is none."""

    async def supersede(self, game: str) -> None:
        """End the abandoned game of two who are registered anew. Refused (NAME_TAKEN): it is not, or another game."""

    async def end_by_host(self, reason: str) -> str:
        """End the table for the host; the name of its game."""

    async def whisper(self, words: Said) -> None:
        """Say this to its player ``words.to`` alone; it is in no record. Refused (NOT_NOW): it is not heard."""


class AskedHere:
    """A table that runs here."""

    def __init__(self, table: TableRunner) -> None:
        self._table = table

    async def move(self, seat: int, address: str, move: PlayMove, since: float, id: int) -> Moved:
        table = self._table
        if id in table.journal.served:  # the node that had the table before was asked, too
            return Moved(table.state.ply, table.state.turn, table.state.status)
        if table.state.seats[seat].kind not in (SeatKind.PLAYER, SeatKind.RESERVED):
            raise Refused(Why.NOT_NOW, f"seat {seat} was given up: take it back first")
        mover = Mover(table, seat, address, id)
        with table.subscribers.asking(mover):
            if not table.play_now(mover, move, since):
                await table.ask(mover, move, since)
            await mover.done.wait()
        return _moved(mover, seat)

    async def reissue(self, name: str, ticket: Ticket) -> int:
        return await self._table.reissue(name, ticket)

    async def supersede(self, game: str) -> None:
        if self._table.state.game.name != game:
            raise Refused(Why.NAME_TAKEN, f"table {self._table.state.table} is for another game")
        await self._table.end(seating.supersede)

    async def end_by_host(self, reason: str) -> str:
        await self._table.end(partial(seating.end_by_host, reason=reason))
        return self._table.state.game.name

    async def whisper(self, words: Said) -> None:
        called = words.to.casefold()
        seat = next((seat for seat in self._table.state.seats if seat.name.casefold() == called), None)
        client = None if seat is None else self._table.subscribers.at(seat.index)
        if seat is None or client is None:
            raise away(words.to)
        await client.hears(replace(words, to=seat.name))


Look: TypeAlias = Callable[[bool], Awaitable[T | None]]
"""Finds a table: as was heard, or, with True, by the database. None: it is over. Refused (OVERLOAD): not just now."""


async def anywhere(look: Look[T], ask: Callable[[T], Awaitable[R]]) -> R:
    """Ask a table that may go to another node meanwhile. Refused as by both; (TABLE_FULL): it is over."""
    for anew in (False, True, True):
        table = await look(anew)
        if table is None:
            raise closed_here()
        try:
            return await ask(table)
        except TableClosed:
            continue
    raise try_again(NOT_STORED)


class AskedAnywhere:
    """A table that ``look`` finds for each request, as AskedTable has them. ``next_id`` gives a move its id."""

    def __init__(self, look: Look[AskedTable], next_id: Callable[[], int]) -> None:
        self._look = look
        self._next_id = next_id

    async def move(self, seat: int, address: str, move: PlayMove, since: float) -> Moved:
        """As there. Who has the table next is asked if its node is lost: then it may have gone on since."""
        id, until = self._next_id(), trio.current_time() + MOVES_S
        while True:
            try:
                return await self._ask(lambda table: table.move(seat, address, move, since, id))
            except AskElsewhere:
                if not id or trio.current_time() >= until:
                    raise
            await trio.sleep(AGAIN_S)

    async def reissue(self, name: str, ticket: Ticket) -> int:
        return await self._ask(lambda table: table.reissue(name, ticket))

    async def supersede(self, game: str) -> None:
        await self._ask(lambda table: table.supersede(game))

    async def end_by_host(self, reason: str) -> str:
        return await self._ask(lambda table: table.end_by_host(reason))

    async def whisper(self, words: Said) -> None:
        await self._ask(lambda table: table.whisper(words))

    async def _ask(self, ask: Callable[[AskedTable], Awaitable[R]]) -> R:
        return await anywhere(self._look, ask)


def _moved(mover: Mover, seat: int) -> Moved:
    """Refused: the move was not made."""
    if (refused := mover.refused) is not None:
        kept = type(refused) if isinstance(refused, TryAgain | AskElsewhere) else Refused
        raise kept(Why.OVERLOAD if kept is TryAgain else refused.why, refused.text)
    state = mover.after
    if state is None:
        raise closed_here()
    if not mover.made:
        raise Refused(Why.NOT_PLAYING, "the time of this seat was up")
    return Moved(state.ply, state.turn, state.status)
