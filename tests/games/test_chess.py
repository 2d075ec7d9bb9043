"""Chess, rule by rule: a position before, a move, the board after; and every refusal.

Ends are in test_chess_end.py, notation in test_chess_notation.py, starts in test_chess_start.py.
"""

from __future__ import annotations

import itertools
import pickle
import random

import pytest

from gateway.bots.chooser import choose
from gateway.games.chess.position import Position
from protocols.core.errors import IllegalMove, Why
from protocols.core.model import PASS, Move
from tests.games.chess_boards import CASTLING, GAME, at, drop, fields, move, played


def refused(position: Position, wrong: Move) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        GAME.play(position, wrong)
    return caught.value


def test_the_first_and_the_last_square_are_a8_and_h1() -> None:
    board = GAME.board(at(""))
    assert (board[0], board[4], board[63], board[60]) == ("black rook", "black king", "white rook", "white king")
    assert GAME.diagram(at("")).splitlines() == ["rnbqkbnr", "pppppppp", *["........"] * 4, "PPPPPPPP", "RNBQKBNR"]


def test_white_is_seat_0_even_where_black_moves_first() -> None:
    position = at(f"{CASTLING} b KQkq - 0 1")
    assert GAME.to_move(position) == 1
    assert GAME.to_move(played(position, "Kf7")) == 0


@pytest.mark.parametrize(
    ("turn", "text", "castled", "after"),
    [
        ("w", "O-O", "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq -"),
        ("w", "O-O-O", "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq -"),
        ("b", "O-O", "e8g8", "r4rk1/8/8/8/8/8/8/R3K2R w KQ -"),
        ("b", "O-O-O", "e8c8", "2kr3r/8/8/8/8/8/8/R3K2R w KQ -"),
    ],
)
def test_castling_is_the_kings_move_and_takes_the_rook_along(turn: str, text: str, castled: str, after: str) -> None:
    position = at(f"{CASTLING} {turn} KQkq - 0 1")
    assert GAME.parse(position, text) == move(castled)
    assert GAME.notation(position, move(castled)) == text
    assert fields(played(position, text)) == after


def test_castling_changes_four_squares() -> None:
    changes = dict(GAME.changes(at(f"{CASTLING} w KQkq - 0 1"), move("e1g1")))
    assert changes == {60: None, 61: "white rook", 62: "white king", 63: None}


@pytest.mark.parametrize(
    ("fen", "wrong"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", "e1g1"),  # the right is gone
        ("4k3/8/8/8/8/8/6r1/R3K2R w KQ - 0 1", "e1g1"),  # the king would stand in check
        ("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", "e1g1"),  # the king would pass through check
        ("4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", "e1c1"),  # the king is in check
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1"),  # a piece stands between
    ],
)
def test_castling_is_refused_where_its_conditions_are_not_met(fen: str, wrong: str) -> None:
    assert refused(at(fen), move(wrong)).text == "castling is not possible now"


