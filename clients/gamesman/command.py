"""GAMESMAN for the command line: a registered game on a plain board, or played by a bot here."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import ClassVar

from clients.gamesman.board import Board, run
from clients.gamesman.player import Player, Problem, Resigned
from clients.joining import HTTP_PORT
from clients.registered import NotPlayed, RegisteredClient, RegisteredSeat, Show
from gateway.bots.chooser import choose
from gateway.net.calling import context


class GamesmanClient(RegisteredClient):
    port: ClassVar[int] = HTTP_PORT

    def play(self, seat: RegisteredSeat, lines: Iterable[str], show: Show) -> None:
        with _player(seat) as player:
            run(player, Board(seat.game, seat.position), seat.opponent, lines, show)

    def play_bot(self, seat: RegisteredSeat, level: int, show: Show) -> None:
        with _player(seat) as player:
            play_by_bot(player, Board(seat.game, seat.position), seat.opponent, level, show)


@contextmanager
def _player(seat: RegisteredSeat) -> Iterator[Player]:
    server = seat.server
    try:
        trust = context(server.ca) if server.tls else None
        yield Player(server.url(), seat.name, seat.opponent, ticket=seat.ticket, password=seat.secret, trust=trust)
    except (Problem, OSError) as error:
        raise NotPlayed(str(error)) from error


def play_by_bot(player: Player, board: Board, opponent: str, level: int, show: Callable[[str], None]) -> None:
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
            text, board = bot_turn(board, level)
            reply = player.move(text)
            if reply is None:
                break
        show(f"against {opponent}: {board.result()}")
    except Resigned as end:
        show(f"{end}.")


def bot_turn(board: Board, level: int) -> tuple[str, Board]:
    """A whole turn as it is written, its steps with blanks between, and the board after it."""
    game, position = board.game, board.position
    side, steps = game.to_move(position), []
    while game.to_move(position) == side:
        move = choose(game, position, level, None, time.monotonic, random.Random())
        steps.append(game.notation(position, move))
        position = game.play(position, move)
    text = " ".join(steps)
    return text, board.after(text)
