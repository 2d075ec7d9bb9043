"""Chess in words: moves, time controls, results."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.chess_words.text import (
    from_move,
    read_level,
    result_reason,
    result_words,
    to_move,
    write_level,
)
from protocols.core.line_text import clean
from protocols.core.model import PASS, Move, Outcome, Reason, TimeControl, TimeKind


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("e2e4", Move(52, 36)),
        ("e2-e4", Move(52, 36)),
        ("E2xD3", Move(52, 43)),
        ("B2C3", Move(49, 42)),
        ("a8h1", Move(0, 63)),
        ("e7e8q", Move(12, 4, "queen")),
        ("e7-e8=Q", Move(12, 4, "queen")),
        ("a2a1n", Move(48, 56, "knight")),
        ("e1g1", Move(60, 62)),
    ],
)
def test_coordinates_are_read_with_a8_as_square_0(text: str, move: Move) -> None:
    assert to_move(text) == move


@pytest.mark.parametrize(
    "text", ["O-O", "0-0-0", "Nf3", "e4", "e2e9", "i2i4", "", "e2e4e5", "e7e8x", "e2e4\0", "@@@@", "B2c3"]
)
def test_what_only_a_board_can_tell_is_not_read(text: str) -> None:
    assert to_move(text) is None


def test_drops_and_kings_are_for_the_rule_sets_that_have_them() -> None:
    assert to_move("P@e4", "crazyhouse") == Move(None, 36, "pawn")
    assert to_move("n@f3", "crazyhouse") == Move(None, 45, "knight")
    assert to_move("P@e4") is None
    assert to_move("a7a8k", "suicide") == Move(8, 0, "king")
    assert to_move("a7a8k") is None


@given(
    source=st.integers(0, 63),
    target=st.integers(0, 63),
    piece=st.sampled_from(["", "queen", "rook", "bishop", "knight"]),
)
def test_a_move_reads_back_as_it_is_written(source: int, target: int, piece: str) -> None:
    assert to_move(from_move(Move(source, target, piece))) == Move(source, target, piece)


def test_a_drop_a_text_and_what_chess_does_not_have_are_written() -> None:
    assert from_move(Move(None, 36, "pawn")) == "P@e4"
    assert from_move(Move(None, None, "O-O")) == "O-O"
    assert from_move(PASS) == ""
    assert from_move(Move(12, None)) == ""


@pytest.mark.parametrize(
    ("level", "time"),
    [
        ((0, 0, 0), None),
        ((40, 300, 0), TimeControl(TimeKind.MOVES, main_s=300, moves=40)),
        ((40, 300, 2), TimeControl(TimeKind.MOVES, main_s=300, increment_s=2, moves=40)),
        ((0, 300, 0), TimeControl(TimeKind.ABSOLUTE, main_s=300)),
        ((0, 120, 2.5), TimeControl(TimeKind.FISCHER, main_s=120, increment_s=2.5)),
        ((0, 0, 12), TimeControl(TimeKind.FISCHER, increment_s=12)),
        ((-1, 10, 0), TimeControl(TimeKind.PER_MOVE, period_s=10)),
    ],
)
def test_a_level_is_read_and_written(level: tuple[int, float, float], time: TimeControl | None) -> None:
    """ "The parameters have their usual WB-protocol meaning, (but TC is in seconds!), with one kludge: if MPS = -
    1, it specifies fixed time per move, given by TC." """
    assert read_level(*level) == time
    assert write_level(time) == level


@pytest.mark.parametrize("level", [(-2, 10, 0), (0, -1, 0), (0, 1, -1), (0, float("nan"), 0), (0, float("inf"), 0)])
def test_numbers_that_are_no_time_control_are_refused(level: tuple[int, float, float]) -> None:
    with pytest.raises(ValueError, match="no time control"):
        read_level(*level)


def test_of_overtime_the_main_time_is_said() -> None:
    assert write_level(TimeControl(TimeKind.BYOYOMI, main_s=600, period_s=30, periods=5)) == (0, 600, 0)
    assert write_level(TimeControl(TimeKind.CANADIAN, main_s=600, period_s=300, moves=25)) == (0, 600, 0)


@pytest.mark.parametrize(
    ("outcome", "words", "reason"),
    [
        (Outcome(0, Reason.RULES, "checkmate"), "1-0", "White mates"),
        (Outcome(1, Reason.RULES, "checkmate"), "0-1", "Black mates"),
        (Outcome(0, Reason.RULES, "king in the centre"), "1-0", "White wins: king in the centre"),
        (Outcome(1, Reason.RESIGNATION), "0-1", "White resigns"),
        (Outcome(0, Reason.RESIGNATION), "1-0", "Black resigns"),
        (Outcome(1, Reason.TIME), "0-1", "White forfeits on time"),
        (Outcome(0, Reason.ABANDONMENT), "1-0", "Black abandoned the game"),
        (Outcome(0, Reason.FORFEIT), "1-0", "Black forfeits"),
        (Outcome(1, Reason.CLAIM), "0-1", "Black wins"),
        (Outcome(None, Reason.AGREEMENT), "1/2-1/2", "draw by agreement"),
        (Outcome(None, Reason.CLAIM, "threefold repetition"), "1/2-1/2", "threefold repetition"),
        (Outcome(None, Reason.RULES, "stalemate"), "1/2-1/2", "stalemate"),
        (Outcome(None, Reason.TIME), "1/2-1/2", "time is over, but there is no mating material"),
        (Outcome(None, Reason.RESIGNATION, "the other side cannot win"), "1/2-1/2", "the other side cannot win"),
        (Outcome(None, Reason.ABANDONMENT), "1/2-1/2", "both sides abandoned the game"),
        (Outcome(None, Reason.VOID, "nobody came back"), "*", "nobody came back"),
        (Outcome(None, Reason.VOID), "*", "no result"),
    ],
)
def test_a_result_and_its_reason_are_words(outcome: Outcome, words: str, reason: str) -> None:
    assert (result_words(outcome), result_reason(outcome)) == (words, reason)


def test_a_reason_cannot_break_out_of_its_braces() -> None:
    assert result_reason(Outcome(None, Reason.RULES, "a} b\n{c")) == "a b c"


def test_a_text_is_one_printable_line() -> None:
    assert clean(" a\r\nquit\t\x1b[2J\u202eb é ") == "a  quit ?[2J?b é"
