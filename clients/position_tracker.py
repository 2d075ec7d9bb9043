"""The rules position behind the board that a server tells: exact while every move is understood, found again after.

A plain move says two squares; which of several promotions it is, its consequences tell. Where the game's rules are not
installed, nothing is ever known. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from clients import rebuild
from clients.history import History, Step
from gateway.games.base import CHANCE, Game
from gateway.games.parts import Scoring, chance_of, stopped
from protocols.core.errors import Refused
from protocols.core.model import PASS, Move, Outcome, Settings


@dataclass(frozen=True, slots=True)
class Doubt:
    """A move taken for one of several that go from square to square so: where it began, and what else it may be."""

    before: Any
    others: tuple[Move, ...]


class PositionTracker:
    """One game's position, None while it is not known, and the ``trail`` of moves that led to it."""

    def __init__(self, game: Game[Any] | None, settings: Settings | None) -> None:
        self.game = game
        self.settings = settings
        self.position: Any | None = None
        self.history = History()
        self._before: Any | None = None
        self._doubt: Doubt | None = None
        self._open_roll: int | None = None

    @property
    def in_doubt(self) -> bool:
        """True if the last move may still turn out to be another."""
        return self._doubt is not None

    def begin(self, again: bool) -> dict[int, str]:
        """The start position, and its board. ``again``: a game that goes on, whose moves are remembered."""
        self._before = self.position if again else None
        self.position = self._open_roll = self._doubt = None
        if self.game and self.settings:
            self.position = self.game.start(self.settings)
        if not again:
            self.history.begin(self.position, whole=True)
        return self.board()

    def board(self) -> dict[int, str]:
        """The board of the position; empty where none is known."""
        return self.game.board(self.position) if self.game and self.position is not None else {}

    def legal_moves(self) -> list[Move]:
        """The legal moves of the seat to move; none where the position is not known."""
        return self.game.legal_moves(self.position) if self.game and self.position is not None else []

    def meant(self, square: int, piece: str) -> int:
        """The square where a ``piece`` placed on ``square`` goes: there, unless the rules take it elsewhere."""
        if self.game is None or self.position is None:
            return square
        meant = self.game.normal(self.position, Move(None, square, piece))
        return square if meant.target is None or meant not in self.legal_moves() else meant.target

    def to_move(self) -> int | None:
        """The seat to move, by the rules; None where that is unknown, or no seat is."""
        turn = self.game.to_move(self.position) if self.game and self.position is not None else None
        return turn if isinstance(turn, int) else None

    def passed_over(self) -> int | None:
        """The seat that would be to move after the last move, but cannot, and is passed over; None where none is."""
        after, *earlier = self.history.positions() or [None]
        if self.game is None or after is None or after != self.position or not earlier:
            return None
        return self.game.passed_over(earlier[0], after)

    def rolled(self, value: int) -> int | None:
        """The dice show ``value``: for which seat, None where that is unknown."""
        self._open_roll = value
        game = self.game
        due = rebuild.awaiting_roll(game, self.position) if game and self.position is not None else None
        if game is None or due is None:
            return None
        self.position = or_none(lambda: chance_of(game).rolled(due, value))
        return chance_of(game).chance(due).seat

    def readings(self, move: Move, wanted: Move | None) -> list[Move]:
        """The legal moves that ``move`` may be, the likeliest first; none where the rules do not know it.

        A wire may say the piece of a movement or leave it out: the squares decide then, and of several promotions the
        one that was ``wanted`` of the server, or the usual one.
        """
        game, position = self.game, self.position
        if game is None or position is None or game.to_move(position) in (CHANCE, None):
            return []
        meant, legal = game.normal(position, move), game.legal_moves(position)
        if move.source is None:
            return [meant] if meant in legal else []
        squares = {(move.source, move.target), (meant.source, meant.target)}
        same = [m for m in legal if (m.source, m.target) in squares]
        return sorted(same, key=lambda m: (m != wanted, m != meant))

    def play(self, readings: list[Move], mover: int | None, squares: tuple[int, ...]) -> Step:
        """The first of the readings was made, unless what follows decides for another."""
        before = self.position
        step = self._played(before, readings[0], mover, squares)
        self._doubt = Doubt(before, tuple(readings[1:])) if len(readings) > 1 else None
        self._open_roll = None
        return step

    def decides(self, target: int | None, piece: str) -> bool:
        """True if this placement tells that the last move was another than it was taken for; it is that one now."""
        doubt, last = self._doubt, self.history.last
        if doubt is None or last is None or self.game is None or target is None:
            return False
        for other in doubt.others:
            if self.game.board(self.game.play(doubt.before, other)).get(target) == piece:
                self.history.back(1)
                self._played(doubt.before, other, last.mover, last.squares)
                return True
        return False

    def decided(self) -> Step | None:
        """The last move is what it was taken for: how it was made, None where there was no doubt about it."""
        doubt, self._doubt = self._doubt, None
        return self.history.last if doubt else None

    def lose(self) -> None:
        """Something happened that the rules here do not understand."""
        self.position = self._open_roll = self._doubt = None
        self.history.begin(None)

    def forget(self) -> None:
        """The board is told square by square: its position is to be found again."""
        self.position = None

    def back(self, plies: int) -> None:
        """Moves were taken back."""
        self.position = self._before = self.history.back(plies)

    def fit(self, board: Mapping[int, str], seat: int) -> None:
        """Make sure that the position is one with this board and ``seat`` to move."""
        if self.game and self.settings:
            near = [position for position in (self.position, self._before) if position is not None]
            told = rebuild.Told(board, seat, self._open_roll)
            self.position = rebuild.fitting(self.game, self.settings, told, near, self.history.positions())
            if self.position is None:
                self.history.begin(None)
            else:
                self.history.settle(self.game, self.position)
        self._before = self.position

    def stop(self, board: Mapping[int, str]) -> None:
        """Play has stopped with this board: make sure that the position is one to be settled, where one is found."""
        game, settings = self.game, self.settings
        if game is None or settings is None:
            return
        known = [
            position for position in (self.position, self._before, *self.history.positions()) if position is not None
        ]
        same = (p for p in known if stopped(game, p) is not None and game.board(p) == dict(board))
        self.position = next(same, None)
        if self.position is not None:
            self.history.settle(game, self.position)
            return
        for seat in range(settings.seats):
            self.position = None if not known else known[0]
            self.fit(board, seat)
            if self._pass_until_stopped():
                return
        self.lose()

    def play_on(self) -> None:
        """The players did not settle it: the position when play goes on."""
        scoring = self._stopped()
        if scoring is not None:
            self.position = self._before = scoring.played_on(self.position)
            self.history.instead(self.position)

    def string(self, square: int) -> tuple[int, ...]:
        """Everything that is dead if the stone on this square is; the square alone where the rules are not known."""
        game, position = self.game, self.position
        if not isinstance(game, Scoring) or position is None:
            return (square,)
        return or_none(lambda: game.claimed(position, [square])) or ()

    def score(self, dead: Iterable[int]) -> str:
        """The result with these squares' stones dead, in the game's words; "" where not all moves are known."""
        scoring = self._stopped()
        if scoring is None or not self.history.whole:
            return ""
        outcome: Outcome | None = or_none(lambda: scoring.scored(self.position, dead))
        return outcome.detail if outcome else ""

    def _stopped(self) -> Scoring[Any] | None:
        """The game, where play has stopped in a position that is known."""
        return None if self.position is None else stopped(self.game, self.position)

    def _pass_until_stopped(self) -> bool:
        """Pass for every seat in turn, as often as it takes to stop play; whether it has stopped."""
        game = self.game
        for _ in range(rebuild.MOST_PASSES):
            if game is None or self.position is None or self._stopped() is not None:
                break
            if PASS not in game.legal_moves(self.position):
                return False
            self._played(self.position, PASS, self.to_move(), ())
        return self.position is not None

    def _played(self, before: Any, move: Move, mover: int | None, squares: tuple[int, ...]) -> Step:
        assert self.game is not None
        step = Step(self.game.play(before, move), mover, self.game.notation(before, move), squares)
        self.position = step.position
        self.history.add(step)
        return step


def or_none(asked: Callable[[], Any]) -> Any | None:
    """The result of a call of the rules; None where they refuse."""
    try:
        return asked()
    except (Refused, ValueError):
        return None
