"""Counts the games that a person has won, lost and drawn: of each game, against people and against programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gateway.store.records import StoredEvent
from protocols.core import events as ev
from protocols.core.model import Outcome, SeatKind


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game that is over: who sat there when it began, by seat, and which of them were house bots."""

    names: tuple[str, ...]
    bots: tuple[bool, ...]
    outcome: Outcome


@dataclass(slots=True)
class Score:
    """Games of one kind. ``programs``: all opponents were house bots."""

    game: str
    programs: bool
    won: int = 0
    lost: int = 0
    drawn: int = 0


def ended_games(events: Iterable[StoredEvent]) -> Iterator[EndedGame]:
    """The games of a table that are over, from the events of ``Views.turning_points``. Void ones are left out."""
    sat: list[tuple[str, bool]] = []
    began: tuple[tuple[str, bool], ...] = ()
    for stored in events:
        match stored.event:
            case ev.SeatTaken(seat=seat, kind=kind, name=name):
                sat += [("", False)] * (seat + 1 - len(sat))
                sat[seat] = name, kind is SeatKind.BOT
            case ev.SeatsTurned(by=by):
                sat = [sat[(seat - by) % len(sat)] for seat in range(len(sat))]
            case ev.GameStarted():
                began = tuple(sat)
            case ev.GameEnded(outcome=outcome) if outcome.reason != "void" and began:
                yield EndedGame(tuple(name for name, _ in began), tuple(bot for _, bot in began), outcome)


def scores(found: Iterable[tuple[str, str, Iterable[StoredEvent]]]) -> list[Score]:
    """The scores of a person, by game: ``found`` are tables, each its game, the person's name there, and its events."""
    counted: dict[tuple[str, bool], Score] = {}
    for game, name, events in found:
        for ended in ended_games(events):
            folded = [held.casefold() for held in ended.names]
            if name.casefold() not in folded:
                continue
            seat = folded.index(name.casefold())
            programs = all(bot for at, bot in enumerate(ended.bots) if at != seat)
            score = counted.setdefault((game, programs), Score(game, programs))
            if ended.outcome.winner is None:
                score.drawn += 1
            elif ended.outcome.winner == seat:
                score.won += 1
            else:
                score.lost += 1
    return [counted[key] for key in sorted(counted)]
