"""The board that the GUI shows beside the game that is really played, and the ways to bring the first to the second.

An engine can show a GUI its move, or a whole new position, and nothing else. XBoard shows White on move after a
``setboard`` of an engine, even against the FEN, and lets its user play White; so only positions with White on move are
set up, and a user who has Black goes on with Machine White.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from clients.xboard.clocks import Clocks
from clients.xboard.game import BLACK, WHITE, Game, fen, same, to_move
from clients.xboard.screen import Screen
from protocols.cecp import engine_lines

GO_ON: Final = "To go on, choose Machine White in the Mode menu."


@dataclass(slots=True)
class Board:
    """``shown`` is the GUI's game, ``engine`` the side its engine plays (None: neither).

    ``game`` is what the peer has been told: while playing the agreed game, before it what the user has set up.
    ``opponent`` is the side the peer plays; ``closed`` says that the GUI regards the game as over. ``clocks`` are told
    what the GUI does to its own.
    """

    screen: Screen
    clocks: Clocks
    shown: Game = field(default_factory=Game)
    game: Game = field(default_factory=Game)
    engine: int | None = BLACK
    opponent: int = BLACK
    closed: bool = False

    @property
    def straight(self) -> bool:
        """True if the GUI shows the game."""
        return not self.closed and same(self.shown, self.game)

    def begin(self, opponent: int) -> None:
        """The game is agreed; ``opponent`` is the side the peer plays."""
        self.opponent = opponent
        self.closed = False

    def user_played(self, move: str) -> None:
        """The user moved, here and in the game."""
        self.shown, self.game = self.shown.played(move), self.game.played(move)

    def opponent_played(self, move: str) -> None:
        """The opponent moved in the game: show it, as a move if the GUI stands where it was made and waits for one."""
        straight = self.straight and self.engine == self.opponent
        self.game = self.game.played(move)
        if straight:
            self._show(move)
        else:
            self.restore()

    def go_on(self) -> None:
        """The user lets the engine play on: show the move it was waiting for, or else the game's position."""
        if self.straight:
            return
        before = self.game.back(1)
        if to_move(before) == self.opponent and same(self.shown, before):
            self.closed = False
            self._show(self.game.moves[-1])
        else:
            self.restore()

    def restore(self) -> None:
        """Show the game, as far as it can be shown now.

        A program that plays before the GUI is left alone, and a GUI that takes moves only: it gets the one it has not
        seen when it says go.
        """
        if self.screen.computer or not self.screen.takes_positions:
            return
        if self.opponent == BLACK and to_move(self.game) == BLACK:
            self.screen.tell("The board will show the game again when your opponent has moved.")
        elif self.opponent == BLACK:
            self.set_up(self.game)
        elif (same(self.shown, self.white_to_move()) and not self.closed) or self.set_up(self.white_to_move()):
            self.screen.tell(GO_ON)

    def white_to_move(self) -> Game:
        """The game, or the game before its last move: where White is on move."""
        return self.game if to_move(self.game) == WHITE else self.game.back(1)

    def set_up(self, position: Game) -> bool:
        """Show this position, White on move; False where there are no rules to know it by."""
        text = fen(position)
        if text is None or to_move(position) != WHITE:
            self.screen.tell("The board cannot be brought to the game's position here.")
            return False
        self.screen.say(engine_lines.set_board(text))
        self.shown = Game(position.variant, text)
        self.engine, self.closed = BLACK, False
        self.clocks.started_anew()
        return True

    def _show(self, move: str) -> None:
        self.screen.move(move)
        self.shown = self.shown.played(move)
        self.clocks.opponent_moved()
