"""A table as one connection knows it."""

from __future__ import annotations

from protocols.core.events import (
    DiceRolled,
    GameAdjourned,
    GameEnded,
    GameStarted,
    MoveMade,
    MovesTakenBack,
    Said,
    SeatLeft,
    SeatTaken,
    SeatWithdrawn,
    TurnStarted,
)
from protocols.core.model import PASS, Move, Outcome, Reason, Seat, SeatKind
from protocols.core.picture import Picture
from tests.protocols.talk import CHECKERS, LUDO, begun, opened

STEP = MoveMade(0, Move(1, 8), 1, "", ((1, None), (8, "man")), "")


def playing() -> Picture:
    picture = Picture()
    for event in begun(CHECKERS, {1: "man"}, "alice", "bot"):
        picture.fold(event)
    return picture


def test_an_open_seat_has_no_name_and_a_lost_one_keeps_it() -> None:
    picture = Picture()
    for event in opened(CHECKERS, "alice", "bob"):
        picture.fold(event)
    picture.fold(SeatLeft(0, SeatKind.RESERVED, 60.0))
    picture.fold(SeatLeft(1, SeatKind.OPEN))
    assert picture.seats == [Seat(0, SeatKind.RESERVED, "alice"), Seat(1, SeatKind.OPEN)]


def test_a_seat_the_table_does_not_have_is_not_shown() -> None:
    picture = playing()
    picture.fold(SeatTaken(2**31 - 1, SeatKind.PLAYER, "nobody"))
    assert len(picture.seats) == 2


def test_moves_change_the_board_and_are_taken_back() -> None:
    picture = playing()
    picture.fold(STEP)
    assert (picture.board, picture.moves) == ({8: "man"}, [Move(1, 8)])
    picture.fold(MovesTakenBack(1, 0, ((1, "man"), (8, None)), ""))
    assert (picture.board, picture.moves) == ({1: "man"}, [])


def test_only_the_roll_that_is_not_played_yet_is_kept() -> None:
    picture = playing()
    for number, value in enumerate((3, 5), start=1):
        picture.fold(DiceRolled(0, number, value))
    assert (picture.roller, picture.dice) == (0, [3, 5])
    picture.fold(DiceRolled(1, 3, 6))
    assert (picture.roller, picture.dice) == (1, [6])
    picture.fold(MoveMade(1, PASS, 1, "", (), ""))
    assert picture.dice == []


def test_a_roll_outlives_another_seat_that_gives_up() -> None:
    picture = Picture()
    for event in begun(LUDO, {0: "yellow piece", 120: "red piece"}, "alice", "bob"):
        picture.fold(event)
    picture.fold(DiceRolled(0, 1, 6))
    picture.fold(SeatWithdrawn(1, ((120, None),), ""))
    assert (picture.dice, picture.board) == ([6], {0: "yellow piece"})
    picture.fold(SeatWithdrawn(0, ((0, None),), ""))
    assert picture.dice == []


def test_nobody_is_to_move_after_the_end_or_an_interruption_and_a_new_game_begins_anew() -> None:
    picture = playing()
    picture.fold(STEP)
    picture.fold(GameAdjourned())
    assert picture.turn is None
    picture.fold(TurnStarted(1))
    picture.fold(GameEnded(Outcome(1, Reason.TIME)))
    assert (picture.turn, picture.outcome) == (None, Outcome(1, Reason.TIME))
    picture.fold(GameStarted(CHECKERS, 2, ((1, "man"),), ""))
    assert (picture.outcome, picture.moves, picture.board) == (None, [], {1: "man"})


def test_what_says_nothing_about_the_table_changes_nothing() -> None:
    picture = playing()
    picture.fold(Said(0, "all", "hello"))
    assert picture == playing()
