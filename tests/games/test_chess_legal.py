"""What is found without a search is what python-chess finds with one, in positions of seeded random games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import chess
import pytest

from gateway import registry
from gateway.games.chess.legal import can_move, in_check, theirs
from gateway.games.chess.position import Position, ours
from protocols.core.model import Move

STARTS = {
    "usual": ("normal", ""),
    "pins": ("normal", "4k3/4r3/8/1b5q/8/3P4/4R1P1/r1B1KN2 w - - 0 1"),
    "en passant exposes the king": ("normal", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1"),
    "no pieces but kings and pawns": ("normal", "8/1p3k2/8/8/p1P5/8/1P3K2/8 w - - 0 1"),
    "chess960": ("fischerandom", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
}


def positions(rules: str, start: str, games: int, plies: int) -> Iterator[Position]:
    """Those of a few random games, each as if nothing had been asked about it."""
    game, chance = registry.game("chess"), random.Random(5)
    for _ in range(games):
        position: Position = game.start(game.settings(rules, start=start))
        for _ in range(plies):
            yield game.start(game.settings(rules, start=game.text(position)))
            legal = game.legal_moves(position)
            if not legal:
                break
            position = game.play(position, chance.choice(legal))


@pytest.mark.parametrize("start", STARTS)
def test_moves_are_legal_as_python_chess_says(start: str) -> None:
    for position in positions(*STARTS[start], games=2, plies=30):
        board = position.board
        legal = {ours(move) for move in board.generate_legal_moves()}
        steps = {Move(source, target) for source, target in product(range(64), range(64))}
        assert {move for move in steps | legal if theirs(position, move)} == legal, board.fen()


@pytest.mark.parametrize("start", STARTS)
def test_there_is_a_move_when_python_chess_finds_one(start: str) -> None:
    for position in positions(*STARTS[start], games=8, plies=60):
        board = position.board
        assert can_move(position) == any(board.generate_legal_moves()), board.fen()
        assert in_check(position) == board.is_check()


@pytest.mark.parametrize("fen", ["7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "k7/8/8/8/8/1q6/2n5/K7 w - - 0 1"])
def test_who_is_stalemated_or_mated_cannot_move(fen: str) -> None:
    game = registry.game("chess")
    assert not can_move(game.start(game.settings(start=fen)))


@pytest.mark.parametrize("start", ["usual", "pins", "chess960"])
def test_notation_and_fen_are_those_of_python_chess(start: str) -> None:
    game = registry.game("chess")
    for position in positions(*STARTS[start], games=3, plies=40):
        board = position.board
        assert game.brief(position) == board.fen()
        for move in game.legal_moves(position):
            known = theirs(position, move)
            assert known is not None
            assert game.notation(position, move) == board.san(known)


def test_no_move_says_more_than_it_means() -> None:
    """The king's step to the next square is no castling, and a rook on the last row promotes nothing."""
    game = registry.game("chess")
    position = game.start(game.settings(start="4k3/R7/8/8/8/8/8/4K2R w K - 0 1"))
    for text in ("e1f1", "a7a8", "h1h8"):
        source, target = (chess.parse_square(name) ^ 56 for name in (text[:2], text[2:]))
        assert game.normal(position, Move(source, target)) == Move(source, target)
