"""Positions compared by their FENs."""

from __future__ import annotations

import pytest

from protocols.chess_words.fen import same_position, white_to_move

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq"


def test_counters_are_never_compared() -> None:
    assert same_position(START, START.replace("0 1", "7 42"), exact=True)


def test_pieces_and_the_side_to_move_are_compared() -> None:
    assert not same_position(START, AFTER_E4)
    assert not same_position(START, START.replace(" w ", " b "))


def test_castling_rights_count_only_where_it_must_be_exact() -> None:
    fewer = START.replace("KQkq", "Qkq")
    assert same_position(START, fewer)
    assert not same_position(START, fewer, exact=True)


def test_shredder_letters_mean_the_same_rights() -> None:
    assert same_position(START, START.replace("KQkq", "HAha"), exact=True)
    inner = "k7/8/8/8/8/8/8/R1R1K2R w {} - 0 1"
    assert same_position(inner.format("Q"), inner.format("A"), exact=True)
    assert not same_position(inner.format("Q"), inner.format("C"), exact=True)


def test_a_right_without_king_or_rook_is_none() -> None:
    bare = "4k3/8/8/8/8/8/8/4K3 w {} - 0 1"
    assert same_position(bare.format("KQkq"), bare.format("-"), exact=True)


def test_an_en_passant_square_where_no_pawn_stands_is_none() -> None:
    assert same_position(f"{AFTER_E4} e3 0 1", f"{AFTER_E4} - 0 1", exact=True)


def test_an_en_passant_square_where_a_pawn_can_take_counts() -> None:
    fen = "4k3/8/8/8/3pP3/8/8/4K3 b - {} 0 1"
    assert not same_position(fen.format("e3"), fen.format("-"), exact=True)
    assert same_position(fen.format("e3"), fen.format("-"))


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/k2pP2R/8/8/4K3 b - {} 0 1",  # both pawns leave the fourth rank
        "4k3/8/8/3Pp3/8/1B6/8/4K3 w - {} 0 1",  # a white pawn where none can take: White's own bishop does not matter
        "3k4/8/8/8/3pP3/8/8/3RK3 b - {} 0 1",  # the pawn is tied to its file
    ],
)
def test_a_pawn_that_is_tied_cannot_take(fen: str) -> None:
    passed = "e3" if " b " in fen else "e6"
    can_take = "1B6" in fen
    assert same_position(fen.format(passed), fen.format("-"), exact=True) is not can_take


def test_pieces_in_hand_are_compared_in_either_style() -> None:
    board = "4k3/8/8/8/8/8/8/4K3"
    assert same_position(f"{board}[Qp] w", f"{board}/pQ w")
    assert same_position(f"{board}[] w", f"{board} w")
    assert not same_position(f"{board}[Q] w", f"{board} w")


def test_marks_of_promoted_pieces_are_not_compared() -> None:
    assert same_position("Q~3k3/8/8/8/8/8/8/4K3 w", "Q3k3/8/8/8/8/8/8/4K3 w")


def test_the_side_to_move_is_read() -> None:
    assert white_to_move(START)
    assert not white_to_move(AFTER_E4)


@pytest.mark.parametrize(
    "fen",
    [
        "",
        "x",
        "8/8/8/8/8/8/8/8",
        "8/8 w",
        "9/8/8/8/8/8/8/8 w",
        "8/8/8/8/8/8/8/7 w",
        "8/8/8/8/8/8/8/63 w",
        "8" * 5000,
        START.replace(" w ", " x "),
        START.replace("KQkq", "XYZ"),
        START.replace(" - ", " e "),
    ],
)
def test_what_is_no_fen_is_shown(fen: str) -> None:
    with pytest.raises(ValueError, match="no FEN"):
        same_position(START, fen)
