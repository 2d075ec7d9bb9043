"""Walls of pawns: what is called dead is dead, in every line of moves there is; and the walls that people build are."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

import chess
import pytest
from chess import variant

from tests.games.chess_boards import GAME, at

BOARDS: Final[dict[str, type[chess.Board]]] = {
    "normal": chess.Board,
    "3check": variant.ThreeCheckBoard,
    "kingofthehill": variant.KingOfTheHillBoard,
    "crazyhouse": variant.CrazyhouseBoard,
    "horde": variant.HordeBoard,
}
MOST: Final = 2_500
"""Positions of one wall that are looked at: mostly all there are."""

NEEDED: Final = 5
"""Walls of each rule set that are played from."""


@pytest.mark.parametrize(
    ("fen", "rules"),
    [
        ("8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8 w - - 0 1", "normal"),
        ("8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8 w - - 0 1", "fischerandom"),
        ("8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8 w - - 0 1", "3check"),
        ("8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8[] w - - 0 1", "crazyhouse"),
        ("8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8 w - - 0 1", "kingofthehill"),  # pawns stand on the hill, or guard it
        ("4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/8 b - - 0 1", "horde"),
        ("8/8/2b1k3/1p1p1p1p/1P1P1P1P/4K3/8/8 b - - 0 1", "normal"),  # a bishop on its own pawns' colour
        ("8/6k1/2p1p1p1/1pPpPpPp/1P1P1P1P/6K1/8/8 w - - 0 1", "normal"),  # doubled on both sides
    ],
)
def test_walls_that_nothing_passes_are_dead(fen: str, rules: str) -> None:
    assert not any(GAME.can_win(at(fen, rules), seat) for seat in (0, 1))


@pytest.mark.parametrize(
    ("fen", "rules"),
    [
        ("8/8/4k3/1p1p1p2/1P1P1P1P/4K3/8/8 w - - 0 1", "normal"),  # a pawn can move
        ("8/4k3/p1p1p1p1/P1P1P1P1/8/8/4K3/8 w - - 0 1", "kingofthehill"),  # White's king goes to e4
        ("8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8[N] w - - 0 1", "crazyhouse"),  # a knight in hand
        ("8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8 w - - 0 1", "atomic"),
        ("8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8 w - - 0 1", "giveaway"),
        ("8/8/4k3/1p3p2/1P3P2/4K3/8/8 w - - 0 1", "normal"),  # the kings go round the walls
        ("8/8/3bk3/1p1p1p1p/1P1P1P1P/4K3/8/8 b - - 0 1", "normal"),  # the bishop takes b4
        ("8/8/4k3/1p1p1p1p/1P1P1P1P/4KN2/8/8 w - - 0 1", "normal"),  # a knight
        ("8/8/8/1p1pkp1p/1P1P1P1P/4K3/8/8 b - - 0 1", "normal"),  # in check: the king takes d4
    ],
)
def test_walls_with_a_gap_are_not(fen: str, rules: str) -> None:
    assert GAME.can_win(at(fen, rules), 0)


def walls(chance: random.Random, rules: str) -> Iterator[chess.Board]:
    """Random positions of blocked pawns, with kings and sometimes bishops anywhere."""
    while True:
        board = BOARDS[rules].empty()
        for file in range(8):
            rank = chance.choice((2, 3, 3, 4))
            if chance.random() < 0.8:
                board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, chess.WHITE))
                board.set_piece_at(chess.square(file, rank + 1), chess.Piece(chess.PAWN, chess.BLACK))
        kings = chess.COLORS if rules != "horde" else [chess.BLACK]
        men = [*(chess.Piece(chess.KING, side) for side in kings)]
        men += [chess.Piece(chess.BISHOP, chance.random() < 0.5) for _ in range(chance.choice((0, 0, 1, 2)))]
        for man in men:
            board.set_piece_at(chance.choice([at for at in chess.SQUARES if not board.piece_at(at)]), man)
        board.turn = chance.random() < 0.5
        if board.is_valid():
            yield board


def won(board: chess.Board) -> bool:
    """True if any series of legal moves, of those that are looked at, wins for either side."""
    seen, left = {board.epd()}, [board]
    while left:
        here = left.pop()
        ended = here.outcome()
        if ended is not None and ended.winner is not None:
            return True
        for move in here.legal_moves:
            after = here.copy(stack=False)
            after.push(move)
            after.halfmove_clock = 0
            if len(seen) < MOST and after.epd() not in seen:
                seen.add(after.epd())
                left.append(after)
    return False


@pytest.mark.parametrize("rules", BOARDS)
def test_no_game_can_be_won_from_what_is_called_dead(rules: str) -> None:
    """python-chess plays every line of moves from every random wall that is called so."""
    source, dead = walls(random.Random(rules), rules), 0
    while dead < NEEDED:
        board = next(source)
        position = at(board.fen(), rules)
        if GAME.outcome(position) is None and not any(GAME.can_win(position, seat) for seat in (0, 1)):
            dead += 1
            assert not won(board), board.fen()
