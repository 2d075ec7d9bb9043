"""A CECP engine on standard input and output, for what Debian's own do not play or speak.

engine.py SEED        any legal move, castling, captures and drops first: for crazyhouse and Chess960
engine.py PROGRAM     the moves of a UCI engine, a twentieth of a second each
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

import chess
import chess.engine
import chess.variant

THINKING_S = 0.05

FEATURES = (
    'feature ping=1 setboard=1 usermove=1 colors=0 sigint=0 sigterm=0 reuse=1 analyze=0 myname="Any Move"'
    ' variants="normal,fischerandom,crazyhouse" done=1'
)


class Engine:
    def __init__(self, choose: Callable[[chess.Board], chess.Move]) -> None:
        self._choose = choose
        self._board = chess.Board()
        self._forced = False

    def obey(self, word: str, rest: str) -> list[str]:
        match word:
            case "protover":
                return [FEATURES]
            case "ping":
                return [f"pong {rest}"]
            case "new":
                self._board, self._forced = chess.Board(), False
            case "variant" if rest == "crazyhouse":
                self._board = chess.variant.CrazyhouseBoard()
            case "variant":
                self._board = chess.Board(chess960=True)
            case "setboard":
                self._board.set_fen(rest)
            case "force":
                self._forced = True
            case "go":
                self._forced = False
                return self._move()
            case "usermove":
                self._board.push_xboard(rest)
                return [] if self._forced else self._move()
        return []

    def _move(self) -> list[str]:
        if self._board.is_game_over():
            return []
        move = self._choose(self._board)
        text = self._board.xboard(move)
        self._board.push(move)
        return [f"move {text}"]


def bold(seed: int) -> Callable[[chess.Board], chess.Move]:
    """Any move, but one that other rule sets do not have where there is one."""
    chance = random.Random(seed)

    def choose(board: chess.Board) -> chess.Move:
        moves = list(board.legal_moves)
        castling = [move for move in moves if board.is_castling(move)]
        lively = [move for move in moves if move.drop or board.is_capture(move)]
        return chance.choice(castling or lively or moves)

    return choose


def play(choose: Callable[[chess.Board], chess.Move]) -> None:
    engine = Engine(choose)
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "quit":
            return
        for answer in engine.obey(word, rest):
            print(answer, flush=True)


def main() -> None:
    if sys.argv[1].isdigit():
        play(bold(int(sys.argv[1])))
        return
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1]) as program:

        def choose(board: chess.Board) -> chess.Move:
            found = program.play(board, chess.engine.Limit(time=THINKING_S)).move
            assert found is not None
            return found

        play(choose)


if __name__ == "__main__":
    main()
