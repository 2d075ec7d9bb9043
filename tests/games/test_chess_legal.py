"""Legal moves, boards, checks and ends that chess finds for less equal python-chess's, in seeded random games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import chess
import pytest

from gateway import registry
from gateway.games.base import differences
from gateway.games.chess.legal import can_move, in_check, played, theirs
from gateway.games.chess.position import KINDS, Position, copied, ours
from protocols.core.model import Move
from tests.laws.playouts import NIGHTLY

STARTS = {
    "pins": ("normal", "4k3/4r3/8/1b5q/8/3P4/4R1P1/r1B1KN2 w - - 0 1"),
    "en passant exposes the king": ("normal", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1"),
    "no pieces but kings and pawns": ("normal", "8/1p3k2/8/8/p1P5/8/1P3K2/8 w - - 0 1"),
    "chess960": ("fischerandom", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
    "castling swaps king and rook": ("fischerandom", "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1"),
    "promotions": ("normal", "2n2k2/1P1P4/8/8/8/8/1p1p4/2N2K2 w - - 0 1"),
    "a knight gives check": ("normal", "4k3/8/8/8/8/3n4/4PP2/4K2R w K - 0 1"),
    "a pawn gives check": ("normal", "8/8/2nk4/4P3/8/8/8/4K2R b - - 0 1"),
    "kings side by side": ("atomic", "8/2p5/8/3kK2r/8/4P3/8/R7 w - - 0 1"),
    "few pieces": ("suicide", "8/1p6/8/8/3b4/8/4NP2/8 w - - 0 1"),
    **{rules.name: (rules.name, "") for rules in registry.game("chess").variants},
}
LISTED = {
    "pawns on lines with their king": ("normal", "4k3/8/1q6/6r1/3P4/4Pp2/5PP1/r4RK1 w - - 0 1"),
    "en passant, one of two pawns pinned": ("normal", "1k2r3/8/8/3PpP2/8/8/8/4K2b w - e6 0 1"),
    "en passant for Black, castling both ways": ("normal", "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1"),
    "a pinned pawn may take what pins it": ("normal", "3n1b2/4P1P1/5K2/8/8/1k6/8/8 w - - 0 1"),
    "checked twice": ("normal", "4r1k1/8/8/8/8/5n2/8/3QK2R w K - 0 1"),
}
ORDINARY = [start for start, (rules, _) in STARTS.items() if rules in ("normal", "fischerandom")]


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


@pytest.mark.nightly_too
@pytest.mark.parametrize("start", STARTS)
def test_moves_are_legal_as_python_chess_says(start: str) -> None:
    steps = {Move(source, target) for source, target in product(range(64), range(64))}
    others = {Move(None, target, piece) for target, piece in product(range(64), KINDS)}
    others |= {Move(source, target, "queen") for source, target in product(range(64), (0, 3, 9, 30, 59, 63))}
    for position in positions(*STARTS[start], games=10 if NIGHTLY else 1, plies=60 if NIGHTLY else 8):
        if position.board.is_game_over():
            continue
        legal = {ours(move) for move in position.board.generate_legal_moves()}
        assert {move for move in steps | others | legal if played(position, move)} == legal, position.board.fen()


@pytest.mark.parametrize("start", [*STARTS, *LISTED])
def test_the_moves_that_are_listed_are_those_of_python_chess_in_its_order(start: str) -> None:
    game = registry.game("chess")
    for position in positions(*(STARTS | LISTED)[start], games=3, plies=60):
        legal = [] if position.board.is_game_over() else [*map(ours, position.board.generate_legal_moves())]
        assert game.legal_moves(position) == legal or game.outcome(position) is not None, position.board.fen()


@pytest.mark.nightly_too
@pytest.mark.parametrize("start", STARTS)
def test_a_move_leads_where_python_chess_leads(start: str) -> None:
    game = registry.game("chess")
    for position in positions(*STARTS[start], games=15 if NIGHTLY else 1, plies=60 if NIGHTLY else 25):
        for move in () if position.board.is_game_over() else position.board.generate_legal_moves():
            board = position.board.copy()
            board.push(move)
            after = game.play(position, ours(move))
            assert whole(after.board) == whole(board), (position.board.fen(), move)
            assert game.changes(position, ours(move)) == differences(game.board(position), game.board(after))


def whole(board: chess.Board) -> tuple[str, int]:
    """What the rules may ask of a board; castling rights also as a number, as FEN leaves some out."""
    return board.fen(en_passant="fen", promoted=True), board.castling_rights


@pytest.mark.parametrize("rules", ["normal", "fischerandom", "horde", "kingofthehill"])
def test_a_copied_board_has_everything_that_python_chess_copies_and_shares_nothing_that_changes(rules: str) -> None:
    for position in positions(rules, "", games=1, plies=40):
        made = copied(position.board)
        assert type(made) is type(position.board)
        assert vars(made) == vars(position.board.copy(stack=False))
        shared = [name for name, kept in vars(made).items() if kept is vars(position.board)[name]]
        assert not [name for name in shared if isinstance(getattr(made, name), list)]


@pytest.mark.nightly_too
@pytest.mark.parametrize("start", STARTS)
def test_a_game_ends_when_python_chess_ends_it(start: str) -> None:
    game, chance = registry.game("chess"), random.Random(7)
    rules, fen = STARTS[start]
    for _ in range(60 if NIGHTLY else 2):
        position: Position = game.start(game.settings(rules, start=fen))
        board = position.board.copy()
        while (legal := list(board.generate_legal_moves())) and (expected := board.outcome()) is None:
            assert game.outcome(position) is None, board.fen()
            move = chance.choice(legal)
            board.push(move)
            position = game.play(position, ours(move))
        ended = game.outcome(position)
        assert ended is not None
        assert (expected := board.outcome()) is not None
        assert ended.winner == (None if expected.winner is None else int(not expected.winner))


@pytest.mark.parametrize("start", STARTS)
def test_there_is_a_move_when_python_chess_finds_one(start: str) -> None:
    for position in positions(*STARTS[start], games=1, plies=60):
        board = position.board
        assert in_check(position) == board.is_check()
        if not board.is_variant_end():
            assert can_move(position) == any(board.generate_legal_moves()), board.fen()


@pytest.mark.parametrize("fen", ["7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "k7/8/8/8/8/1q6/2n5/K7 w - - 0 1"])
def test_who_is_stalemated_or_mated_cannot_move(fen: str) -> None:
    game = registry.game("chess")
    assert not can_move(game.start(game.settings(start=fen)))


@pytest.mark.parametrize("start", ORDINARY)
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
