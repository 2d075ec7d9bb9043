"""Positions of the dialect ics: "style 12" for programs, compared with another generator, and boards for people."""

from __future__ import annotations

import random
from dataclasses import replace

import chess
import chess.variant
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.ics import board

WHOLE = (
    "<12> rnbqkb-r pppppppp -----n-- -------- ----P--- -------- PPPPKPPP RNBQ-BNR B -1 0 0 1 1 0 7 Newton "
    "Einstein 1 2 12 39 39 119 122 2 K/e1-e2 (0:06) Ke2 0 1 0"
)
"""The line of FICS's help, with the fields that stand behind the time by now."""

SHOWN = board.Shown(7, ("Newton", "Einstein"), 1, 2, 12, (119.9, 122.0), "K/e1-e2", "Ke2", 6.0, -1, False, True)


def test_a_line_has_all_its_fields_in_order() -> None:
    """ "`<12>`, eight ranks (8th first, `-` empty), side W/B, file 0-7 of a double pawn push or -1, castling x4 (1/0),
    half-moves since capture/pawn move, game number, White, Black, relation, initial minutes, increment s, material x2,
    clocks x2, move number, long move, time of that move in brackets, SAN, flip, ticking, lag." """
    position = board.read("rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 0 2")
    assert board.style_12(position, SHOWN, exact=False) == WHOLE


def test_exact_times_have_a_decimal_point_from_the_very_first_line() -> None:
    """ "with `iset ms 1` in ms and then the move time must have a decimal point from the very first line
    (`(0:00.000)`): XBoard recognises ms by that point." """
    position = board.read("rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 0 2")
    first = replace(SHOWN, last="none", san="none", took=0.0, left=(119.9, 122.0))
    words = board.style_12(position, first, exact=True).split()
    assert words[24:26] == ["119900", "122000"]
    assert words[27:30] == ["none", "(0:00.000)", "none"]


@pytest.mark.parametrize(
    ("seconds", "exact", "shown"),
    [
        (0.0, False, "(0:00)"),
        (3.9, False, "(0:03)"),
        (60.0, False, "(1:00)"),
        (3725.2, False, "(62:05)"),
        (-1.0, False, "(0:00)"),
        (3.25, True, "(0:03.250)"),
        (75.0, True, "(1:15.000)"),
        (59.9996, True, "(1:00.000)"),
        (119.9999, True, "(2:00.000)"),
    ],
)
def test_the_time_of_a_move_has_minutes_and_seconds(seconds: float, exact: bool, shown: str) -> None:
    """ "Scid sets no ms and reads `(0:03)`." """
    assert board.spent(seconds, exact=exact) == shown


@pytest.mark.parametrize(
    ("san", "source", "target", "shown"),
    [
        ("e4", "e2", "e4", "P/e2-e4"),
        ("e8=Q+", "e7", "e8", "P/e7-e8=Q"),
        ("dxe8=N", "d7", "e8", "P/d7-e8=N"),
        ("exd6", "e5", "d6", "P/e5-d6"),
        ("Nbd2", "b1", "d2", "N/b1-d2"),
        ("Qh4xe1#", "h4", "e1", "Q/h4-e1"),
        ("O-O", "e1", "g1", "o-o"),
        ("O-O-O+", "e8", "c8", "o-o-o"),
        ("N@f3", "", "f3", "N/@@-f3"),
        ("@e5", "", "e5", "P/@@-e5"),
    ],
)
def test_a_long_move_has_its_man_and_both_squares(san: str, source: str, target: str, shown: str) -> None:
    """ "long move (`none`, `P/e2-e4`, `P/e7-e8=Q`, `o-o`, `o-o-o`, drop `N/@@-f3`)." """
    assert board.long_move(san, source, target) == shown