def test_a_rook_may_pass_through_attack_when_castling() -> None:
    assert fields(played(at("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), "O-O-O")) == "1r2k3/8/8/8/8/8/8/2KR4 b - -"


def test_en_passant_takes_the_pawn_that_has_just_passed_and_only_then() -> None:
    position = played(at("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"), "d5")
    assert fields(position) == "4k3/8/8/3pP3/8/8/8/4K3 w - d6"
    assert GAME.changes(position, move("e5d6")) == [(19, "white pawn"), (27, None), (28, None)]
    assert GAME.notation(position, move("e5d6")) == "exd6"
    later = played(position, "Ke2", "Ke7")
    assert refused(later, move("e5d6")).text == "a pawn cannot go from e5 to d6"


def test_the_en_passant_square_is_written_only_where_a_pawn_can_take() -> None:
    assert fields(played(at(""), "e4")).endswith(" b KQkq -")


@pytest.mark.parametrize("piece", ["queen", "rook", "bishop", "knight"])
def test_a_pawn_is_promoted_to_the_piece_that_is_said(piece: str) -> None:
    position = at("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1")
    assert GAME.changes(position, move("e7e8", piece)) == [(4, f"white {piece}"), (12, None)]
    assert refused(position, move("e7e8")).why is Why.NO_SUCH_PIECE
    assert refused(position, move("e7e8", "king")).why is Why.NO_SUCH_PIECE


@pytest.mark.parametrize(
    ("meant", "said"),
    [
        (move("e7e8", "queen"), move("e7e8")),
        (move("e7e8", "queen"), move("e7e8", "Q")),
        (move("e7e8", "knight"), move("e7e8", "Knight")),
        (move("e7e8", "rook"), move("e7e8", "white rook")),
        (move("e1e2"), move("e1e2", "king")),
        (move("e1e2", "dragon"), move("e1e2", "dragon")),
    ],
)
def test_what_a_peer_leaves_unsaid_or_spells_its_own_way_is_understood(meant: Move, said: Move) -> None:
    assert GAME.normal(at("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"), said) == meant


def test_the_king_on_its_rooks_square_means_castling_in_normal_chess() -> None:
    position = at(f"{CASTLING} w KQkq - 0 1")
    assert GAME.normal(position, move("e1h1")) == move("e1g1")
    assert GAME.normal(position, move("e1a1")) == move("e1c1")
    assert refused(position, move("e1h1")).why is Why.OWN_PIECE_THERE


def test_fischerandom_castles_onto_the_rook_and_understands_the_kings_own_target() -> None:
    position = at("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", "fischerandom")
    assert GAME.notation(position, move("e1g1")) == "O-O"
    assert GAME.notation(position, move("e1b1")) == "O-O-O"
    assert GAME.normal(position, move("e1c1")) == move("e1b1")
    assert fields(GAME.play(position, move("e1b1"))) == "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/2KR2R1 b kq -"
    assert dict(GAME.changes(position, move("e1g1"))) == {60: None, 61: "white rook", 62: "white king"}


def test_where_a_kings_step_and_castling_look_the_same_the_step_is_meant() -> None:
    position = at("5k2/8/8/8/8/8/8/5K1R w H - 0 1", "fischerandom")
    assert GAME.normal(position, move("f1g1")) == move("f1g1")
    assert fields(GAME.play(position, move("f1g1"))) == "5k2/8/8/8/8/8/8/6KR b - -"
    assert fields(GAME.play(position, move("f1h1"))) == "5k2/8/8/8/8/8/8/5RK1 b - -"


def test_the_960_first_positions_have_scharnagls_numbers() -> None:
    assert GAME.brief(GAME.start(GAME.settings("fischerandom"))) == GAME.brief(at(""))
    assert fields(GAME.start(GAME.settings("fischerandom", options={"position": "0"})), 1).startswith("bbqnnrkr/")
    assert fields(GAME.start(GAME.settings("fischerandom", options={"position": "959"})), 1).startswith("rkrnnqbb/")


def test_an_explosion_spares_pawns_and_takes_the_capturing_piece() -> None:
    position = played(at("4k3/8/2n5/1pbp4/8/8/8/2R1K3 w - - 0 1", "atomic"), "Rxc5")
    assert fields(position, 1) == "4k3/8/8/1p1p4/8/8/8/4K3"


def test_a_captured_piece_is_dropped_and_a_promoted_one_comes_back_as_a_pawn() -> None:
    position = played(at("r3k3/1P6/8/8/8/8/8/4K3[] w q - 0 1", "crazyhouse"), "bxa8=Q")
    assert fields(position) == "Q~3k3/8/8/8/8/8/8/4K3[R] b - -"
    assert played(position, "Ke7", "R@e5") is not None
    dropped = played(position, "Ke7", "Qb8", "Kd7")
    assert GAME.notation(dropped, drop("rook", "d5")) == "R@d5+"
    assert GAME.changes(dropped, drop("rook", "d5")) == [(27, "white rook")]
    taken = played(at("Q~1k5/8/8/8/8/8/8/4K3[] b - - 0 1", "crazyhouse"), "Kc7", "Qb7", "Kxb7")
    assert fields(taken) == "8/1k6/8/8/8/8/8/4K3[p] w - -"


@pytest.mark.parametrize(
    ("variant", "fen", "wrong", "why", "text"),
    [
        ("normal", "", move("e7e5"), Why.NOT_YOUR_PIECE, "no piece of yours on e7"),
        ("normal", "", move("e4e5"), Why.NOT_YOUR_PIECE, "no piece of yours on e4"),
        ("normal", "", move("a1a2"), Why.OWN_PIECE_THERE, "a piece of yours is on a2"),
        ("normal", "", Move(0, 64), Why.OUT_OF_BOUNDS, "no square 64 on a board of 8x8"),
        ("normal", "", Move(-1, 0), Why.OUT_OF_BOUNDS, "no square -1 on a board of 8x8"),
        ("normal", "", move("e2e5"), Why.ILLEGAL, "a pawn cannot go from e2 to e5"),
        ("normal", "", move("e2e4", "queen"), Why.NO_SUCH_PIECE, "this move promotes nothing to 'queen'"),
        ("normal", "", PASS, Why.ILLEGAL, "a move goes from one square to another"),
        ("normal", "", Move(52, None), Why.ILLEGAL, "a move goes from one square to another"),
        ("normal", "", drop("pawn", "e4"), Why.NO_SUCH_PIECE, "no pieces are dropped in these rules"),
        ("normal", "4k3/8/8/8/8/4r3/4B3/4K3 w - - 0 1", move("e2d3"), Why.ILLEGAL, "it leaves the king in check"),
        ("normal", "4k3/8/8/8/8/4r3/8/B3K3 w - - 0 1", move("a1b2"), Why.ILLEGAL, "the king is in check"),
        ("normal", "7k/8/5KQ1/8/8/8/8/8 b - - 0 1", move("h8g8"), Why.NOT_PLAYING, "the game is over"),
        ("normal", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", move("e7e8", "dragon"), Why.NO_SUCH_PIECE, "'dragon'"),
        ("fischerandom", "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", move("e1h1"), Why.ILLEGAL, "castling is not possible now"),
        ("crazyhouse", "", drop("pawn", "e4"), Why.NO_SUCH_PIECE, "you have no pawn in hand"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", drop("pawn", "a8"), Why.ILLEGAL, "first or last rank"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", drop("pawn", "e1"), Why.OWN_PIECE_THERE, "on e1"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", drop("pawn", "e8"), Why.ILLEGAL, "e8 is occupied"),
        ("crazyhouse", "4k3/8/8/8/8/4r3/8/4K3[P] w - - 0 1", drop("pawn", "a4"), Why.ILLEGAL, "king is in check"),
        ("suicide", "8/8/8/8/8/1p6/P6P/8 w - - 0 1", move("h2h3"), Why.ILLEGAL, "a capture must be made"),
        ("racingkings", "8/8/8/8/8/k7/7R/7K w - - 0 1", move("h2h3"), Why.ILLEGAL, "no king may be in check after it"),
        ("atomic", "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", move("e1d2"), Why.ILLEGAL, "or explodes it"),
    ],
)
def test_every_refusal_names_its_own_cause(variant: str, fen: str, wrong: Move, why: Why, text: str) -> None:
    error = refused(at(fen, variant), wrong)
    assert error.why is why
    assert text in error.text


def test_moves_are_accepted_alike_whether_they_were_listed_before_or_not() -> None:
    choice = random.Random(3)
    for variant in GAME.variants:
        position = GAME.start(GAME.settings(variant.name))
        for _ in range(60):
            if GAME.to_move(position) is None:
                break
            made, fresh = choice.choice(GAME.legal_moves(position)), pickle.loads(pickle.dumps(position))
            assert GAME.play(fresh, made) == GAME.play(position, made)
            position = GAME.play(position, made)


@pytest.mark.parametrize(
    ("variant", "fen", "best"),
    [
        ("normal", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8#"),
        ("normal", "4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", "Nxd5"),
        ("kingofthehill", "4k3/8/8/8/8/4K3/7Q/8 w - - 0 1", "K"),
        ("suicide", "8/8/8/8/8/1p6/P7/8 w - - 0 1", "axb3"),
    ],
)
def test_a_house_bot_sees_what_stands_on_the_board(variant: str, fen: str, best: str) -> None:
    """The clock counts how often it is asked: the thought is as long on every machine."""
    position = at(fen, variant)
    asked = itertools.count()
    chosen = choose(GAME, position, 1, 300.0, lambda: float(next(asked)), random.Random(1))
    assert GAME.notation(position, chosen).startswith(best)
