"""Serves how clients and tables arrive: observers, clients that come with their table, new tickets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import trio

from gateway.commits.commit_queue import Late
from gateway.lobby.lobby import Lobby
from gateway.store.records import RowChanges, TicketRow
from gateway.table import seating
from gateway.table.decide import decide, tick
from gateway.table.draft import Draft
from gateway.table.state import State, Status, seats_of
from gateway.tables import requests, spectators
from gateway.tables.journal import Journal
from gateway.tables.recovery import Adoption
from gateway.tables.requests import Back, Give, Look, Reissue
from gateway.tables.seams import Table
from gateway.tables.step import Step
from gateway.tables.subscribers import Subscribers
from protocols.core.commands import Command, Join, Leave
from protocols.core.errors import Refused, Why
from protocols.core.model import SeatKind


class Receiving(Table, Protocol):
    """The side of a table that clients arrive at."""

    subscribers: Subscribers
    journal: Journal
    late: Late

    async def take(self, draft: Draft) -> Step:
        """Store the draft's step, then carry it out. NotStored: nothing has changed."""


async def show(table: Receiving, request: Look) -> None:
    """Nothing happens at the table, so nothing is stored. Refused: it is private, or crowded."""
    house = table.state.house
    if (house.private and not house.watched) or table.subscribers.crowded:
        raise Refused(Why.TABLE_FULL, "nobody more may look on at this table")
    record = await table.journal.read(table.state.game)
    requests.check_present(request.newcomer)
    request.newcomer.seated(table, None, name=request.name)
    table.subscribers.watch(request.newcomer, request.name)
    request.newcomer.tell([spectators.seated(table.state, None, record, trio.current_time())])


def adopted(state: State, adoption: Adoption, ticketed: frozenset[int]) -> Draft:
    """A table of another process is this one's: graces and waits that have ended meanwhile are over."""
    now = trio.current_time()
    draft = seating.adopt(state, now, *adoption)
    due = tick(draft.state, now, ticketed)
    draft.events += due.events
    draft.state = due.state
    return draft


async def take_back(table: Receiving, request: Back) -> Sequence[tuple[Command, float]]:
    """Attach a client that came with its table; what it has asked, and when. Refused: it has ended, or another has its
    seat."""
    subscriber, seat = request.subscriber, request.seat
    requests.check_present(subscriber)
    if seat is not None:
        seat = _seat_now(table.state, seat, request.name)
        held = table.state.seats[seat]
        theirs = held.name == request.name and held.kind in (SeatKind.PLAYER, SeatKind.RESERVED)
        there = table.subscribers.at(seat)
        if there is subscriber:
            return ()  # it was seated meanwhile
        if not theirs or there is not None:
            raise Refused(Why.TABLE_FULL, "this seat has been taken meanwhile")
        if held.kind is SeatKind.RESERVED:
            join = Join(table.state.game.name, held.name, program=subscriber.program)
            await table.take(decide(table.state, seat, join, trio.current_time()))
    asked = () if request.catch_up is None else await request.catch_up(table.journal.seq)
    subscriber.seated(table, seat, ready=subscriber.ready, name=request.name)
    if seat is None:
        table.subscribers.watch(subscriber, request.name)
    else:
        table.subscribers.attach(subscriber, seat)
    return asked


def _seat_now(state: State, seat: int, name: str) -> int:
    """The seat of a player who was at ``seat``: the client may not have been told yet that all moved on."""
    if state.seats[seat].name == name:
        return seat
    return next((held.index for held in state.seats if held.name == name), seat)


async def miss(table: Receiving) -> None:
    """Players who have not come with their table have lost their connection."""
    for seat in seats_of(table.state, SeatKind.PLAYER):
        if table.subscribers.at(seat) is None:
            await table.take(decide(table.state, seat, Leave(lost=True), trio.current_time()))


async def give(table: Receiving, request: Give) -> None:
    """Make the table another node's. Refused: nothing of it is stored, or it could not be given."""
    if table.journal.blank or table.state.status is Status.CLOSED:
        raise Refused(Why.NOT_NOW, "nothing of this table is stored")
    if not table.journal.settled:
        await table.journal.write([], late=table.late)
    if not await request.give(table.journal.epoch, table.journal.seq):
        raise Refused(Why.NOT_NOW, "the table could not be given away")


async def reissue(table: Receiving, lobby: Lobby, request: Reissue) -> None:
    """Store the new ticket in place of the old one. The player who sits there stays."""
    number, names = table.state.table, [name.casefold() for name in table.state.registered]
    if request.name.casefold() not in names:
        raise Refused(Why.NOT_SEATED, f"no seat of table {number} is registered for {request.name}")
    seat = names.index(request.name.casefold())
    tickets = (TicketRow(request.ticket.digest, number, seat),)
    await table.journal.write([], RowChanges(tickets=tickets), late=table.late)
    lobby.revoke(number, seat)
    lobby.issue(request.ticket.digest, number, seat)
    request.seat = seat