@given(st.integers(0, 2**32), st.sampled_from(["chess", "crazyhouse", "960"]))
def test_a_line_says_of_a_position_what_another_program_says(seed: int, kind: str) -> None:
    """ "eight ranks (8th first), side W/B, file 0-7 of a double pawn push or -1, castling x4, half-moves since
    capture/pawn move, [...] material x2 (pawn 1 ... queen 9)." Compared with python-chess."""
    chance = random.Random(seed)
    played: chess.Board = {
        "chess": chess.Board,
        "crazyhouse": chess.variant.CrazyhouseBoard,
        "960": lambda: chess.Board.from_chess960_pos(seed % 960),
    }[kind]()
    push, last = -1, ("", "", "")
    for _ in range(chance.randrange(1, 60)):
        if not (legal := list(played.legal_moves)):
            break
        move = chance.choice(legal)
        steps = abs(chess.square_rank(move.from_square) - chess.square_rank(move.to_square))
        pawn = not move.drop and played.piece_type_at(move.from_square) == chess.PAWN
        push = chess.square_file(move.to_square) if pawn and steps == 2 else -1
        last = (played.san(move), "" if move.drop else chess.square_name(move.from_square), move.uci()[2:4])
        played.push(move)
    position = board.read(played.fen())
    passed = board.two_steps(*last)
    words = board.style_12(position, replace(SHOWN, passed=passed), exact=False).split()
    found = "".join(words[1:9])
    assert found == "".join(
        str(played.piece_at(chess.square(file, rank)) or "-") for rank in range(7, -1, -1) for file in range(8)
    )
    assert words[9:11] == ["W" if played.turn else "B", str(push)]
    assert words[11:15] == [str(int(right)) for right in rights(played)]
    assert words[15] == str(played.halfmove_clock)
    assert words[22:24] == [str(worth(played, colour)) for colour in (chess.WHITE, chess.BLACK)]
    assert words[26] == str(played.fullmove_number)
    assert len(words) == 33


def rights(played: chess.Board) -> list[bool]:
    """Short and long castling of White, then of Black: a right whose rook stands right or left of the king."""
    return [
        any(
            (chess.square_file(rook) > chess.square_file(king)) == short
            for rook in chess.SquareSet(played.clean_castling_rights() & chess.BB_RANKS[0 if colour else 7])
        )
        for colour in (chess.WHITE, chess.BLACK)
        if (king := played.king(colour)) is not None
        for short in (True, False)
    ]


def worth(played: chess.Board, colour: chess.Color) -> int:
    points = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
    return sum(points[kind] * len(played.pieces(kind, colour)) for kind in points)


def test_men_in_hand_are_read_beside_the_board() -> None:
    """ "Crazyhouse: `<b1> game 11 white [PN] black []` behind the board." """
    position = board.read("rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKB~NR[PNp] b KQkq - 0 2")
    assert position.hands == ("NP", "P")
    assert position.rows[-1] == "RNBQKBNR"


@pytest.mark.parametrize(
    "text", ["", "8/8 w - -", "9/8/8/8/8/8/8/8 w - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w - - 0 1"]
)
def test_what_is_no_position_is_refused(text: str) -> None:
    """ "eight ranks": of eight squares."""
    with pytest.raises(ValueError, match="no "):
        board.read(text)


def test_a_person_sees_the_board_from_the_own_side_with_the_clocks_beside_it() -> None:
    """ "flip (1: Black below)": `style 1` is for people."""
    position = board.read("rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 0 2")
    white = board.drawn(position, SHOWN)
    black = board.drawn(position, replace(SHOWN, flip=True))
    assert white[3] == "    8  |*R |*N |*B |*Q |*K |*B |   |*R |     Move # : 2 (Black)"
    assert black[3] == "    1  | R | N | B |   | Q | B | N | R |     Move # : 2 (Black)"
    assert (white[-1].split(), black[-1].split()) == (list("abcdefgh"), list("hgfedcba"))
    assert any("White Clock : 1:59" in line for line in white)
    assert any("White Moves : 'Ke2     (0:06)'" in line for line in black)
