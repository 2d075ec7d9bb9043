"""Who chooses moves for the clients: the project's own rules, kept in step from what one client was told.

A brain wins at once where it can and plays at random otherwise, always the same way for the
same seed; only the dice differ from run to run.
"""

from __future__ import annotations

from random import Random
from typing import Any

from gateway import registry
from gateway.games.base import CHANCE
from gateway.games.parts import chance_of
from protocols.core.model import PASS, Move, Outcome, Settings


class Brain:
    """One client's idea of the game."""

    def __init__(self, settings: Settings, seed: int = 1) -> None:
        self.game = registry.game(settings.game)
        self.settings = settings
        self.position: Any = self.game.start(settings)
        self.plies = 0
        self._roller: int | None = None
        self._random = Random(seed)

    @property
    def usual(self) -> dict[int, str]:
        """The board a game begins with."""
        return self.game.board(self.game.start(self.settings))

    @property
    def board(self) -> dict[int, str]:
        return self.game.board(self.position)

    @property
    def turn(self) -> int | str | None:
        return self.game.to_move(self.position)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.position)

    def roll(self, before: list[int], value: int) -> list[int]:
        """The server rolled ``value``, which must have been due; its roller's rolls, ``before`` those so far."""
        assert self.turn == CHANCE, f"a roll of {value}, but it is the turn of {self.turn}"
        seat = chance_of(self.game).chance(self.position).seat
        rolls = [*before, value] if seat == self._roller else [value]
        self._roller, self.position = seat, chance_of(self.game).rolled(self.position, value)
        return rolls

    def play(self, move: Move) -> None:
        """Somebody made this move. IllegalMove when the rules do not allow it: then the server should not have."""
        self.position = self.game.play(self.position, self.game.normal(self.position, move))
        self.plies += 1

    def legal(self) -> list[Move]:
        return self.game.legal_moves(self.position)

    def choose(self, *, may_pass: bool = True) -> Move:
        """A move that wins, or any. Without ``may_pass`` a turn is played out to its last step."""
        legal = self.legal()
        moves = legal if may_pass else [move for move in legal if move != PASS]
        for move in moves:
            outcome = self.game.outcome(self.game.play(self.position, move))
            if outcome is not None and outcome.winner == self.turn:
                return move
        return self._random.choice(moves)


def settings(game: str, variant: str = "", seats: int = 0) -> Settings:
    """What a table with these wishes plays."""
    return registry.game(game).settings(variant, seats)
