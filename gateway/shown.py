"""A table as programs are shown it: plain JSON values of what the record says. Secrets are in none of it.

Not here: reading the record (store/views.py), and how it is drawn for people (gateway.cli).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from gateway import registry
from gateway.store.views import TableView, moment
from gateway.table import time_text
from gateway.table.evolve import replay
from gateway.table.state import State
from protocols.core.events import Event, GameStarted, MoveMade, MovesTakenBack, SeatTaken


def tree(view: TableView) -> dict[str, Any]:
    """A table as a list shows it."""
    seats = [{"seat": seat.seat, "kind": seat.kind.name.lower(), "name": seat.name} for seat in view.seats]
    return {
        "table": view.table,
        "state": view.status,
        "game": view.game,
        "variant": view.variant,
        "opened_at": moment(view.opened_at),
        "events": view.events,
        "private": view.private,
        "seats": seats,
    }


def agreed(view: TableView) -> dict[str, Any]:
    """What the table's game is played by, before the first what it was opened for; nulls where no record says."""
    settings = view.settings
    return {
        "time": time_text.spell(settings.time) if settings is not None else None,
        "rated": settings.rated if settings is not None else None,
        "options": dict(settings.options) if settings is not None else None,
    }


def replayed(view: TableView, events: Iterable[Event]) -> State:
    """The table's state after its record; whatever is wrong with a record is raised as it comes (audit.NONSENSE)."""
    return replay(view.table, registry.game(view.game), b"", events)


def moves_of(events: Iterable[Event]) -> list[MoveMade]:
    """The moves of the running or last game, without those taken back."""
    moves: list[MoveMade] = []
    for event in events:
        match event:
            case GameStarted():
                moves = []
            case MoveMade():
                moves.append(event)
            case MovesTakenBack(plies=plies):
                del moves[len(moves) - plies :]
    return moves


def players_of(seats: int, events: Iterable[Event]) -> list[str]:
    """The name of whoever sat last on each seat, "" where nobody ever did: after a game the seats themselves empty."""
    players = [""] * seats
    for event in events:
        if isinstance(event, SeatTaken):
            players[event.seat] = event.name
    return players


def game_tree(state: State, moves: Iterable[MoveMade]) -> dict[str, Any]:
    """The running or last game; nulls before the first."""
    played = state.position is not None
    return {
        "position": state.game.text(state.position) if played else None,
        "diagram": state.game.diagram(state.position).splitlines() if played else None,
        "turn": state.turn,
        "moves": [{"seat": made.seat, "notation": made.notation} for made in moves],
        "outcome": asdict(state.outcome) if state.outcome is not None else None,
    }
