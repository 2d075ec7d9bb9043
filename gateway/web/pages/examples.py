"""Shows a position of each game as it looks in play, for pages that present games: made once, the same each time.

A game declares the moves to it (``Guide.shown``); where it declares none, moves are chosen by chance with a fixed seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

import trio
from markupsafe import Markup

from gateway import registry
from gateway.games.base import CHANCE, Game
from gateway.games.parts import Placement, chance_of
from gateway.web.board.description import Description, described
from gateway.web.board.svg import drawn
from protocols.core.model import Move

MOVES: Final = 14
"""Moves to a position that no one has declared: the pieces have met, and most are still there."""

SEED: Final = 3


@dataclass(frozen=True)
class Example:
    """A position; ``last`` are the squares of its last move."""

    look: Description
    board: dict[int, str]
    last: tuple[int, ...] = ()

    @cached_property
    def svg(self) -> Markup:
        """The picture without figures, hidden from assistive technology: the page has the figures once for all."""
        return self.titled("")

    def titled(self, title: str) -> Markup:
        """The same picture, which is spoken as ``title``."""
        return drawn(self.look, self.board, last=self.last, title=title, small=True, figures=False)


async def examples(games: Iterable[Game[Any]]) -> dict[str, Example]:
    """A position in play of each game's first rule set, by the game's name.

    The first time they are played in a thread, for that takes as long as a hundred moves of players.
    """
    names = [game.name for game in games]
    return await trio.to_thread.run_sync(lambda: {name: _example(name) for name in names})


@cache
def beginning(name: str, variant: str) -> Example:
    """The first position of a rule set of the game of that name."""
    game = registry.game(name)
    settings = game.settings(variant)
    position = game.start(settings)
    return Example(described(game, settings), game.board(position))


@cache
def _example(name: str) -> Example:
    game = registry.game(name)
    settings = game.settings()
    position, last = game.start(settings), None
    for played, at in _played(game, position):
        position, last = at, played
    squares = () if last is None else tuple(at for at in (last.source, last.target) if at is not None)
    return Example(described(game, settings), game.board(position), squares)


def _played(game: Game[Any], position: Any) -> Iterator[tuple[Move | None, Any]]:
    """Each move and the position after it; None for dice. A set-up does not count as moves."""
    declared, chance, moves = game.guide.shown.split(), random.Random(SEED), 0
    while game.to_move(position) is not None and (declared or (not game.guide.shown and moves < MOVES)):
        if game.to_move(position) == CHANCE:
            dice = chance_of(game)
            position = dice.rolled(position, chance.randint(1, dice.chance(position).sides))
            yield None, position
        elif isinstance(game, Placement) and (setup := game.usual_setup(position)):
            for move in setup:
                position = game.play(position, move)
                yield move, position
        else:
            text = declared.pop(0) if declared else ""
            move = game.parse(position, text) if text else chance.choice(game.legal_moves(position))
            position, moves = game.play(position, move), moves + 1
            yield move, position
