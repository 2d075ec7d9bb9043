"""A bot at the client's end of one registered game, over GAMESMAN: every turn is a request, every answer a turn.

Not here: HTTP (gamesman.py), the board as words tell it (gamesman_board.py), how moves are chosen (gateway/bots).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from gateway.bots.chooser import choose
from gateway.clients.gamesman import Player, Resigned
from gateway.clients.gamesman_board import Board


def play(player: Player, board: Board, opponent: str, level: int, show: Callable[[str], None]) -> None:
    """Play one game at ``level`` (gateway.bots.chooser), start to end; ``show`` gets a line of how it ended.

    Problem or OSError: the server refuses, or cannot be reached. IllegalMove: the opponent's move is none here.
    """
    try:
        reply = player.start()
        while True:
            board = board if reply is None else board.after(reply)
            if board.turn is None:
                player.game_over()
                break
            text, board = turn(board, level)
            reply = player.move(text)
            if reply is None:
                break
        show(f"against {opponent}: {board.result()}")
    except Resigned as end:
        show(f"{end}.")


def turn(board: Board, level: int) -> tuple[str, Board]:
    """A whole turn as it is written, its steps with blanks between, and the board after it."""
    game, position = board.game, board.position
    side, steps = game.to_move(position), []
    while game.to_move(position) == side:
        move = choose(game, position, level, None, time.monotonic, random.Random())
        steps.append(game.notation(position, move))
        position = game.play(position, move)
    text = " ".join(steps)
    return text, board.after(text)
