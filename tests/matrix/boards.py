"""One client's board: the game's rules, kept in step by what this client was told and by nothing else."""

from __future__ import annotations

from functools import cache
from typing import Any

from gateway import registry
from gateway.games.base import CHANCE, Game
from gateway.games.parts import chance_of
from protocols.core.model import Move, Settings


class Board:
    """A game from its start to now. ``moves`` are those made, ``written`` the same in the game's notation, ``seats``
    who made them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.game = registry.game(settings.game)
        self._positions: list[Any] = []
        self.moves: list[Move] = []
        self.written: list[str] = []
        self.seats: list[int] = []
        self.restart()

    def restart(self) -> None:
        """A new game, or the same one told from its start."""
        self._positions, self.moves, self.written, self.seats = [self.game.start(self.settings)], [], [], []

    @property
    def position(self) -> Any:
        return self._positions[-1]

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def turn(self) -> int | None:
        """The seat to move; None where the dice come first, and where the game has stopped or is over."""
        turn = self.game.to_move(self.position)
        return turn if isinstance(turn, int) else None

    @property
    def rolls(self) -> bool:
        """True if the dice come before a seat can move."""
        return self.game.to_move(self.position) == CHANCE

    @property
    def squares(self) -> dict[int, str]:
        return _squares(self.game, self.position)

    def brief(self) -> str:
        """The position as one line."""
        return _brief(self.game, self.position)

    def play(self, move: Move) -> None:
        """This move was made. IllegalMove: the rules do not have it, so nobody should have been told it."""
        move, written, after = _played(self.game, self.position, move)
        assert self.turn is not None, f"{written}, but nobody is to move"
        self.seats.append(self.turn)
        self.written.append(written)
        self.moves.append(move)
        self._positions.append(after)

    def read(self, text: str) -> Move:
        """The move that is written so here."""
        return self.game.parse(self.position, text)

    def roll(self, value: int) -> None:
        """The dice showed this."""
        assert self.rolls, f"a roll of {value}, but it is the turn of {self.turn}"
        self._positions[-1] = chance_of(self.game).rolled(self.position, value)

    def back(self, plies: int = 1) -> None:
        """The last moves were taken back."""
        assert plies <= self.ply, f"{plies} of {self.ply} moves taken back"
        for made in (self._positions, self.moves, self.written, self.seats):
            del made[-plies:]

    def like(self, other: Board) -> None:
        """Know what another client of the same person knew."""
        self._positions, self.moves = list(other._positions), list(other.moves)
        self.written, self.seats = list(other.written), list(other.seats)

    def turns_of(self, seat: int) -> list[list[str]]:
        """The turns of a seat so far, the moves of each as they are written."""
        found = list[list[str]]()
        for at, written in enumerate(self.written):
            if self.seats[at] == seat:
                if not at or self.seats[at - 1] != seat:
                    found.append([])
                found[-1].append(written)
        return found


@cache
def _played(game: Game[Any], position: Any, move: Move) -> tuple[Move, str, Any]:
    """The move as the rules have it, its notation, and the position after it: every client of every cell asks."""
    normal = game.normal(position, move)
    after = game.play(position, normal)
    return normal, game.notation(position, normal), after


@cache
def _squares(game: Game[Any], position: Any) -> dict[int, str]:
    return game.board(position)


@cache
def _brief(game: Game[Any], position: Any) -> str:
    return game.brief(position)
