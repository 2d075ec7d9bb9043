"""Finds what a step of a table is news of, for players who may be away: it becomes rows with the step (notices).

A notice names a seat. Whose seat that is, and whether its player sits there, is asked when the notice is sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gateway.store.records import UNCHANGED, Notice, RowChanges
from gateway.table.state import State, Status, by_days
from protocols.core.events import Event, SeatsTurned, SeatTaken
from protocols.core.model import SeatKind

_AWAY: Final = (SeatKind.RESERVED, SeatKind.ABANDONED)
_OVER: Final = (Status.OVER, Status.CLOSED)


def turn_changes(before: State, after: State) -> RowChanges:
    """The changes of a step that changed no seat: in a correspondence game the next player is told of its turn."""
    if before.turn == after.turn or not by_days(after):
        return UNCHANGED
    return RowChanges(notices=tuple(_turn(before, after)), seen=_moved(before))


def notices(before: State, after: State, events: Sequence[Event]) -> tuple[Notice, ...]:
    """The news of a step that may have changed seats, for the players of this table."""
    if after.status in _OVER:
        return ()
    told = [notice for event in events if isinstance(event, SeatTaken) for notice in _came(before, after, event)]
    begun = before.status is not Status.PLAYING or before.turn != after.turn
    turns = _turn(before, after) if begun and by_days(after) else ()
    found = {notice.seat: notice for notice in (*told, *turns)}
    return tuple(found.values())


def seen(before: State, after: State, events: Sequence[Event]) -> tuple[int, ...]:
    """The seats whose notices are out of date: their players came or moved, or all of the table is another."""
    if after.status in _OVER or any(isinstance(event, SeatsTurned) for event in events):
        return tuple(range(len(after.seats))) if before.games or before.registered else ()
    came = {
        event.seat
        for event in events
        if isinstance(event, SeatTaken) and (before.seats[event.seat].kind is not SeatKind.OPEN or before.house.private)
    }
    if by_days(before) and before.turn != after.turn:
        came.update(_moved(before))
    return tuple(sorted(came))


def _moved(before: State) -> tuple[int, ...]:
    return () if before.turn is None else (before.turn,)


def _turn(before: State, after: State) -> Iterator[Notice]:
    """The player to move, where that is a person."""
    if after.status is Status.PLAYING and after.turn is not None and after.seats[after.turn].kind is not SeatKind.BOT:
        yield Notice(after.turn, "turn")


def _came(before: State, after: State, event: SeatTaken) -> Iterator[Notice]:
    """The others, of a person who sat down. In a correspondence game players come and go as they like.

    Whoever leaves a private table before its game has an open seat there, which a ticket stands for.
    """
    was = before.seats[event.seat]
    if event.kind is not SeatKind.PLAYER or was.kind is SeatKind.PLAYER:
        return
    came_first = was.kind is SeatKind.OPEN or (before.status is Status.OPEN and not before.sat[event.seat])
    if not came_first and before.status is Status.PLAYING and by_days(before):
        return
    for seat in after.seats:
        if seat.index == event.seat or seat.index in after.withdrawn:
            continue
        invited = came_first and before.house.private and seat.kind in (SeatKind.PLAYER, SeatKind.OPEN)
        if seat.kind in _AWAY or invited:
            yield Notice(seat.index, "joined" if came_first else "back")
