"""A game over GAMESMAN on standard input and output: the board as text, moves typed in the game's notation.

GAMESMAN tells nothing of the past: started in the middle of a game, this client has no board to show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from clients.gamesman.player import Player, Problem, Resigned
from gateway.games.base import Game
from protocols.core.errors import IllegalMove

KEYS: Final = "Type a move (every step of your turn, with blanks between), or: resign, over, quit"

Show = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Board:
    """The game as both players' words tell it."""

    game: Game[Any]
    position: Any

    def after(self, text: str) -> Board:
        """The board after the move, or the steps, that are written so. IllegalMove says why there is none."""
        game, position = self.game, self.position
        try:
            game.parse(position, text)
            steps = [text]
        except IllegalMove:
            steps = text.split() or [text]
        for step in steps:
            position = game.play(position, game.parse(position, step))
        return replace(self, position=position)

    @property
    def turn(self) -> object:
        """The seat to move."""
        return self.game.to_move(self.position)

    @property
    def over(self) -> bool:
        """True if the rules have ended the game."""
        return self.game.outcome(self.position) is not None

    def drawn(self) -> str:
        """The board, top row first; nothing where there are no rules."""
        return self.game.diagram(self.position) if self.game.judged else ""

    def result(self) -> str:
        """The result in words."""
        outcome = self.game.outcome(self.position)
        if outcome is None:
            return "The game is over."
        side = "nobody" if outcome.winner is None else self.game.sides[outcome.winner]
        return f"The game is over: {side} wins, {outcome.detail}."


def run(player: Player, board: Board, opponent: str, lines: Iterable[str], show: Show) -> None:
    """Play one game; returns when it is over, or at the end of ``lines``.

    Problem or OSError: the server refuses, or cannot be reached. IllegalMove: the opponent's move is none here.
    """
    show(f"Waiting for {opponent} ...")
    reply = player.start()
    show("You move first." if reply is None else f"{opponent}: {reply}")
    typed = iter(lines)
    try:
        while True:
            board = board if reply is None else board.after(reply)
            show(board.drawn())
            if board.over:
                player.game_over()
                break
            played = _turn(player, board, typed, show)
            if played is None:
                return
            board, reply = played
            if reply is None:
                break
            show(f"{opponent}: {reply}")
        show(board.result())
    except Resigned as end:
        show(f"{end}.")


def _turn(player: Player, board: Board, typed: Iterator[str], show: Show) -> tuple[Board, str | None] | None:
    """The board after the first line that is a move, and the opponent's answer; None when we leave."""
    show(KEYS)
    for line in typed:
        word = line.strip()
        if word in _LAST_WORDS:
            show(_LAST_WORDS[word](player))
            return None
        try:
            after = board.after(word)
            if after.turn == board.turn:
                show("Your turn goes on: type its other steps, too.")
                continue
            show(after.drawn())
            return after, player.move(word)
        except (IllegalMove, Problem) as refused:
            show(str(refused))
    return None


def _resign(player: Player) -> str:
    player.resign()
    return "You have resigned."


def _claim(player: Player) -> str:
    player.game_over()
    return "The game is over."


_LAST_WORDS: Final[dict[str, Callable[[Player], str]]] = {
    "resign": _resign,
    "over": _claim,
    "quit": lambda player: "The game goes on without this client.",
}
