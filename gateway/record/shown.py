"""Shows a table to programs: plain JSON values of its record, without any secret.

gateway.cli draws it for people.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from gateway import registry
from gateway.store.views import TableView, moment
from gateway.table.evolve import replay
from gateway.table.state import State
from gateway.table.writing import moves_of
from protocols.core import time_text
from protocols.core.events import Event, SeatsTurned, SeatTaken


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
    """The settings of the table's game, before the first those it was opened for; nulls where no record says."""
    settings = view.settings
    return {
        "time": time_text.spell(settings.time) if settings is not None else None,
        "rated": settings.rated if settings is not None else None,
        "options": dict(settings.options) if settings is not None else None,
    }


def replayed(view: TableView, events: Iterable[Event]) -> State:
    """The table's state after its record; a bad record raises the errors of audit.NONSENSE.

    Refused (NOT_INSTALLED): its game is not installed here.
    """
    return replay(view.table, registry.game_of_record(view.game), b"", events)


def players_of(seats: int, events: Iterable[Event]) -> list[str]:
    """The name of each seat's last player, "" if none: after a game the seats themselves empty."""
    players = [""] * seats
    for event in events:
        match event:
            case SeatTaken(seat=seat, name=name):
                players[seat] = name
            case SeatsTurned(by=by):
                players = [players[(seat - by) % seats] for seat in range(seats)]
    return players


def game_tree(state: State) -> dict[str, Any]:
    """The running or last game; nulls before the first."""
    played = state.position is not None
    return {
        "position": state.game.text(state.position) if played else None,
        "diagram": state.game.diagram(state.position).splitlines() if played else None,
        "turn": state.turn,
        "moves": [
            {"seat": seat, "move": msgspec.structs.asdict(move), "notation": notation}
            for seat, move, notation in moves_of(state)
        ],
        "decisive": list(state.game.decisive(state.position)) if state.outcome is not None else [],
        "outcome": None if state.outcome is None else msgspec.to_builtins(state.outcome),
    }
