"""Reads the games of a table from its record: players, every move that counts, clocks, result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from gateway.games.base import Claim, Game, Played, PlayedMove
from gateway.store.records import StoredEvent
from gateway.table.writing import written
from protocols.core import events as ev
from protocols.core.model import Clock, TimeKind
from protocols.core.proposals import Score


@dataclass(slots=True)
class _Fold:
    """The replay so far: the ``names`` on the seats now, and the game that was begun last, None before the first."""

    names: list[str]
    game: Played | None = None


def games(game: Game[Any], table: int, site: str, record: Iterable[StoredEvent]) -> Iterator[Played]:
    """Every game of a table, in order, the running one among them; ``site`` is the server's name.

    The names are those of the players who began the game: who took a seat over later finished it for them.
    """
    fold, stored_events = _Fold([]), list(record)
    written(game, [stored.event for stored in stored_events])
    for stored in stored_events:
        match stored.event:
            case ev.TableOpened(settings=settings):
                fold.names = [""] * settings.seats
            case ev.SeatTaken(seat=seat, name=name):
                fold.names[seat] = name
            case ev.SeatsTurned(by=by):
                count = len(fold.names)
                fold.names = [fold.names[(seat - by) % count] for seat in range(count)]
            case ev.GameStarted(settings=settings, number=number):
                if fold.game is not None:
                    yield fold.game
                fold.game = Played(table, number, site, stored.at, settings, tuple(fold.names), ())
            case event if fold.game is not None:
                fold.game = _played(fold.game, event)
    if fold.game is not None:
        yield fold.game


def _played(game: Played, event: ev.Event) -> Played:
    """The game after one more event."""
    match event:
        case ev.MoveMade():
            return replace(game, moves=(*game.moves, PlayedMove(event.seat, event.move, event.notation)))
        case ev.MovesTakenBack(ply=ply):
            return replace(game, moves=game.moves[:ply], claims=tuple(made for made in game.claims if made.ply <= ply))
        case ev.Proposed(seat=seat, proposal=Score(squares=claim)):
            return replace(game, claims=(*game.claims, Claim(seat, claim, len(game.moves))))
        case ev.Agreed(proposal=Score(squares=claim)):
            return replace(game, settled=claim)
        case ev.TurnStarted(clock=Clock() as clock) | ev.ClockSet(clock=clock):
            return _timed(game, clock)
        case ev.GameEnded(outcome=outcome):
            return replace(game, outcome=outcome)
        case _:
            return game


def _timed(game: Played, clock: Clock) -> Played:
    """The mover's clock when it first stands again after the last move."""
    time, last = game.settings.time, game.moves[-1] if game.moves else None
    if last is None or last.clock_s is not None or time is None or time.kind is TimeKind.PER_MOVE:
        return game
    shown = clock.readings[last.seat]
    if shown.main_s > 0 or time.kind not in (TimeKind.CANADIAN, TimeKind.BYOYOMI):
        timed = replace(last, clock_s=shown.main_s)
    else:
        timed = replace(last, clock_s=shown.period_s, overtime=shown.moves or shown.periods)
    return replace(game, moves=(*game.moves[:-1], timed))
