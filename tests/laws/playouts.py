"""Positions to try laws on: seeded games of every rule set and number of seats, and all playthrough files.

A trace is computed once and shared, for positions are immutable.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from gateway import registry
from gateway.games.base import CHANCE, Game, Variant
from gateway.games.parts import chance_of, stopped
from protocols.core.model import PASS, Move, Settings
from tests.playthroughs import form

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
GAMES = 12 if NIGHTLY else 2
"""Seeded games of each rule set and number of seats: two are hundreds of positions, minutes are for the night."""
LONGEST = 400
"""Moves after which a seeded game is cut: chess-like games of random moves need not end, the others end far below."""
LOOKED_AT = 150 if NIGHTLY else 20
"""Positions of a trace the costly laws look at, spread evenly from the first to the last."""


@dataclass(frozen=True, slots=True)
class Table:
    """One way to begin a game."""

    game: str
    variant: str
    seats: int

    def rules(self) -> Game[Any]:
        return registry.games()[self.game]

    def __str__(self) -> str:
        return f"{self.game}-{self.variant}-{self.seats}"


def rule_sets(game: Game[Any]) -> list[Variant]:
    """All of them; where a game does not judge they are names only, and one of each board size shows what there is."""
    sizes = {(variant.width, variant.height): variant for variant in reversed(game.variants)}
    return list(game.variants if game.judged else reversed(sizes.values()))


TABLES = [
    Table(name, variant.name, seats)
    for name, game in registry.games().items()
    for variant in rule_sets(game)
    for seats in variant.seats
]


@dataclass(frozen=True, slots=True)
class Trace:
    """One game: every position from the first to the last, and the moves between them (a roll is an int)."""

    settings: Settings
    positions: tuple[Any, ...]
    steps: tuple[Move | int, ...]

    def spread(self) -> tuple[Any, ...]:
        """LOOKED_AT of the positions, the first and the last among them."""
        count = len(self.positions)
        if count <= LOOKED_AT:
            return self.positions
        return tuple(self.positions[at * (count - 1) // (LOOKED_AT - 1)] for at in range(LOOKED_AT))


@cache
def traces(table: Table) -> tuple[Trace, ...]:
    """The seeded games of this table."""
    return tuple(_played(table, random.Random(f"{table} {seed}")) for seed in range(GAMES))


def positions(table: Table) -> Iterator[tuple[Settings, Any]]:
    """Positions of this table's seeded games and playthroughs, with the settings they are of."""
    for trace in traces(table):
        for position in trace.spread():
            yield trace.settings, position
    yield from told(table)


@cache
def told(table: Table) -> tuple[tuple[Settings, Any], ...]:
    """Every position of this table's playthroughs that stands after some input, and the first."""
    found = []
    for path in form.files():
        script = form.read(path.read_text(encoding="utf-8"))
        settings = script.settings()
        if (settings.game, settings.variant, settings.seats) == (table.game, table.variant, table.seats):
            found += [(settings, position) for position in script.positions()[:: 1 if NIGHTLY else 7]]
    return tuple(found)


def _played(table: Table, choice: random.Random) -> Trace:
    game = table.rules()
    settings = game.settings(table.variant, table.seats)
    found = [game.start(settings)]
    steps: list[Move | int] = []
    while (turn := game.to_move(found[-1])) is not None and len(steps) < LONGEST:
        if turn == CHANCE:
            value = choice.randint(1, chance_of(game).chance(found[-1]).sides)
            steps.append(value)
            found.append(chance_of(game).rolled(found[-1], value))
        else:
            move = choice.choice(game.legal_moves(found[-1]))
            steps.append(move)
            found.append(game.play(found[-1], move))
    return _stopped(game, settings, found, steps)


def _stopped(game: Game[Any], settings: Settings, found: list[Any], steps: list[Move | int]) -> Trace:
    """The trace, and where both could pass to stop play, their two passes."""
    if PASS in game.legal_moves(found[-1]) and PASS in game.legal_moves(once := game.play(found[-1], PASS)):
        twice = game.play(once, PASS)
        if stopped(game, twice):
            found, steps = [*found, once, twice], [*steps, PASS, PASS]
    return Trace(settings, tuple(found), tuple(steps))
